/** View `movies`: one document a movie: what lists and details show, except what depends on the user. */
import type { Artwork, ArtworkKind, MovieFacts } from '../src/events/catalogue.ts'
import type { FileId, LibraryId, MovieId } from '../src/events/id.ts'
import type { MediaDescription, SubtitleTrack } from '../src/events/media-description.ts'
import { resolutionOf, type Resolution } from '../src/events/resolution.ts'
import { searchWords, sortKey } from '../src/events/text.ts'
import { operations, type Operation, type View } from './view.ts'

export interface MovieFile {
  readonly id: FileId
  readonly path: string
  readonly sizeBytes: number
  readonly available: boolean
  /** Null until it has been probed. */
  readonly container: string | null
  readonly durationMs: number | null
  readonly resolution: Resolution | null
  readonly hdr: string | null
  readonly audioLanguages: readonly string[]
  readonly subtitleLanguages: readonly string[]
}

/** What a film is called and said to be; `cast` and `crew` are in the view `credits`. */
export type MovieDetails = Omit<MovieFacts, 'cast' | 'crew'>

export interface MovieDocument {
  readonly id: MovieId
  readonly libraryId: LibraryId
  readonly details: MovieDetails
  readonly match: { readonly source: string; readonly confidence: number; readonly pinned: boolean }
  readonly artwork: Readonly<Record<ArtworkKind, Artwork | null>>
  /** The first one that is there is the primary file. */
  readonly files: readonly MovieFile[]
  readonly addedAt: string
  readonly updatedAt: string
  // What queries use:
  readonly sortTitle: string
  readonly words: readonly string[]
  readonly available: boolean
}

const NOTHING_KNOWN: MovieDetails = {
  title: '',
  originalTitle: null,
  sortTitle: null,
  year: null,
  releaseDate: null,
  overview: null,
  tagline: null,
  contentRating: null,
  rating: null,
  genres: [],
  tags: [],
  countries: [],
  studios: [],
  languages: [],
  collection: null,
  externalIds: { tmdb: null, imdb: null },
}

const { put, change } = operations<MovieDocument>()

export const movies: View<MovieDocument> = {
  name: 'movies',
  version: 1,
  fields: { libraryId: 'text', sortTitle: 'text', addedAt: 'text', words: 'tokens', available: 'boolean' },
  indexes: [['sortTitle'], ['addedAt'], ['libraryId', 'available']],
  handles: {
    MovieDiscovered: ({ data, at }) =>
      put(data.movieId, {
        id: data.movieId,
        libraryId: data.libraryId,
        details: NOTHING_KNOWN,
        match: { source: 'name', confidence: 0, pinned: false },
        artwork: { poster: null, backdrop: null, logo: null },
        files: [],
        addedAt: at,
        updatedAt: at,
        sortTitle: '',
        words: [],
        available: false,
      }),
    MovieIdentified: ({ data, at }) => {
      const { cast, crew, ...details } = data.facts
      return update(data.movieId, at, (movie) => ({
        ...movie,
        details,
        match: { source: data.source, confidence: data.confidence, pinned: false },
        sortTitle: sortKey(details.sortTitle ?? details.title),
        words: searchWords([details.title, details.originalTitle, ...[...cast, ...crew].map(({ name }) => name)]),
      }))
    },
    MovieArtworkChosen: ({ data, at }) => update(data.movieId, at, (movie) => ({ ...movie, artwork: data.artwork })),
    MovieFileAdded: ({ data, at }) =>
      update(data.movieId, at, (movie) => ({ ...movie, files: [...movie.files, unprobed(data.fileId, data)] })),
    MovieFileMoved: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, path: data.path, available: true })),
    MovieFileReplaced: ({ data, at }) => updateFile(data, at, () => unprobed(data.fileId, data)),
    MovieProbed: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, ...described(data.media, data.sidecars) })),
    MovieFileMissing: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, available: false })),
    MovieFileReturned: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, available: true })),
  },
}

function update(id: MovieId, at: string, changed: (movie: MovieDocument) => MovieDocument): readonly Operation<MovieDocument>[] {
  return change(id, (movie) => {
    const next = changed(movie)
    return { ...next, updatedAt: at, available: next.files.some((file) => file.available) }
  })
}

function updateFile(key: { readonly movieId: MovieId; readonly fileId: FileId }, at: string, changed: (file: MovieFile) => MovieFile) {
  return update(key.movieId, at, (movie) => ({
    ...movie,
    files: movie.files.map((file) => (file.id === key.fileId ? changed(file) : file)),
  }))
}

const unprobed = (id: FileId, file: { readonly path: string; readonly stamp: { readonly sizeBytes: number } }): MovieFile => ({
  id,
  path: file.path,
  sizeBytes: file.stamp.sizeBytes,
  available: true,
  container: null,
  durationMs: null,
  resolution: null,
  hdr: null,
  audioLanguages: [],
  subtitleLanguages: [],
})

function described(media: MediaDescription, sidecars: readonly SubtitleTrack[]): Partial<MovieFile> {
  const [video] = media.video
  return {
    container: media.container,
    durationMs: media.durationMs,
    resolution: video ? resolutionOf(video.width, video.height) : null,
    hdr: video?.hdr ?? null,
    audioLanguages: languagesOf(media.audio),
    subtitleLanguages: languagesOf([...media.subtitles, ...sidecars]),
  }
}

const languagesOf = (tracks: readonly { readonly language: string | null }[]) => [
  ...new Set(tracks.flatMap(({ language }) => (language === null ? [] : [language]))),
]
