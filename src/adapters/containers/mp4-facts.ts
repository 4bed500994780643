/** Extracts track facts for decoders and screens from an MP4 header. */
import type { Chromaticity, CodecConfiguration, HdrFacts, MasteringDisplay, TrackFacts } from '../../ports/media.ts'
import { boxesOf, boxIn, viewOf } from './boxes.ts'
import { Unsupported } from './unsupported.ts'
import { dolbyVisionOf, hdrFacts } from './hdr-facts.ts'
import type { Mp4Track, SampleEntry } from './mp4-header.ts'

const CONFIGURATIONS: ReadonlySet<string> = new Set<CodecConfiguration['type']>([
  'avcC',
  'hvcC',
  'av1C',
  'vpcC',
  'esds',
  'dac3',
  'dec3',
  'dOps',
  'dfLa',
])
const isConfiguration = (type: string): type is CodecConfiguration['type'] => CONFIGURATIONS.has(type)

const MOST_BYTES = 65_536
const VIDEO_HEAD_BYTES = 78
/** QuickTime's versions 1 and 2 have more audio fields before the boxes. */
const AUDIO_HEAD_BYTES = [28, 44, 64] as const
const AUDIO_VERSION_OFFSET = 8

/** Video and audio tracks, in the order of the file. */
export function mp4Facts(tracks: readonly Mp4Track[]): readonly TrackFacts[] {
  return tracks.flatMap(({ type, entry }) => {
    if (type === 'other') return []
    const boxes = entry ? boxesWithin(type, entry) : new Map<string, Uint8Array>()
    return [{ type, configuration: configurationOf(boxes), hdr: type === 'video' ? hdrOf(boxes) : null }]
  })
}

/** Boxes after the fixed fields of a sample entry, including those in QuickTime's `wave`. None if they are malformed. */
function boxesWithin(type: 'video' | 'audio', { bytes }: SampleEntry): ReadonlyMap<string, Uint8Array> {
  const version = (bytes[AUDIO_VERSION_OFFSET] ?? 0) * 256 + (bytes[AUDIO_VERSION_OFFSET + 1] ?? 0)
  const headBytes = type === 'video' ? VIDEO_HEAD_BYTES : (AUDIO_HEAD_BYTES[version] ?? Infinity)
  const boxes = new Map<string, Uint8Array>()
  try {
    for (const box of boxesOf(bytes.subarray(headBytes))) {
      boxes.set(box.type, box.bytes)
      const esds = box.type === 'wave' ? boxIn(box.bytes, 'esds') : undefined
      if (esds) boxes.set('esds', esds)
    }
  } catch (cause) {
    if (!(cause instanceof Unsupported)) throw cause
  }
  return boxes
}

function configurationOf(boxes: ReadonlyMap<string, Uint8Array>): CodecConfiguration | null {
  for (const [type, bytes] of boxes) {
    if (isConfiguration(type) && bytes.length <= MOST_BYTES) return { type, bytes: bytes.slice() }
  }
  return null
}

function hdrOf(boxes: ReadonlyMap<string, Uint8Array>): HdrFacts | null {
  const light = boxes.get('clli') ?? boxes.get('CoLL')?.subarray(4)
  return hdrFacts({
    mastering: masteringOf(boxes.get('mdcv')),
    contentLight: light && light.length >= 4 ? { peakNits: viewOf(light).getUint16(0), averageNits: viewOf(light).getUint16(2) } : null,
    dolbyVision: dolbyVisionOf(boxes.get('dvcC') ?? boxes.get('dvvC') ?? boxes.get('dvwC')),
  })
}

const MASTERING_BYTES = 24
const CHROMATICITY_UNITS = 50_000
const LUMINANCE_UNITS = 10_000

/** ISO/IEC 14496-12, 12.1.7: green, blue and red come in this order. */
function masteringOf(bytes: Uint8Array | undefined): MasteringDisplay | null {
  if (!bytes || bytes.length < MASTERING_BYTES) return null
  const view = viewOf(bytes)
  const point = (at: number): Chromaticity => [view.getUint16(at) / CHROMATICITY_UNITS, view.getUint16(at + 2) / CHROMATICITY_UNITS]
  return {
    green: point(0),
    blue: point(4),
    red: point(8),
    whitePoint: point(12),
    mostNits: view.getUint32(16) / LUMINANCE_UNITS,
    leastNits: view.getUint32(20) / LUMINANCE_UNITS,
  }
}
