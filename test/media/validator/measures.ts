/** Measures a rendition's segments from their boxes: times in seconds, rates in bits per second. */
import type { TableSample } from '../../fixtures/segment-table.ts'
import { valueOf } from './playlist-text.ts'
import type { ServedRendition } from './served.ts'

export const isVideo = ({ init }: ServedRendition): boolean => init.handler === 'vide'

/** All samples in display order. */
export function shownOf({ segments }: ServedRendition): readonly TableSample[] {
  return segments.flatMap(({ samples }) => samples).toSorted((a, b) => a.pts - b.pts)
}

/** Distances between neighbouring samples in ticks, sorted. */
export function gapsOf(rendition: ServedRendition): readonly number[] {
  const shown = shownOf(rendition)
  return shown
    .slice(1)
    .map(({ pts }, index) => pts - (shown[index]?.pts ?? 0))
    .toSorted((a, b) => a - b)
}

/** The usual duration of a frame, in ticks; of the only one if there is one. */
export function frameOf(rendition: ServedRendition): number {
  const gaps = gapsOf(rendition)
  return gaps[Math.floor(gaps.length / 2)] ?? rendition.segments[0]?.samples[0]?.duration ?? 0
}

/** The longest duration of a frame, in ticks. */
export const longestFrameOf = (rendition: ServedRendition): number => Math.max(gapsOf(rendition).at(-1) ?? 0, frameOf(rendition))

/** The largest error of a sum of consecutive EXTINF values, in seconds: the spread of the errors of the segments' starts. */
export function greatestExtinfError({ playlist, segments, init }: ServedRendition): number {
  let declared = 0
  const off = segments.map(({ samples, start }, segment) => {
    const real = samples.reduce((least, { pts }) => Math.min(least, pts), Infinity)
    const error = declared - (segment === 0 ? start : real) / init.timescale
    declared += playlist.segments[segment]?.seconds ?? 0
    return error
  })
  off.push(declared - (segments.at(-1)?.end ?? 0) / init.timescale)
  return Math.max(...off) - Math.min(...off)
}

/**
 * Peak bit rate over any consecutive segments whose EXTINF values sum to between half the target duration and one and a half (RFC 8216,
 * 4.1).
 */
export function peakBps({ playlist, segmentBytes }: ServedRendition): number {
  const target = Number(valueOf(playlist, 'EXT-X-TARGETDURATION'))
  let peak = 0
  for (let from = 0; from < segmentBytes.length; from++) {
    let seconds = 0
    let bits = 0
    for (let at = from; at < segmentBytes.length && seconds < target * 1.5; at++) {
      seconds += playlist.segments[at]?.seconds ?? 0
      bits += (segmentBytes[at]?.byteLength ?? 0) * 8
      if (seconds >= target * 0.5 && seconds <= target * 1.5) peak = Math.max(peak, bits / seconds)
    }
  }
  return peak
}

export function averageBps({ playlist, segmentBytes }: ServedRendition): number {
  const bits = segmentBytes.reduce((sum, { byteLength }) => sum + byteLength * 8, 0)
  return bits / playlist.segments.reduce((sum, { seconds }) => sum + seconds, 0)
}

/** Types of the NAL units of an AVC or HEVC sample with lengths of four bytes. */
export function nalTypes({ init }: ServedRendition, { bytes }: TableSample): readonly number[] {
  const found: number[] = []
  for (let at = 0; at + 4 < bytes.length; at += 4 + bytes.readUInt32BE(at)) {
    const header = bytes[at + 4] ?? 0
    found.push(init.entry.startsWith('avc') ? header & 31 : (header >> 1) & 63)
  }
  return found
}
