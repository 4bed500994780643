/** Decides whether a player can play a track unchanged, by its description of itself. */
import type { ClientCapabilities, HdrKind, VideoCapability } from '../../vocabulary/client-capabilities.ts'
import type { AudioTrack, VideoTrack } from '../../vocabulary/media-description.ts'
import { baseLayerOf, needsEnhancement } from './dolby-vision.ts'
import { shortSide } from './ladder.ts'
import { rangeOf, type VideoRange } from './video-range.ts'

/** Assumed for players that have not described themselves: what every player supports. */
export const EVERY_PLAYER: ClientCapabilities = {
  containers: [],
  video: [{ codec: 'h264', profile: null, level: null, bitDepth: 8, hdr: [] }],
  audio: [{ codec: 'aac', maxChannels: 2 }],
  maxHeight: null,
  maxBitrateBps: null,
}

/** As sent by the player; for a missing member, what every player supports is assumed. */
export interface DeclaredCapabilities {
  readonly containers?: readonly string[]
  readonly video?: readonly ToldVideo[]
  readonly audio?: readonly { readonly codec: string; readonly maxChannels?: number }[]
  readonly maxHeight?: number | null
  readonly maxBitrate?: number | null
}

interface ToldVideo {
  readonly codec: string
  readonly profile?: string | null
  readonly level?: number | null
  readonly bitDepth?: number
  readonly hdr?: readonly HdrKind[]
}

export function clientCapabilities(declared: DeclaredCapabilities): ClientCapabilities {
  const { containers, video, audio, maxHeight, maxBitrate } = declared
  return {
    containers: containers ?? EVERY_PLAYER.containers,
    video:
      video?.map(({ codec, profile = null, level = null, bitDepth = 8, hdr = [] }) => ({ codec, profile, level, bitDepth, hdr })) ??
      EVERY_PLAYER.video,
    audio: audio?.map(({ codec, maxChannels = 2 }) => ({ codec, maxChannels })) ?? EVERY_PLAYER.audio,
    maxHeight: maxHeight ?? null,
    maxBitrateBps: maxBitrate ?? null,
  }
}

export type VideoObstacle =
  | 'video-codec'
  | 'video-profile'
  | 'video-level'
  | 'video-bit-depth'
  | 'video-pixel-format'
  | 'video-interlaced'
  | 'video-hdr'
  /** Without a base layer as a substitute. */
  | 'video-dolby-vision'
  | 'client-height'
  | 'client-bitrate'
export type AudioObstacle = 'audio-codec' | 'audio-profile' | 'audio-channels'

/** Profiles that a decoder is assumed to have if it lists none. */
const USUAL_PROFILES: Readonly<Record<string, readonly string[]>> = {
  h264: ['Constrained Baseline', 'Baseline', 'Main', 'High', 'High 10'],
  hevc: ['Main', 'Main 10', 'Main Still Picture'],
  vp9: ['Profile 0', 'Profile 2'],
  av1: ['Main'],
}
/** ffprobe's units per level of the standard: 41 is 4.1 in H.264, 123 is 4.1 in HEVC. */
const LEVEL_UNITS: Readonly<Record<string, number>> = { h264: 10, hevc: 30 }
const DECODABLE_FORMATS = /^yuvj?420p(10le|12le)?$/

/** Empty if the player can play the video; else the obstacles of the closest decoder. */
export function videoObstacles(track: VideoTrack, client: ClientCapabilities, bitrateBps: number): readonly VideoObstacle[] {
  const decoders = client.video.filter(({ codec }) => codec === track.codec)
  const found = decoders.map((decoder) => decoderObstacles(track, decoder))
  const least = found.toSorted((a, b) => a.length - b.length)[0] ?? ['video-codec' as const]
  return [
    ...least,
    ...when(!DECODABLE_FORMATS.test(track.pixelFormat ?? ''), 'video-pixel-format'),
    ...when(track.interlaced, 'video-interlaced'),
    ...when(client.maxHeight !== null && shortSide(track) > client.maxHeight, 'client-height'),
    ...when(client.maxBitrateBps !== null && bitrateBps > client.maxBitrateBps, 'client-bitrate'),
  ]
}

function decoderObstacles(track: VideoTrack, decoder: VideoCapability): readonly VideoObstacle[] {
  const profiles = decoder.profile === null ? USUAL_PROFILES[track.codec] : [decoder.profile]
  const level = track.level !== null && track.level > 0 ? levelOf(track.codec, track.level) : 0
  const kinds = hdrKinds(track)
  return [
    ...when(profiles !== undefined && !profiles.some((one) => isSame(one, track.profile ?? '')), 'video-profile'),
    ...when(decoder.level !== null && level > decoder.level + 0.01, 'video-level'),
    ...when(track.bitDepth > decoder.bitDepth, 'video-bit-depth'),
    ...when(
      kinds.length > 0 && !decoder.hdr.some((one) => kinds.includes(one)),
      needsEnhancement(track) ? 'video-dolby-vision' : 'video-hdr',
    ),
  ]
}

/** Levels of AV1 are numbered: 0 is 2.0, 4 is 3.0, 13 is 5.1. */
function levelOf(codec: string, declared: number): number {
  return codec === 'av1' ? 2 + (declared >> 2) + (declared & 3) / 10 : declared / (LEVEL_UNITS[codec] ?? 10)
}

/** Any one of these is enough; empty for video that every screen shows. */
function hdrKinds(track: VideoTrack): readonly HdrKind[] {
  const base = baseLayerOf(track)
  if (base === 'none' || (track.hdr === 'dolby-vision' && !base)) return ['dolby-vision']
  const kinds = BY_RANGE[rangeOf(track)]
  return base && kinds.length > 0 ? [...kinds, 'dolby-vision'] : kinds
}

const BY_RANGE: Readonly<Record<VideoRange, readonly HdrKind[]>> = { SDR: [], PQ: ['hdr10'], HLG: ['hlg'] }

export function audioObstacles(track: AudioTrack, client: ClientCapabilities): readonly AudioObstacle[] {
  const decoders = client.audio.filter(({ codec }) => codec === track.codec)
  if (decoders.length === 0) return ['audio-codec']
  return when(!decoders.some(({ maxChannels }) => track.channels <= maxChannels), 'audio-channels')
}

/** The most AAC channels that the player supports. */
export function aacChannels(client: ClientCapabilities): number {
  return client.audio.reduce((most, { codec, maxChannels }) => (codec === 'aac' ? Math.max(most, maxChannels) : most), 2)
}

const when = <const Obstacle extends string>(holds: boolean, obstacle: Obstacle): readonly Obstacle[] => (holds ? [obstacle] : [])
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
