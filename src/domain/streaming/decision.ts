/**
 * Decision: the cheapest way in which a player can play a film, and what stands in the way of those that were cheaper. Made once,
 * when a session starts.
 */
import type { ClientCapabilities } from '../../vocabulary/client-capabilities.ts'
import type { AudioTrack, MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import type { FilmTimes } from './film-times.ts'
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

/**
 * Cheapest first: the file itself; picture and sound put into segments as they are; the picture as it is with sound made anew;
 * both made anew.
 */
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
  /** Why nothing cheaper was chosen; empty where the file itself is. */
  readonly reasons: readonly Obstacle[]
  /** The cheaper ways, cheapest first. */
  readonly rejected: readonly Rejected[]
}

export interface Candidates {
  readonly media: MediaDescription
  readonly picture: VideoTrack | undefined
  /** The track that plays unless the viewer chooses another. */
  readonly sound: AudioTrack | undefined
  readonly times: FilmTimes | undefined
  /** Undefined: the player has said nothing of itself. */
  readonly client: ClientCapabilities | undefined
  /** That sound is not as loud as in the film. */
  readonly isRaised?: boolean
  /** A subtitle is to be drawn into the picture. */
  readonly isBurntIn?: boolean
}

export function decide(candidates: Candidates): Decision {
  const { media, picture, sound, times, client = EVERY_PLAYER, isRaised = false, isBurntIn = false } = candidates
  const burnt = isBurntIn ? (['subtitle-burnt-in'] as const) : []
  const video = picture ? [...videoObstacles(picture, client, videoBitrate(media, picture)), ...burnt] : (['no-video'] as const)
  const audio = sound ? [...audioObstacles(sound, client), ...(isRaised ? (['audio-gain'] as const) : [])] : []
  const groups = picture ? openGroupObstacles(picture, times, client) : []
  const copied = distinct([...(picture ? copyObstacles(media, picture, times) : []), ...video, ...groups])
  const soundCopied = distinct([...(sound ? audioCopyObstacles(media, sound, times) : []), ...audio])
  const ways: readonly Rejected[] = [
    { method: 'direct', reasons: distinct([...fileObstacles(candidates), ...video, ...audio]) },
    { method: 'remux', reasons: distinct([...copied, ...soundCopied]) },
    { method: 'transcode-audio', reasons: copied },
  ]
  const place = ways.findIndex(({ reasons }) => reasons.length === 0)
  const rejected = place < 0 ? ways : ways.slice(0, place)
  return { method: ways[place]?.method ?? 'transcode', reasons: distinct(rejected.flatMap(({ reasons }) => reasons)), rejected }
}

/** A player that has said nothing may take the file all the same: it is offered, but not counted on. */
function fileObstacles({ media, client }: Candidates): readonly Obstacle[] {
  if (!client) return ['client-unknown']
  const tooFast = client.maxBitrateBps !== null && (media.bitrateBps ?? 0) > client.maxBitrateBps
  return [
    ...(client.containers.includes(media.container) ? [] : (['container'] as const)),
    ...(tooFast ? (['client-bitrate'] as const) : []),
  ]
}

/** What of the film's rate is the picture's, where the file does not say; what is usual for its size, where it says nothing at all. */
export function videoBitrate(media: MediaDescription, track: VideoTrack): number {
  const sound = media.audio.reduce((sum, one) => sum + (one.bitrateBps ?? 0), 0)
  const told = track.bitrateBps ?? (media.bitrateBps ?? 0) - sound
  return told > 0 ? told : usualBitrate(track)
}

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)]
