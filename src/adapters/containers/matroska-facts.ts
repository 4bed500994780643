/** Extracts track facts for decoders and screens from a Matroska header. */
import type { Chromaticity, CodecConfiguration, HdrFacts, MasteringDisplay, TrackFacts } from '../../ports/media.ts'
import { elementIn, elementsOf, floatIn, unsignedIn } from './ebml.ts'
import { dolbyVisionOf, hdrFacts } from './hdr-facts.ts'
import type { MatroskaTrack } from './matroska-header.ts'
import * as ids from './matroska-ids.ts'

const NONE = new Uint8Array(0)
const MOST_BYTES = 65_536
/** Codecs whose CodecPrivate is the content of an MP4 box; and codecs without one, or with another, that can be named without it. */
const PRIVATE: Readonly<Record<string, CodecConfiguration['type']>> = {
  'V_MPEG4/ISO/AVC': 'avcC',
  'V_MPEGH/ISO/HEVC': 'hvcC',
  V_AV1: 'av1C',
  A_AAC: 'asc',
}
const NAMED: Readonly<Record<string, CodecConfiguration['type']>> = { A_AC3: 'dac3', A_EAC3: 'dec3', A_OPUS: 'dOps', A_FLAC: 'dfLa' }

const OF_CODEC_PRIVATE = 2
const DOLBY_VISION: ReadonlySet<number> = new Set(['dvcC', 'dvvC', 'dvwC'].map((name) => Buffer.from(name).readUInt32BE(0)))

/** Video and audio tracks, in the order of the file. */
export function matroskaFacts(tracks: readonly MatroskaTrack[]): readonly TrackFacts[] {
  return tracks.flatMap(({ type, codecId, entry }) => {
    if (type === 'other') return []
    return [{ type, configuration: configurationOf(codecId, entry), hdr: type === 'video' ? hdrOf(entry) : null }]
  })
}

function configurationOf(codecId: string, entry: Uint8Array): CodecConfiguration | null {
  const named = NAMED[codecId]
  if (named) return { type: named, bytes: NONE }
  const type = PRIVATE[codecId]
  const bytes = elementIn(entry, ids.CODEC_PRIVATE)
  return type && bytes && bytes.length <= MOST_BYTES && !isPacked(entry) ? { type, bytes: bytes.slice() } : null
}

/** Whether CodecPrivate is compressed or encrypted. */
function isPacked(entry: Uint8Array): boolean {
  for (const { id, bytes } of elementsOf(elementIn(entry, ids.CONTENT_ENCODINGS) ?? NONE)) {
    if (id === ids.CONTENT_ENCODING && (unsignedIn(bytes, ids.CONTENT_ENCODING_SCOPE) ?? 1) & OF_CODEC_PRIVATE) return true
  }
  return false
}

function hdrOf(entry: Uint8Array): HdrFacts | null {
  const video = elementIn(entry, ids.VIDEO)
  const colour = video && elementIn(video, ids.COLOUR)
  const peakNits = unsignedIn(colour, ids.MAX_CLL)
  return hdrFacts({
    mastering: masteringOf(colour && elementIn(colour, ids.MASTERING_METADATA)),
    contentLight: peakNits === undefined ? null : { peakNits, averageNits: unsignedIn(colour, ids.MAX_FALL) ?? 0 },
    dolbyVision: dolbyVisionOf(dolbyVisionIn(entry)),
  })
}

function masteringOf(metadata: Uint8Array | undefined): MasteringDisplay | null {
  const point = (x: number, y: number): Chromaticity => [floatIn(metadata, x) ?? 0, floatIn(metadata, y) ?? 0]
  const mostNits = floatIn(metadata, ids.LUMINANCE_MAX)
  if (mostNits === undefined) return null
  return {
    red: point(ids.RED_X, ids.RED_Y),
    green: point(ids.GREEN_X, ids.GREEN_Y),
    blue: point(ids.BLUE_X, ids.BLUE_Y),
    whitePoint: point(ids.WHITE_X, ids.WHITE_Y),
    leastNits: floatIn(metadata, ids.LUMINANCE_MIN) ?? 0,
    mostNits,
  }
}

function dolbyVisionIn(entry: Uint8Array): Uint8Array | undefined {
  for (const { id, bytes } of elementsOf(entry)) {
    if (id !== ids.BLOCK_ADDITION_MAPPING || !DOLBY_VISION.has(unsignedIn(bytes, ids.BLOCK_ADD_ID_TYPE) ?? 0)) continue
    return elementIn(bytes, ids.BLOCK_ADD_ID_EXTRA_DATA)
  }
  return undefined
}
