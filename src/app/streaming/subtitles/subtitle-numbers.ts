/**
 * Numbers subtitles for URLs: tracks in the film in stream order, including bitmaps, then the files beside it. A file that a later scan
 * finds gets the next number, so that no number changes its meaning under a player.
 */
import type { SubtitleTrack } from '../../../vocabulary/media-description.ts'
import { createLruCache } from '../../../concurrency/lru-cache.ts'

export interface NumberedFile {
  readonly fileId: string
  readonly fingerprint: string
  readonly media: { readonly subtitles: readonly SubtitleTrack[] }
  readonly sidecars: readonly SubtitleTrack[]
}

/** Existing tracks by number. */
export type NumberSubtitles = (mediaFile: NumberedFile) => ReadonlyMap<number, SubtitleTrack>

const KEPT_FILMS = 1024
/** The highest number of a URL. */
const MOST_TRACKS = 1000

export function createSubtitleNumbers(): NumberSubtitles {
  const kept = createLruCache<readonly string[]>(KEPT_FILMS)
  return ({ fileId, fingerprint, media, sidecars }) => {
    const tracks = new Map([...media.subtitles, ...sidecars].map((track) => [keyOf(track), track]))
    const mediaFile = `${fileId}/${fingerprint}`
    const before = kept.get(mediaFile) ?? []
    const keys = [...before, ...[...tracks.keys()].filter((key) => !before.includes(key))].slice(0, MOST_TRACKS)
    if (keys.length > 0) kept.put(mediaFile, keys)
    return new Map(
      keys.flatMap((key, number) => {
        const track = tracks.get(key)
        return track ? [[number, track] as const] : []
      }),
    )
  }
}

const keyOf = ({ stream, path }: SubtitleTrack): string => (path === null ? `stream ${stream}` : `file ${path}`)
