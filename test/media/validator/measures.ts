/** What a rendition's segments really are, measured from their boxes: times in seconds, rates in bits a second. */
import type { TableSample } from '../../fixtures/segment-table.ts'
import { valueOf } from './playlist-text.ts'
import type { ServedRendition } from './served.ts'

export const isPicture = ({ init }: ServedRendition): boolean => init.handler === 'vide'

/** All samples in the order in which they are shown. */
export function shownOf({ segments }: ServedRendition): readonly TableSample[] {
  return segments.flatMap(({ samples }) => samples).toSorted((a, b) => a.pts - b.pts)
}

/** How far apart neighbours are shown, in ticks, from the least to the most. */
export function gapsOf(rendition: ServedRendition): readonly number[] {
  const shown = shownOf(rendition)
  return shown
    .slice(1)
    .map(({ pts }, index) => pts - (shown[index]?.pts ?? 0))
    .toSorted((a, b) => a - b)
}

/** The usual length of a frame, in ticks; of the only one where there is one. */
export function frameOf(rendition: ServedRendition): number {
  const gaps = gapsOf(rendition)
  return gaps[Math.floor(gaps.length / 2)] ?? rendition.segments[0]?.samples[0]?.duration ?? 0
}

/** The longest time for which one frame is shown, in ticks. */
export const longestFrameOf = (rendition: ServedRendition): number => Math.max(gapsOf(rendition).at(-1) ?? 0, frameOf(rendition))

/**
 * By how much the sum of the EXTINF of any neighbours is off what they really last, at most, in seconds: the spread of what the
 * starts are off.
 */
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

/** Of any neighbours whose EXTINF add up to half the target's to one and a half (RFC 8216, 4.1). */
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
