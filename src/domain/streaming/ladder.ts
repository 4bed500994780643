/**
 * Builds the ladder: the sizes and bit rates that a film is transcoded to. Never above the film, nor above the size and the H.264
 * level that the player reports, and always at least one rung.
 */
import type { ClientCapabilities } from '../../vocabulary/client-capabilities.ts'
import type { VideoTrack } from '../../vocabulary/media-description.ts'
import type { Encoder } from '../../vocabulary/encoder.ts'
import { RESOLUTIONS, resolutionOf, type Resolution } from '../../vocabulary/resolution.ts'
import { isHardware, SOFTWARE } from './encoders.ts'
import { h264Level } from './h264-level.ts'
import { peakForFilling } from './rate-control.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Rung extends Size {
  readonly name: Resolution
  readonly bitrateBps: number
  readonly maxBitrateBps: number
}

/** Height of each class's 16:9 box; average and peak bit rate, Mbit/s. */
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
 * A machine without a graphics card does not encode larger video in real time, and one with a card still decodes and scales on the CPU;
 * tone-mapping costs as much again as encoding.
 */
const MOST: Resolution = '1080p'
const MOST_BY_HARDWARE: Resolution = '1440p'
const MOST_TONE_MAPPED: Resolution = '720p'
/** A second of film takes 2.5 seconds of CPU time at 720p and 1.5 at 480p: two cores keep pace with the latter. */
const PACED_TONE_MAPPED: Resolution = '480p'
/** Each rung that is watched needs its own encoder. */
const RUNGS_SHOWN = 3
const RUNGS_SHOWN_BY_HARDWARE = 4
/** A rung whose bit rate is a larger share of the film's is worth less than the film itself. */
const MOST_OF_SOURCE = 0.8
/** Lower bit rates produce no usable video. */
const LEAST_BPS = 50_000

export interface LadderOptions {
  /** Bit rate of the film's video. */
  readonly bitrateBps: number
  /** The film's own video is offered too; else the best rung replaces it, whatever the film's rate. */
  readonly besideCopy: boolean
  readonly toneMapped: boolean
  readonly client: Pick<ClientCapabilities, 'maxHeight' | 'maxBitrateBps' | 'video'>
  readonly encoder?: Encoder
}

/** Best first; at least one. */
export function ladderOf(track: VideoTrack, options: LadderOptions): readonly Rung[] {
  const most = options.toneMapped ? MOST_TONE_MAPPED : mostFor(options)
  const classes = RESOLUTIONS.slice(
    0,
    1 + Math.min(RESOLUTIONS.indexOf(resolutionOf(track.width, track.height)), RESOLUTIONS.indexOf(most)),
  )
  const rungs = classes.map((name) => rungOf(name, track)).toReversed()
  const most264 = highestLevel(options.client)
  const isDecoded = ({ width, height }: Size) => Number(h264Level(width, height, track.frameRate)) <= most264
  const taken = rungs.filter((rung) => isTaken(rung, options.client) && isDecoded(rung))
  const worth = taken.filter(
    ({ bitrateBps }, place) => bitrateBps <= MOST_OF_SOURCE * options.bitrateBps || (place === 0 && !options.besideCopy),
  )
  if (worth.length > 0) return worth.slice(0, isHardware(options.encoder ?? SOFTWARE) ? RUNGS_SHOWN_BY_HARDWARE : RUNGS_SHOWN)
  const least = rungs.slice(-1)
  return options.besideCopy ? least.map((rung) => atMost(rung, MOST_OF_SOURCE * options.bitrateBps)) : least
}

/** Limits the only rung beside a film of a very low rate: players that compare rates would otherwise consider it better. */
function atMost(rung: Rung, bitrateBps: number): Rung {
  const averageBps = Math.min(rung.bitrateBps, Math.max(Math.round(bitrateBps), LEAST_BPS))
  return { ...rung, bitrateBps: averageBps, maxBitrateBps: Math.min(rung.maxBitrateBps, peakForFilling(averageBps)) }
}

/** A player that states its size may request more than this machine is sure to encode in real time. */
function mostFor({ client: { maxHeight }, encoder = SOFTWARE }: LadderOptions): Resolution {
  const sure = mostOf(encoder)
  return RESOLUTIONS.findLast((name) => maxHeight !== null && CLASSES[name][0] <= maxHeight && CLASSES[name][0] > CLASSES[sure][0]) ?? sure
}

const mostOf = (encoder: Encoder): Resolution => (isHardware(encoder) ? MOST_BY_HARDWARE : MOST)

function isTaken(rung: Rung, { maxHeight, maxBitrateBps }: LadderOptions['client']): boolean {
  const lines = Math.min(rung.width, rung.height)
  return (maxHeight === null || lines <= maxHeight) && (maxBitrateBps === null || rung.maxBitrateBps <= maxBitrateBps)
}

/** Of H.264, which all rungs are encoded in; players that do not list it state no limit. */
function highestLevel({ video }: Pick<ClientCapabilities, 'video'>): number {
  const levels = video.filter(({ codec }) => codec === 'h264').map(({ level }) => level ?? Infinity)
  return levels.length > 0 ? Math.max(...levels) : Infinity
}

/** Whether a machine is sure to encode it in real time. */
export function keepsPace({ name }: Pick<Rung, 'name'>, { encoder, toneMapped }: Work): boolean {
  return RESOLUTIONS.indexOf(name) <= RESOLUTIONS.indexOf(toneMapped ? PACED_TONE_MAPPED : mostOf(encoder))
}

interface Work {
  readonly encoder: Encoder
  readonly toneMapped: boolean
}

/** For a film that does not state its rate. */
export function usualBitrate({ width, height }: VideoTrack): number {
  return CLASSES[resolutionOf(width, height)][1] * 1e6
}

function rungOf(name: Resolution, track: VideoTrack): Rung {
  const [, average, greatest] = CLASSES[name]
  return { name, ...sizeIn(name, track), bitrateBps: average * 1e6, maxBitrateBps: greatest * 1e6 }
}

/** Lines of the displayed video; for an upright one, its width. */
export function shortSide(track: VideoTrack): number {
  const { width, height } = displaySize(track)
  return Math.min(width, height)
}

/** Displayed size: turned, and with square pixels by widening or narrowing. */
export function displaySize(track: VideoTrack): Size {
  const [across = 1, down = 1] = track.sampleAspect.split(':').map(Number)
  const aspect = across > 0 && down > 0 ? across / down : 1
  const wide = { width: Math.round(track.width * aspect), height: track.height }
  return track.rotation % 180 === 0 ? wide : { width: wide.height, height: wide.width }
}

/** A film of the class keeps its size; a larger one is scaled into the class's box. */
function sizeIn(name: Resolution, track: VideoTrack): Size {
  const display = displaySize(track)
  const [boxHeight] = CLASSES[name]
  const long = Math.max(display.width, display.height)
  const short = Math.min(display.width, display.height)
  const needed = Math.min(1, (boxHeight * 16) / 9 / long, boxHeight / short)
  const scale = resolutionOf(track.width, track.height) === name ? 1 : needed
  return { width: even(display.width * scale, display.width), height: even(display.height * scale, display.height) }
}

/** The nearest even length, or the one below if that exceeds the source. */
function even(length: number, most: number): number {
  const nearest = 2 * Math.round(length / 2)
  return Math.max(2, nearest <= most ? nearest : 2 * Math.floor(length / 2))
}
