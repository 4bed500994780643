/** Decides what can be copied from a film into fragmented MP4, independent of the player. */
import type { ClientCapabilities } from '../../vocabulary/client-capabilities.ts'
import type { AudioTrack, MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import type { MediaTimes } from './media-times.ts'
import { needsEnhancement } from './dolby-vision.ts'

/** Obstacles to copying video that the player itself would support. */
export type CopyObstacle = 'container' | 'video-codec' | 'video-edited' | 'no-index' | 'keyframes-too-far'
/** Obstacle to a copy for a player that may be a browser. */
export type GroupObstacle = 'video-open-groups'
/** Obstacles to copying audio. */
export type AudioCopyObstacle = 'container' | 'audio-codec' | 'audio-profile' | 'audio-layout' | 'audio-edited' | 'audio-late'

const CONTAINERS = new Set(['mp4', 'mov', 'm4v', 'matroska', 'webm', 'mpegts'])
const VIDEO_CODECS = new Set(['h264', 'hevc', 'av1', 'vp9'])
const TIMELESS_BEFORE_ZERO = new Set(['matroska', 'webm'])
/** Matroska's times are rounded to a millisecond. */
const ONE_TIME_MS = 1
const MAX_KEYFRAME_DISTANCE_MS = 30_000
/** Audio that starts later than this needs silence before it, in frames of its own length. */
const LATE_MS = 100

export interface CopiedAudioForm {
  /** Samples of one codec frame at the track's rate; null if only the track's configuration or each frame states it. */
  readonly frameSamples: number | null
  readonly codec: string
  /** Frames of any length can follow each other. */
  readonly isVariable?: boolean
}

/** AAC object types, at the rate that ffprobe reports (SBR doubles its frames). */
const AAC_FORMS: Readonly<Record<string, CopiedAudioForm>> = {
  LC: { frameSamples: 1024, codec: 'mp4a.40.2' },
  'HE-AAC': { frameSamples: 2048, codec: 'mp4a.40.5' },
}
const AUDIO_FORMS: Readonly<Record<string, CopiedAudioForm>> = {
  ac3: { frameSamples: 1536, codec: 'ac-3' },
  eac3: { frameSamples: 1536, codec: 'ec-3' },
  opus: { frameSamples: null, codec: 'Opus', isVariable: true },
  flac: { frameSamples: null, codec: 'fLaC' },
}

/** The film times that matter for its audio. */
export type AudioTimes = Pick<MediaTimes, 'audioStartMs' | 'isSpliced'>

/** Empty if the film's video can be cut at its keyframes and copied. */
export function copyObstacles(media: MediaDescription, track: VideoTrack, times: MediaTimes | undefined): readonly CopyObstacle[] {
  const found: [boolean, CopyObstacle][] = [
    [!CONTAINERS.has(media.container), 'container'],
    // For AV1 without a base layer ffmpeg writes no sample entry that declares it.
    [!VIDEO_CODECS.has(track.codec) || (track.codec !== 'hevc' && needsEnhancement(track)), 'video-codec'],
    // Frames that are decoded but not shown at the start cannot be expressed without an edit list.
    [times !== undefined && hidesFrames(media, times), 'video-edited'],
    [!times || times.keyframesMs.length === 0, 'no-index'],
    [times !== undefined && greatestDistance(times, media.durationMs) > MAX_KEYFRAME_DISTANCE_MS, 'keyframes-too-far'],
  ]
  return found.filter(([holds]) => holds).map(([, obstacle]) => obstacle)
}

const hidesFrames = (media: MediaDescription, times: MediaTimes): boolean =>
  times.isSpliced === true || times.keyframesMs.some((atMs) => atMs < 0) || beginsBeforeZero(media, times)

/**
 * Matroska video from before the container's time 0. ffmpeg reads those frames without times, which its MP4 muxer cannot write. The first
 * keyframe is one of them: frames with times are left that are shown before the first keyframe that has one, and are not its leading frames.
 */
export function beginsBeforeZero({ container }: MediaDescription, { keyframesMs, keyframeLeadsMs, videoStartMs }: MediaTimes): boolean {
  const [firstMs = videoStartMs] = keyframesMs
  return TIMELESS_BEFORE_ZERO.has(container) && firstMs - (keyframeLeadsMs?.[0] ?? 0) > videoStartMs + ONE_TIME_MS
}

/** Containers that no browser opens: a player that supports one has a native decoder. */
const NATIVE_CONTAINERS = new Set(['mpegts', 'mpeg', 'avi', 'asf'])

/**
 * H.264 whose keyframes are not all closed. After a seek Chromium starts at any recovery point, and its software decoder fails permanently
 * at the first frame that refers to an earlier one. Gradual refresh is not even buffered. Only a player whose containers show that it is
 * no browser gets such a copy.
 */
export function openGroupObstacles(
  { codec }: VideoTrack,
  times: MediaTimes | undefined,
  { containers }: ClientCapabilities,
): readonly GroupObstacle[] {
  const isOpen = codec === 'h264' && (times?.keyframeKinds?.some((kind) => kind !== 'closed') ?? false)
  return isOpen && !containers.some((one) => NATIVE_CONTAINERS.has(one)) ? ['video-open-groups'] : []
}

/** Between two keyframes, before the first and after the last: the last frame stays until the end of the film. */
function greatestDistance({ keyframesMs, videoEndMs }: MediaTimes, durationMs: number): number {
  const endMs = Math.max(videoEndMs, durationMs)
  const [firstMs = 0] = keyframesMs
  return keyframesMs.reduce((most, atMs, index) => Math.max(most, (keyframesMs[index + 1] ?? endMs) - atMs), firstMs)
}

export function copiedAudioForm({ codec, profile }: AudioTrack): CopiedAudioForm | undefined {
  return codec === 'aac' ? AAC_FORMS[profile ?? ''] : AUDIO_FORMS[codec]
}

/** Transport streams may describe their channels inside the audio, where MP4 cannot express it. */
function hasOwnLayout({ container }: MediaDescription, { codec, channels, channelLayout }: AudioTrack): boolean {
  return container === 'mpegts' && codec === 'aac' && channels > 2 && channelLayout !== '5.1'
}

function mayFollowSilence(track: AudioTrack): boolean {
  const form = copiedAudioForm(track)
  return form !== undefined && (form.frameSamples !== null || form.isVariable === true)
}

export function audioCopyObstacles(
  media: MediaDescription,
  track: AudioTrack,
  times: AudioTimes | undefined,
): readonly AudioCopyObstacle[] {
  if (!CONTAINERS.has(media.container)) return ['container']
  if (!copiedAudioForm(track)) return [track.codec === 'aac' ? 'audio-profile' : 'audio-codec']
  if (hasOwnLayout(media, track)) return ['audio-layout']
  if (times?.isSpliced) return ['audio-edited']
  return (times?.audioStartMs ?? 0) > LATE_MS && !mayFollowSilence(track) ? ['audio-late'] : []
}
