/** HDR facts in the forms that containers share. */
import { dolbyVisionIn } from '../../vocabulary/dolby-vision-record.ts'
import type { HdrFacts } from '../../ports/media.ts'

/** Null if missing or cut off. */
export function dolbyVisionOf(bytes: Uint8Array | undefined): HdrFacts['dolbyVision'] {
  return (bytes && dolbyVisionIn(bytes)) ?? null
}

/** Null if nothing is known. */
export function hdrFacts(facts: HdrFacts): HdrFacts | null {
  return facts.mastering || facts.contentLight || facts.dolbyVision ? facts : null
}
