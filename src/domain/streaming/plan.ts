/**
 * Plan: the renditions that a film offers to a player, and the reasons. One pure decision, made when a session starts; playlists and
 * segments only read it.
 */
import type { ClientCapabilities } from '../../vocabulary/client-capabilities.ts'
import type { AudioTrack, MediaDescription } from '../../vocabulary/media-description.ts'
import type { MediaPart } from '../../vocabulary/media-part.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { StreamOptions } from '../../vocabulary/stream-options.ts'
import { audioRenditions, mainAudio } from './audio-plan.ts'
import type { BurntSubtitle } from './burn-in.ts'
import type { MediaTimes } from './media-times.ts'
import { EVERY_PLAYER, videoObstacles } from './player-capabilities.ts'
import { beginsBeforeZero, copyObstacles, openGroupObstacles } from './stream-copy.ts'
import { decide, videoBitrate, type Decision } from './decision.ts'
import { landingsOf } from './landings.ts'
import { withDolbyVision } from './dolby-vision.ts'
import { SOFTWARE } from './encoders.ts'
import { isInterlaced } from './interlacing.ts'
import { targetSeconds } from './segment-grid.ts'
import type { AudioRendition, VideoRendition } from './rendition.ts'
import { seekBehaviourOf, type SeekBehaviour } from './seek-behaviour.ts'
import { videoRenditions } from './video-plan.ts'

export interface StreamPlan {
  readonly decision: Decision
  readonly durationMs: number
  /** Zero of the output timeline as a timestamp of the file. */
  readonly zeroMs: number
  /** Stretches of the file that are read as one film; missing if one clock runs through it. */
  readonly parts?: readonly MediaPart[]
  readonly seeking: SeekBehaviour
  /** Keyframes of the video on the output timeline; empty if unknown. */
  readonly keyframesMs: readonly number[]
  /** Those from which a run can start to read; see `landings.ts`. */
  readonly landingsMs: readonly number[]
  /** Up to this time on the output timeline runs read from the start of the file. */
  readonly seekableFromMs: number
  /** How much later than the target of a seek ffmpeg may land. */
  readonly landsLateMs: number
  /** Frames cannot be deinterlaced without those before. */
  readonly isInterlaced: boolean
  readonly targetSeconds: number
  /** The default one first, then best first. */
  readonly video: readonly VideoRendition[]
  /** Track by track, best form first. */
  readonly audio: readonly AudioRendition[]
}

/** Stream options, with the number of the burnt-in subtitle resolved. */
export interface PlanOptions extends Omit<StreamOptions, 'burnIn'> {
  readonly burnt?: BurntSubtitle | undefined
  /** Of a film without an index, whose parts are known nevertheless. */
  readonly parts?: readonly MediaPart[] | undefined
}

export function planStreams(probed: MediaDescription, times: MediaTimes | undefined, options: PlanOptions = {}): StreamPlan {
  const media = withDolbyVision(probed, times)
  const track = media.video[0]
  const { capabilities: client, audioIndex, audioGain = [], encoder = SOFTWARE, toneMapping, burnt } = options
  const player = client ?? EVERY_PLAYER
  const parts = times ? times.parts : options.parts
  const main = mainAudio(media.audio, audioIndex)
  const audioTrack = media.audio[main]
  const gainOf = (one: AudioTrack) => audioGain.find(({ stream }) => stream === one.stream)
  const isRaised = audioTrack !== undefined && gainOf(audioTrack) !== undefined
  const decision = decide({ media, videoTrack: track, audioTrack, times, parts, client, isRaised, isBurntIn: burnt !== undefined })
  const copies = track !== undefined && burnt === undefined && isCopied(media, times, player)
  const video = track ? videoRenditions({ media, track, times, client: player, encoder, toneMapping, copies, burnt }) : []
  const audio = media.audio.flatMap((one, index) =>
    audioRenditions({ media, track: one, index, default: index === main, times, client: player, gain: gainOf(one) }),
  )
  return {
    decision,
    durationMs: media.durationMs,
    zeroMs: times?.zeroMs ?? media.startMs,
    ...omitUndefined({ parts }),
    seeking: seekBehaviourOf(media),
    keyframesMs: times?.keyframesMs ?? [],
    landingsMs: landingsOf(times),
    // A seek to an earlier time would land on the first keyframe that has a time.
    seekableFromMs: times && beginsBeforeZero(media, times) ? (times.keyframesMs[0] ?? Infinity) : 0,
    landsLateMs: times?.landsLateMs ?? 0,
    isInterlaced: track !== undefined && isInterlaced(track),
    targetSeconds: targetSeconds([...video, ...audio].map((one) => one.grid)),
    video,
    audio,
  }
}

/** Separate from the decision: a player that gets the file itself may still request segments. */
function isCopied(media: MediaDescription, times: MediaTimes | undefined, client: ClientCapabilities): boolean {
  const track = media.video[0]
  if (!track || copyObstacles(media, track, times).length > 0) return false
  return [...videoObstacles(track, client, videoBitrate(media, track)), ...openGroupObstacles(track, times, client)].length === 0
}
