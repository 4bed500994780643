/**
 * Decides the cheapest way in which a player can play a film, and lists the obstacles to the cheaper ones. Made once, when a session
 * starts.
 */
import type { ClientCapabilities } from '../../vocabulary/client-capabilities.ts'
import type { AudioTrack, MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import type { MediaPart } from '../../vocabulary/media-part.ts'
import type { MediaTimes } from './media-times.ts'
import { audioObstacles, EVERY_PLAYER, videoObstacles, type AudioObstacle, type VideoObstacle } from './player-capabilities.ts'
import { usualBitrate } from './ladder.ts'
import {
  copyObstacles,
  audioCopyObstacles,
  openGroupObstacles,
  type CopyObstacle,
  type AudioCopyObstacle,
  type GroupObstacle,
} from './stream-copy.ts'

/** Cheapest first: the file itself; video and audio copied into segments; the video copied and the audio encoded; both encoded. */
export const METHODS = ['direct', 'remux', 'transcode-audio', 'transcode'] as const
export type Method = (typeof METHODS)[number]

export type Obstacle =
  | 'client-unknown'
  | 'no-video'
  | CopyObstacle
  | GroupObstacle
  | VideoObstacle
  | AudioCopyObstacle
  | AudioObstacle
  | 'audio-gain'
  | 'subtitle-burnt-in'

export interface Rejected {
  readonly method: Method
  readonly reasons: readonly Obstacle[]
}

export interface Decision {
  readonly method: Method
  /** Why no cheaper method was chosen; empty if the method is the file itself. */
  readonly reasons: readonly Obstacle[]
  /** The cheaper methods, cheapest first. */
  readonly rejected: readonly Rejected[]
}

export interface Candidates {
  readonly media: MediaDescription
  readonly videoTrack: VideoTrack | undefined
  /** The track that plays by default. */
  readonly audioTrack: AudioTrack | undefined
  readonly times: MediaTimes | undefined
  /** Undefined: one clock runs through the film. */
  readonly parts?: readonly MediaPart[] | undefined
  /** Undefined: the player has not described itself. */
  readonly client: ClientCapabilities | undefined
  /** The audio is made louder or quieter. */
  readonly isRaised?: boolean
  /** A subtitle is burnt into the video. */
  readonly isBurntIn?: boolean
}

export function decide(candidates: Candidates): Decision {
  const { media, videoTrack, audioTrack, times, client = EVERY_PLAYER, isRaised = false, isBurntIn = false } = candidates
  const burnt = isBurntIn ? (['subtitle-burnt-in'] as const) : []
  const video = videoTrack ? [...videoObstacles(videoTrack, client, videoBitrate(media, videoTrack)), ...burnt] : (['no-video'] as const)
  const audio = audioTrack ? [...audioObstacles(audioTrack, client), ...(isRaised ? (['audio-gain'] as const) : [])] : []
  const groups = videoTrack ? openGroupObstacles(videoTrack, times, client) : []
  const copied = distinct([...(videoTrack ? copyObstacles(media, videoTrack, times) : []), ...video, ...groups])
  const audioCopied = distinct([...(audioTrack ? audioCopyObstacles(media, audioTrack, times) : []), ...audio])
  const ways: readonly Rejected[] = [
    { method: 'direct', reasons: distinct([...fileObstacles(candidates), ...video, ...audio]) },
    { method: 'remux', reasons: distinct([...copied, ...audioCopied]) },
    { method: 'transcode-audio', reasons: copied },
  ]
  const place = ways.findIndex(({ reasons }) => reasons.length === 0)
  const rejected = place < 0 ? ways : ways.slice(0, place)
  return { method: ways[place]?.method ?? 'transcode', reasons: distinct(rejected.flatMap(({ reasons }) => reasons)), rejected }
}

/** A player that has not described itself may still play the file: the file is offered, but not relied on. */
function fileObstacles({ media, parts, client }: Candidates): readonly Obstacle[] {
  if (!client) return ['client-unknown']
  const tooFast = client.maxBitrateBps !== null && (media.bitrateBps ?? 0) > client.maxBitrateBps
  return [
    ...(client.containers.includes(media.container) ? [] : (['container'] as const)),
    ...(tooFast ? (['client-bitrate'] as const) : []),
    // Positions in the file are not those of the film.
    ...(parts ? (['video-edited'] as const) : []),
  ]
}

/**
 * The video's share of the film's bit rate, if the file does not state it; the usual rate for its size, if the file states no rate at
 * all.
 */
export function videoBitrate(media: MediaDescription, track: VideoTrack): number {
  const audioBps = media.audio.reduce((sum, one) => sum + (one.bitrateBps ?? 0), 0)
  const known = track.bitrateBps ?? (media.bitrateBps ?? 0) - audioBps
  return known > 0 ? known : usualBitrate(track)
}

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)]
