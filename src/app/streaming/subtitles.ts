/** Subtitles of a film as HLS and as a whole: files beside the film, whatever their form and encoding, read once and kept a while. */
import type { SubtitleTrack } from '../../events/media-description.ts'
import { pieceCount, subtitlePiece } from '../../domain/streaming/subtitle-pieces.ts'
import { subtitlePlaylist, type SubtitleEntry } from '../../domain/streaming/playlist.ts'
import type { Cue } from '../../domain/subtitle-cues.ts'
import { decodeSubtitle } from '../../domain/subtitle-encoding.ts'
import { readCues, writeWebVtt, type SubtitleFormat } from '../../domain/subtitle-text.ts'
import type { Media } from '../../ports/media.ts'

/** Indexes are places in the source's list of side files. */
export interface Subtitles {
  entries(tracks: readonly SubtitleTrack[]): readonly SubtitleEntry[]
  playlist(source: SubtitleSource, index: number, token: string): string | undefined
  /** WebVTT; undefined where there is no such subtitle, or its file cannot be read. */
  whole(source: SubtitleSource, index: number): Promise<string | undefined>
  piece(source: SubtitleSource, index: number, piece: number): Promise<string | undefined>
}

export interface SubtitleSource {
  readonly fileId: string
  readonly durationMs: number
  readonly tracks: readonly SubtitleTrack[]
}

const FORMATS = new Map<string, SubtitleFormat>([
  ['subrip', 'subrip'],
  ['webvtt', 'webvtt'],
  ['ass', 'ass'],
  ['ssa', 'ass'],
])
const MAX_FILE_BYTES = 10 * 1024 * 1024
const KEPT_FILES = 32

export function createSubtitles(media: Media): Subtitles {
  const kept = new Map<string, Promise<readonly Cue[] | undefined>>()

  function cuesOf({ fileId, tracks }: SubtitleSource, index: number): Promise<readonly Cue[] | undefined> {
    const track = tracks[index]
    const format = track && FORMATS.get(track.codec)
    if (!track?.path || !format) return Promise.resolve(undefined)
    const key = `${fileId}/${track.path}`
    const cues = kept.get(key) ?? read(media, track.path, { format, language: track.language })
    kept.delete(key)
    kept.set(key, cues)
    if (kept.size > KEPT_FILES) kept.delete(kept.keys().next().value ?? '')
    return cues
  }

  return {
    entries: (tracks) =>
      tracks.flatMap(({ path, codec, language, title, forced, ...track }, index) =>
        path !== null && FORMATS.has(codec) ? [{ index, language, title, forced, default: track.default }] : [],
      ),
    playlist(source, index, token) {
      const track = source.tracks[index]
      return track?.path && FORMATS.has(track.codec) ? subtitlePlaylist(index, source.durationMs, token) : undefined
    },
    async whole(source, index) {
      const cues = await cuesOf(source, index)
      return cues && writeWebVtt(cues)
    },
    async piece(source, index, piece) {
      if (piece >= pieceCount(source.durationMs)) return undefined
      const cues = await cuesOf(source, index)
      return cues && subtitlePiece(cues, piece)
    },
  }
}

interface Form {
  readonly format: SubtitleFormat
  readonly language: string | null
}

async function read(media: Media, path: string, { format, language }: Form): Promise<readonly Cue[] | undefined> {
  const bytes = await media.readSmall(path, MAX_FILE_BYTES)
  return bytes && readCues(decodeSubtitle(bytes, language), format)
}
