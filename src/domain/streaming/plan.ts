/**
 * Plan: which renditions a film offers, and why. One pure decision, made when a session starts; playlists and segments only look
 * it up (streaming 3.8).
 */
import type { AudioTrack, MediaDescription, VideoTrack } from '../../events/media-description.ts'
import { audioRendition } from './audio-plan.ts'
import { cadenceOf, type FilmTimes } from './cadence.ts'
import { copyGrid, EVEN_STEP_MS, evenGrid, segmentCount, targetSeconds } from './grid.ts'
import { h264Level, highProfileCodec, probedH264Codec } from './h264-level.ts'
import { displaySize, rungFor } from './ladder.ts'
import type { AudioRendition, Seeking, VideoRendition } from './rendition.ts'

export interface StreamPlan {
  /** `remux` when the picture can be had as it is; `direct` is what a player may choose by itself. */
  readonly method: 'direct' | 'remux' | 'transcode'
  /** Why the picture cannot be copied; empty when it can. */
  readonly reasons: readonly CopyObstacle[]
  readonly durationMs: number
  /** Zero of the output timeline as a timestamp of the file. */
  readonly zeroMs: number
  readonly seeking: Seeking
  /** Of the picture, on the output timeline; empty when they are not known. */
  readonly keyframesMs: readonly number[]
  readonly targetSeconds: number
  /** Best first. */
  readonly video: readonly VideoRendition[]
  readonly audio: readonly AudioRendition[]
}

export type CopyObstacle =
  | 'container'
  | 'video-codec'
  | 'video-profile'
  | 'video-bit-depth'
  | 'video-pixel-format'
  | 'video-interlaced'
  | 'video-edited'
  | 'no-index'
  | 'keyframes-too-far'

const COPY_CONTAINERS = new Set(['mp4', 'mov', 'm4v', 'matroska', 'webm', 'mpegts'])
/** Containers without an index of keyframes: a seek lands anywhere. */
const SCANNED_CONTAINERS = new Set(['mpegts', 'mpeg', 'mpegps'])
const COPY_PROFILES = new Set(['Constrained Baseline', 'Baseline', 'Main', 'High'])
const MAX_KEYFRAME_DISTANCE_MS = 30_000
/** Below this a segment might hold no picture: such films get a fixed rate. */
const LEAST_FRAME_RATE = 1
const FIXED_FRAME_RATE = 5
/** A copy's peak is not known before it was read; films of one rate rarely exceed this. */
const PEAK_OF_AVERAGE = 1.5

export function planStreams(media: MediaDescription, times: FilmTimes | undefined): StreamPlan {
  const track = media.video[0]
  const obstacles = track ? obstaclesTo(media, track, times) : []
  const zeroMs = times?.zeroMs ?? media.startMs
  const copy = track && times && obstacles.length === 0 ? [copied(media, track, times)] : []
  const made = track ? [transcoded(media, track, { isAlone: copy.length === 0, times })] : []
  const startMs = times?.audioStartMs ?? 0
  const audio = media.audio.map((one, index) =>
    audioRendition(media, one, { index, default: index === defaultAudio(media.audio), startMs }),
  )
  const video = [...copy, ...made]
  return {
    method: copy.length > 0 ? 'remux' : 'transcode',
    reasons: obstacles,
    durationMs: media.durationMs,
    zeroMs,
    seeking: SCANNED_CONTAINERS.has(media.container) ? 'scanned' : 'indexed',
    keyframesMs: times?.keyframesMs ?? [],
    targetSeconds: targetSeconds([...video, ...audio].map((one) => one.grid)),
    video,
    audio,
  }
}

function obstaclesTo(media: MediaDescription, track: VideoTrack, times: FilmTimes | undefined): readonly CopyObstacle[] {
  const found: [boolean, CopyObstacle][] = [
    [!COPY_CONTAINERS.has(media.container), 'container'],
    [track.codec !== 'h264', 'video-codec'],
    [track.codec === 'h264' && !COPY_PROFILES.has(track.profile ?? ''), 'video-profile'],
    [track.bitDepth !== 8, 'video-bit-depth'],
    [!['yuv420p', 'yuvj420p'].includes(track.pixelFormat ?? ''), 'video-pixel-format'],
    [track.interlaced, 'video-interlaced'],
    [times?.keyframesMs.some((atMs) => atMs < 0) ?? false, 'video-edited'],
    [!times || times.keyframesMs.length === 0, 'no-index'],
    [times !== undefined && greatestDistance(times) > MAX_KEYFRAME_DISTANCE_MS, 'keyframes-too-far'],
  ]
  return found.filter(([holds]) => holds).map(([, obstacle]) => obstacle)
}

function greatestDistance({ keyframesMs, videoEndMs }: FilmTimes): number {
  return keyframesMs.reduce((most, atMs, index) => Math.max(most, (keyframesMs[index + 1] ?? videoEndMs) - atMs), 0)
}

function copied(media: MediaDescription, track: VideoTrack, times: FilmTimes): VideoRendition {
  const bitrateBps = bitrateOf(media, track)
  return {
    key: `v${track.stream}-copy`,
    name: 'original',
    method: 'remux',
    stream: track.stream,
    output: { type: 'copy-video', cadence: cadenceOf(media, track, times) },
    grid: copyGrid(times.keyframesMs, media.durationMs, times.videoEndMs),
    bitrateBps,
    peakBitrateBps: Math.round(bitrateBps * PEAK_OF_AVERAGE),
    codec: probedH264Codec(track.profile, track.level),
    ...displaySize(track),
    frameRate: track.frameRate,
    videoRange: rangeOf(track),
  }
}

interface Made {
  /** There is no copy beside it. */
  readonly isAlone: boolean
  readonly times: FilmTimes | undefined
}

function transcoded(media: MediaDescription, track: VideoTrack, { isAlone, times }: Made): VideoRendition {
  const range = rangeOf(track)
  const purpose = range === 'SDR' ? 'alone' : 'tone-mapped'
  const { name, width, height, bitrateBps, maxBitrateBps } = rungFor(track, isAlone ? purpose : 'beside-copy')
  const framesPerSecond = track.frameRate !== null && track.frameRate < LEAST_FRAME_RATE ? FIXED_FRAME_RATE : null
  const frameRate = framesPerSecond ?? track.frameRate
  const level = h264Level(width, height, frameRate ?? 60)
  const grid = evenGrid(media.durationMs, times?.videoEndMs)
  return {
    key: `v${track.stream}-x264-${width}x${height}-${maxBitrateBps / 1000}k-${EVEN_STEP_MS}x${segmentCount(grid)}`,
    name,
    method: 'transcode',
    stream: track.stream,
    output: {
      type: 'encode-video',
      encoder: 'x264',
      width,
      height,
      maxBitrateBps,
      level,
      deinterlace: track.interlaced,
      toneMap: range === 'SDR' ? null : range === 'PQ' ? 'pq' : 'hlg',
      framesPerSecond,
      cadence: framesPerSecond === null ? cadenceOf(media, track, times) : { numerator: framesPerSecond, denominator: 1, startMs: null },
    },
    grid,
    bitrateBps,
    peakBitrateBps: maxBitrateBps,
    codec: highProfileCodec(level),
    width,
    height,
    frameRate,
    videoRange: 'SDR',
  }
}

function bitrateOf(media: MediaDescription, track: VideoTrack): number {
  const sound = media.audio.reduce((sum, one) => sum + (one.bitrateBps ?? 0), 0)
  return Math.max(1, track.bitrateBps ?? (media.bitrateBps ?? 0) - sound)
}

function rangeOf(track: VideoTrack): 'SDR' | 'PQ' | 'HLG' {
  if (track.colorTransfer === 'smpte2084') return 'PQ'
  return track.colorTransfer === 'arib-std-b67' ? 'HLG' : 'SDR'
}

function defaultAudio(tracks: readonly AudioTrack[]): number {
  return Math.max(
    0,
    tracks.findIndex((track) => track.default),
  )
}
