/** View `movies`: one document a movie: what lists and details show, except what depends on the user. */
import type { FileId, MovieId } from '../src/events/id.ts'
import type { MediaDescription, SubtitleTrack } from '../src/events/media-description.ts'
import { resolutionOf } from '../src/events/resolution.ts'
import { searchWords, sortKey } from '../src/events/text.ts'
import { cardOf } from './movie-card.ts'
import { NOTHING_KNOWN, type MatchPin, type MovieDetails, type MovieDocument, type MovieFile } from './movie-document.ts'
import { factKeysOf, fileKeysOf, isPeopleKey, peopleKeysOf, primaryOf, shuffleKeyOf, talliesOf } from './movie-query-fields.ts'
import { operations, type Operation, type View } from './view.ts'

const NOBODY_SAID = { edits: null, pin: null, found: { title: '', year: null, externalIds: NOTHING_KNOWN.externalIds } }

const NOTHING_TO_FIND = {
  sortTitle: '',
  words: [],
  titleWords: 0,
  available: false,
  missing: true,
  year: null,
  releaseDate: null,
  rating: null,
  durationMs: null,
  sizeBytes: null,
  factKeys: [],
  fileKeys: [],
  tallies: [],
} as const

const { put, change } = operations<MovieDocument>()

export const movies: View<MovieDocument> = {
  name: 'movies',
  version: 2,
  fields: {
    libraryId: 'text',
    available: 'boolean',
    missing: 'boolean',
    sortTitle: 'text',
    year: 'number',
    releaseDate: 'text',
    addedAt: 'text',
    rating: 'number',
    durationMs: 'number',
    sizeBytes: 'number',
    shuffle: 'number',
    words: 'tokens',
    factKeys: 'list',
    fileKeys: 'list',
    tallies: 'tally',
    card: 'json',
  },
  indexes: [
    ['sortTitle'],
    ['year'],
    ['releaseDate'],
    ['addedAt'],
    ['rating'],
    ['durationMs'],
    ['sizeBytes'],
    ['shuffle'],
    ['missing'],
    ['libraryId', 'available'],
  ],
  derive: filed,
  handles: {
    MovieDiscovered: ({ data, at }) =>
      put(
        data.movieId,
        withCard({
          id: data.movieId,
          libraryId: data.libraryId,
          details: NOTHING_KNOWN,
          match: { source: 'name', confidence: 0, pinned: false },
          artwork: { poster: null, backdrop: null, logo: null },
          files: [],
          addedAt: at,
          updatedAt: at,
          ...NOBODY_SAID,
          ...NOTHING_TO_FIND,
          shuffle: shuffleKeyOf(data.movieId),
        }),
      ),
    MovieIdentified: ({ data, at }) => {
      const { cast, crew, ...details } = data.facts
      const { title, year, externalIds } = details
      return update(data.movieId, at, (movie) => {
        const people = { words: searchWords([...cast, ...crew].map(({ name }) => name)), keys: peopleKeysOf({ cast, crew }) }
        const match = movie.pin ? movie.match : { source: data.source, confidence: data.confidence, pinned: false }
        const said = { ...pinned(details, movie.pin), ...movie.edits }
        return described({ ...movie, match, found: { title, year, externalIds }, details: said }, people)
      })
    },
    MovieEdited: ({ data, at }) =>
      update(data.movieId, at, (movie) => {
        const edits = { ...movie.edits, ...data.changes }
        return described({ ...movie, edits, details: { ...movie.details, ...edits } }, peopleOf(movie))
      }),
    MovieMatchPinned: ({ data, at }) =>
      update(data.movieId, at, (movie) => {
        const { movieId: _, ...pin } = data
        const details = { ...pinned({ ...movie.details, ...movie.found }, pin), ...movie.edits }
        return described({ ...movie, pin, match: { source: 'manual', confidence: 1, pinned: true }, details }, peopleOf(movie))
      }),
    MovieArtworkChosen: ({ data, at }) => update(data.movieId, at, (movie) => ({ ...movie, artwork: data.artwork })),
    MovieFileAdded: ({ data, at }) =>
      update(data.movieId, at, (movie) => ({ ...movie, files: [...movie.files, unprobed(data.fileId, data)] })),
    MovieFileMoved: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, path: data.path, available: true })),
    MovieFileReplaced: ({ data, at }) => updateFile(data, at, () => unprobed(data.fileId, data)),
    MovieProbed: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, ...probed(data.media, data.sidecars) })),
    MovieFileMissing: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, available: false })),
    MovieFileReturned: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, available: true })),
  },
}

function update(id: MovieId, at: string, changed: (movie: MovieDocument) => MovieDocument): readonly Operation<MovieDocument>[] {
  return change(id, (movie) => ({ ...changed(movie), updatedAt: at }))
}

/** With what follows from its files, what is counted, and its card; without a file it counts neither as there nor as missing. */
function filed(movie: MovieDocument): MovieDocument {
  if (movie.files.length === 0) return withCard(movie)
  const available = movie.files.some((file) => file.available)
  const primary = primaryOf(movie.files)
  const next = {
    ...movie,
    available,
    missing: available ? null : true,
    durationMs: primary?.durationMs ?? null,
    sizeBytes: primary?.sizeBytes ?? null,
    fileKeys: fileKeysOf(movie),
  } as const
  return withCard({ ...next, tallies: talliesOf(next) })
}

const withCard = (movie: Omit<MovieDocument, 'card'>): MovieDocument => ({ ...movie, card: cardOf(movie) })

/** Words and keys of the people, who are in the view `credits`. */
interface People {
  readonly words: readonly string[]
  readonly keys: readonly string[]
}

const peopleOf = ({ words, titleWords, factKeys }: MovieDocument): People => ({
  words: words.slice(titleWords),
  keys: factKeys.filter(isPeopleKey),
})

/** With the query fields that follow from its details. */
function described(movie: MovieDocument, people: People): MovieDocument {
  const { details, match } = movie
  const { title, originalTitle, sortTitle, year, releaseDate, rating, externalIds } = details
  const words = searchWords([title, originalTitle])
  const matched = match.source !== 'name' || externalIds.tmdb !== null || externalIds.imdb !== null
  return {
    ...movie,
    year,
    releaseDate,
    rating,
    sortTitle: sortKey(sortTitle ?? title),
    words: [...words, ...people.words],
    titleWords: words.length,
    factKeys: factKeysOf(details, matched, people.keys),
  }
}

/** What was found, with what a pinned match says in its place; ids that were not pinned belong to another match. */
function pinned(details: MovieDetails, pin: MatchPin | null): MovieDetails {
  if (!pin) return details
  const { tmdb, imdb, title, year } = pin
  return {
    ...details,
    ...(title === null ? {} : { title, year }),
    ...(tmdb === null && imdb === null ? {} : { externalIds: { tmdb, imdb } }),
  }
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
  videoCodec: null,
  audioCodecs: [],
  audioLanguages: [],
  subtitleLanguages: [],
})

function probed(media: MediaDescription, sidecars: readonly SubtitleTrack[]): Partial<MovieFile> {
  const [video] = media.video
  return {
    container: media.container,
    durationMs: media.durationMs,
    resolution: video ? resolutionOf(video.width, video.height) : null,
    hdr: video?.hdr ?? null,
    videoCodec: video?.codec ?? null,
    audioCodecs: [...new Set(media.audio.map(({ codec }) => codec))],
    audioLanguages: languagesOf(media.audio),
    subtitleLanguages: languagesOf([...media.subtitles, ...sidecars]),
  }
}

const languagesOf = (tracks: readonly { readonly language: string | null }[]) => [
  ...new Set(tracks.flatMap(({ language }) => (language === null ? [] : [language]))),
]
