/** View `movies`: one document per movie, with everything that lists and details show, except user-dependent fields. */
import type { FileId, MovieId } from '../../src/vocabulary/id.ts'
import type { MovieFacts } from '../../src/events/movie-events.ts'
import type { MediaDescription, SubtitleTrack } from '../../src/vocabulary/media-description.ts'
import { resolutionOf } from '../../src/vocabulary/resolution.ts'
import { foundWords, sortKey } from '../../src/vocabulary/text.ts'
import { onlineArtworkOf } from './images.ts'
import { cardOf, type Cardless } from './movie-card.ts'
import {
  NOTHING_KNOWN,
  type FoundFacts,
  type MovieDetails,
  type MovieDocument,
  type MovieFile,
  type StoredFoundFacts,
} from './movie-document.ts'
import { foundOf, mergedDetails, mergedIds, mergedPeople } from './movie-facts.ts'
import { factKeysOf, fileKeysOf, peopleKeysOf, primaryOf, shuffleKeyOf, talliesOf } from './movie-query-fields.ts'
import { operations, type Operation, type View } from './view.ts'

const NOTHING_FOUND: StoredFoundFacts = { source: 'name', confidence: 0, details: null, people: { cast: [], crew: [] } }
const NOBODY_SAID = { edits: null, pin: null, found: NOTHING_FOUND, online: null }

const NO_IDS = NOTHING_KNOWN.externalIds

const NOTHING_TO_FIND = {
  sortTitle: '',
  words: [],
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
  version: 9,
  fields: {
    libraryId: 'text',
    available: 'boolean',
    missing: 'boolean',
    untinted: 'boolean',
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
    details: 'json',
    match: 'json',
    files: 'json',
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
    ['untinted'],
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
          tints: { poster: null, backdrop: null },
          files: [],
          addedAt: at,
          updatedAt: at,
          ...NOBODY_SAID,
          ...NOTHING_TO_FIND,
          shuffle: shuffleKeyOf(data.movieId),
        }),
      ),
    MovieIdentified: ({ data: { movieId, source, confidence, facts }, at }) =>
      update(movieId, at, (movie) => described({ ...movie, found: { source, confidence, ...partsOf(facts) } })),
    MovieMatchedOnline: ({ data: { movieId, provider, asked, confidence, language, facts, artwork, imageSalt }, at }) => {
      const online = { provider, asked, confidence, language, ...partsOf(facts), artwork: onlineArtworkOf(movieId, artwork, imageSalt) }
      return update(movieId, at, (movie) => described({ ...movie, online }))
    },
    MovieUnmatchedOnline: ({ data, at }) => update(data.movieId, at, (movie) => described({ ...movie, online: null })),
    MovieEdited: ({ data, at }) => update(data.movieId, at, (movie) => described({ ...movie, edits: { ...movie.edits, ...data.changes } })),
    MovieMatchPinned: ({ data: { movieId, ...pin }, at }) => update(movieId, at, (movie) => described({ ...movie, pin })),
    MovieArtworkChosen: ({ data, at }) => update(data.movieId, at, (movie) => ({ ...movie, artwork: data.artwork })),
    MovieImagesTinted: ({ data: { movieId, poster, backdrop }, at }) =>
      update(movieId, at, (movie) => ({
        ...movie,
        tints: { poster: poster ?? movie.tints.poster, backdrop: backdrop ?? movie.tints.backdrop },
      })),
    MovieFileAdded: ({ data, at }) =>
      update(data.movieId, at, (movie) => ({ ...movie, files: [...movie.files, unprobed(data.fileId, data)] })),
    MovieFileMoved: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, path: data.path, available: true })),
    MovieFileReplaced: ({ data, at }) => updateFile(data, at, () => unprobed(data.fileId, data)),
    MovieProbed: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, ...probed(data.media, data.sidecars) })),
    TrickplayMade: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, trickplay: data.fingerprint })),
    MovieFileMissing: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, available: false })),
    MovieFileReturned: ({ data, at }) => updateFile(data, at, (file) => ({ ...file, available: true })),
  },
}

function update(id: MovieId, at: string, changed: (movie: MovieDocument) => MovieDocument): readonly Operation<MovieDocument>[] {
  return change(id, (movie) => ({ ...changed(movie), updatedAt: at }))
}

/** Derives file fields, counts and the card. A movie without files counts neither as available nor as missing. */
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

function withCard(movie: Cardless): MovieDocument {
  const card = cardOf(movie)
  const { poster, backdrop, posterTint, backdropTint } = card
  const isTinted = (poster === null || posterTint !== null) && (backdrop === null || backdropTint !== null)
  return { ...movie, card, untinted: isTinted ? null : true }
}

function partsOf({ cast, crew, ...details }: MovieFacts): Pick<FoundFacts, 'details' | 'people'> {
  return { details, people: { cast: cast.map(({ name }) => name), crew: crew.map(({ name }) => name) } }
}

/** Derives details, match and query fields from all descriptive facts. */
function described(movie: MovieDocument): MovieDocument {
  const { online, edits } = movie
  const found = foundOf(movie)
  const unedited = pinned(movie, mergedDetails(found, online))
  const details = edits ? { ...unedited, ...edits } : unedited
  const { title, originalTitle, sortTitle, year, releaseDate, rating, externalIds } = details
  const match = matchOf(movie)
  const matched = match.source !== 'name' || externalIds.tmdb !== null || externalIds.imdb !== null
  const { cast, crew } = mergedPeople({ as: found.details, people: found.people }, online && { ...online, as: online.details })
  const people = [...cast, ...crew]
  return {
    ...movie,
    found: { ...found, details: details === found.details ? null : found.details },
    details,
    match,
    year,
    releaseDate,
    rating,
    sortTitle: sortKey(sortTitle ?? title),
    words: [...foundWords([title, originalTitle]), ...foundWords(people)],
    factKeys: factKeysOf(details, matched, peopleKeysOf(people)),
  }
}

/** The descriptive facts, with a pinned match applied. Ids that were not pinned belong to another match and are dropped. */
function pinned({ pin, online }: MovieDocument, details: MovieDetails): MovieDetails {
  if (!pin) return details
  const { tmdb, imdb, title, year } = pin
  return {
    ...details,
    ...(title === null ? {} : { title, year }),
    ...(tmdb === null && imdb === null ? {} : { externalIds: mergedIds({ tmdb, imdb }, online?.details.externalIds ?? NO_IDS) }),
  }
}

/** Which source identified the film: an administrator, an `.nfo`, a provider, or only its name. */
function matchOf({ pin, found, online }: MovieDocument): MovieDocument['match'] {
  if (pin) return { source: 'manual', confidence: 1, pinned: true }
  if (online && found.source === 'name') return { source: online.provider, confidence: online.confidence, pinned: false }
  return { source: found.source, confidence: found.confidence, pinned: false }
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
