/** Descriptions of films for tests of plans. */
import type { AudioTrack, MediaDescription, VideoTrack } from '../../../src/vocabulary/media-description.ts'
import type { FilmTimes } from '../../../src/domain/streaming/cadence.ts'

export const video = (changes: Partial<VideoTrack> = {}): VideoTrack => ({
  stream: 0,
  codec: 'h264',
  profile: 'High',
  level: 40,
  width: 1920,
  height: 1080,
  rotation: 0,
  sampleAspect: '1:1',
  frameRate: 24,
  frameRateFraction: '24/1',
  pixelFormat: 'yuv420p',
  bitDepth: 8,
  interlaced: false,
  hdr: null,
  colorTransfer: 'bt709',
  colorPrimaries: 'bt709',
  colorSpace: 'bt709',
  bitrateBps: 8_000_000,
  ...changes,
})

export const audio = (changes: Partial<AudioTrack> = {}): AudioTrack => ({
  stream: 1,
  codec: 'aac',
  profile: 'LC',
  channels: 2,
  channelLayout: 'stereo',
  sampleRate: 48_000,
  language: 'en',
  title: null,
  default: true,
  bitrateBps: 128_000,
  ...changes,
})

export const film = (changes: Partial<MediaDescription> = {}): MediaDescription => ({
  container: 'mp4',
  durationMs: 60_000,
  startMs: 0,
  bitrateBps: 8_200_000,
  video: [video()],
  audio: [audio()],
  subtitles: [],
  chapters: [],
  ...changes,
})

export const times = (changes: Partial<FilmTimes> = {}): FilmTimes => ({
  zeroMs: 0,
  keyframesMs: Array.from({ length: 30 }, (_, index) => index * 2_000),
  videoStartMs: 0,
  audioStartMs: 0,
  videoEndMs: 60_000,
  ...changes,
})
