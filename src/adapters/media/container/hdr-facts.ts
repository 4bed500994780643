/** HDR facts in the forms that containers share. */
import type { HdrFacts } from '../../../ports/media.ts'

/** `dvcC`, `dvvC` and `dvwC` of ETSI TS 103 572; undefined where it is cut off. */
export function dolbyVisionOf(bytes: Uint8Array | undefined): HdrFacts['dolbyVision'] {
  const [, , high, low, compatibility] = bytes ?? []
  if (high === undefined || low === undefined || compatibility === undefined) return null
  return { profile: high >> 1, level: ((high & 1) << 5) | (low >> 3), compatibilityId: compatibility >> 4 }
}

/** Null where nothing is known. */
export function hdrFacts(facts: HdrFacts): HdrFacts | null {
  return facts.mastering || facts.contentLight || facts.dolbyVision ? facts : null
}
