/** Ladder: which sizes and rates a film is transcoded to. Never above the source, and always one rung. */
import type { VideoTrack } from '../../events/media-description.ts'
import { RESOLUTIONS, resolutionOf, type Resolution } from '../../events/resolution.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Rung extends Size {
  readonly name: Resolution
  readonly bitrateBps: number
  readonly maxBitrateBps: number
}

/** Height of each class's 16:9 box; average and greatest rate, Mbit/s (streaming 3.4). */
const CLASSES: Readonly<Record<Resolution, readonly [height: number, average: number, greatest: number]>> = {
  '240p': [240, 0.4, 0.7],
  '360p': [360, 0.8, 1.4],
  '480p': [480, 1.4, 2.1],
  '720p': [720, 3, 4.5],
  '1080p': [1080, 5.5, 8],
  '1440p': [1440, 10, 14],
  '2160p': [2160, 18, 27],
}

/**
 * What the rung stands in for: a smaller picture `beside-copy`, the picture itself `alone`, or that of an HDR film brought down to
 * SDR, which costs as much again as encoding and would not keep pace with playing at 1080p on two cores.
 */
export type RungPurpose = 'beside-copy' | 'alone' | 'tone-mapped'

const MOST: Readonly<Record<RungPurpose, Resolution>> = { 'beside-copy': '720p', alone: '1080p', 'tone-mapped': '720p' }

/** Beside a copy: the class below the film's. Else the film's own. */
export function rungFor(track: VideoTrack, purpose: RungPurpose): Rung {
  const own = RESOLUTIONS.indexOf(resolutionOf(track.width, track.height))
  const wanted = purpose === 'beside-copy' ? own - 1 : own
  const name = RESOLUTIONS[Math.max(0, Math.min(wanted, RESOLUTIONS.indexOf(MOST[purpose])))] ?? '240p'
  const [, average, greatest] = CLASSES[name]
  return { name, ...sizeIn(name, track), bitrateBps: average * 1e6, maxBitrateBps: greatest * 1e6 }
}

/** Size that a viewer sees: turned, and with the pixels made square by widening or narrowing. */
export function displaySize(track: VideoTrack): Size {
  const [across = 1, down = 1] = track.sampleAspect.split(':').map(Number)
  const aspect = across > 0 && down > 0 ? across / down : 1
  const wide = { width: Math.round(track.width * aspect), height: track.height }
  return track.rotation % 180 === 0 ? wide : { width: wide.height, height: wide.width }
}

/** A film of the class keeps its size; a larger one is brought into the class's box. */
function sizeIn(name: Resolution, track: VideoTrack): Size {
  const display = displaySize(track)
  const [boxHeight] = CLASSES[name]
  const long = Math.max(display.width, display.height)
  const short = Math.min(display.width, display.height)
  const needed = Math.min(1, (boxHeight * 16) / 9 / long, boxHeight / short)
  const scale = resolutionOf(track.width, track.height) === name ? 1 : needed
  return { width: even(display.width * scale, display.width), height: even(display.height * scale, display.height) }
}

/** The nearest even length, or the one below where that were more than the source has. */
function even(length: number, most: number): number {
  const nearest = 2 * Math.round(length / 2)
  return Math.max(2, nearest <= most ? nearest : 2 * Math.floor(length / 2))
}
