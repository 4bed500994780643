/** What an `.nfo` and ffprobe might say of a film; tests name only what matters to them. */
import type { MovieFacts } from '../src/events/movie-events.ts'
import type { MediaDescription } from '../src/vocabulary/media-description.ts'

export function factsOf(title: string, year: number | null, more: Partial<MovieFacts> = {}): MovieFacts {
  const nothing = {
    originalTitle: null,
    sortTitle: null,
    releaseDate: null,
    overview: null,
    tagline: null,
    contentRating: null,
    rating: null,
  }
  const none = { genres: [], tags: [], countries: [], studios: [], languages: [], collection: null, cast: [], crew: [] }
  return { title, year, ...nothing, ...none, externalIds: { tmdb: null, imdb: null }, ...more }
}

export function mediaOf(durationMs: number, more: Partial<MediaDescription> = {}): MediaDescription {
  return { container: 'matroska', durationMs, startMs: 0, bitrateBps: null, video: [], audio: [], subtitles: [], chapters: [], ...more }
}

export function videoOf(width: number, height: number): MediaDescription['video'][number] {
  const coding = {
    codec: 'h264',
    profile: 'High',
    level: 41,
    pixelFormat: 'yuv420p',
    bitDepth: 8,
    interlaced: false,
    bitrateBps: 8_000_000,
  }
  const shape = { width, height, rotation: 0, sampleAspect: '1:1', frameRate: 24, frameRateFraction: '24/1' }
  return { stream: 0, ...coding, ...shape, hdr: null, colorTransfer: null, colorPrimaries: null, colorSpace: null }
}

export function audioOf(language: string | null): MediaDescription['audio'][number] {
  const sound = { codec: 'aac', profile: 'LC', channels: 2, channelLayout: 'stereo', sampleRate: 48_000, bitrateBps: 192_000 }
  return { stream: 1, ...sound, language, title: null, default: true }
}

export function subtitlesOf(language: string | null, path: string | null = null): MediaDescription['subtitles'][number] {
  return {
    stream: path === null ? 2 : null,
    path,
    codec: 'subrip',
    language,
    title: null,
    forced: false,
    default: false,
    hearingImpaired: false,
  }
}
