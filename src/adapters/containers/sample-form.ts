/** Describes how a film's frames are stored, as far as needed to examine them. */
import type { TrackFacts } from '../../ports/media.ts'
import { elementIn } from './ebml.ts'
import type { MatroskaTrack } from './matroska-header.ts'
import * as ids from './matroska-ids.ts'
import type { NalCodec } from './nal-units.ts'

export interface SampleForm {
  readonly codec: NalCodec
  /** `packed`: compressed, encrypted, or otherwise unreadable. */
  readonly container: 'mp4' | 'matroska' | 'mpegts' | 'packed'
  /** Bytes of the length before each NAL unit; transport streams have none. */
  readonly lengthBytes: number
}

/** Offset of the configuration byte with the length size, less one. */
const LENGTH_AT = { avcC: 4, hvcC: 21 } as const
const CODECS = { avcC: 'h264', hvcC: 'hevc' } as const
const MATROSKA_CODECS: Readonly<Record<string, NalCodec>> = { 'V_MPEG4/ISO/AVC': 'h264', 'V_MPEGH/ISO/HEVC': 'hevc' }

/** Undefined for video without NAL units. */
export function mp4SampleForm(tracks: readonly TrackFacts[]): SampleForm | undefined {
  const configuration = tracks.find(({ type }) => type === 'video')?.configuration
  if (configuration?.type !== 'avcC' && configuration?.type !== 'hvcC') return undefined
  const lengthBytes = ((configuration.bytes[LENGTH_AT[configuration.type]] ?? 0xff) & 3) + 1
  return { codec: CODECS[configuration.type], container: 'mp4', lengthBytes }
}

/** Undefined as above. */
export function matroskaSampleForm(tracks: readonly MatroskaTrack[], facts: readonly TrackFacts[]): SampleForm | undefined {
  const track = tracks.find(({ type }) => type === 'video')
  const codec = track && MATROSKA_CODECS[track.codecId]
  if (!codec) return undefined
  const form = mp4SampleForm(facts)
  const isPacked = elementIn(track.entry, ids.CONTENT_ENCODINGS) !== undefined
  return form && !isPacked ? { ...form, container: 'matroska' } : { codec, container: 'packed', lengthBytes: 0 }
}
