/** Maps events of libraries, scans and movies to audit paths. */
import type { Json, JsonObject } from '../../src/events/envelope.ts'
import type { LibraryEvents } from '../../src/events/library-events.ts'
import type { MovieEvents, MovieFacts } from '../../src/events/movie-events.ts'
import { below, listIn, members, type PathsOf } from './audit-paths.ts'

const scanEnd = (state: string) => (data: LibraryEvents['ScanCompleted']) => ({
  state,
  ...below('counts', data.counts),
  errors: data.errors.length,
})

export const CATALOGUE_PATHS: { readonly [T in keyof LibraryEvents | keyof MovieEvents]: PathsOf<T> } = {
  LibraryCreated: (data) => ({
    ...members('name', 'kind', 'language')(data),
    paths: data.roots,
    ...below('settings', data.settings),
    removed: false,
  }),
  LibraryWentOffline: ({ roots }) => ({ offline: roots.map(({ path }) => path) }),
  LibraryCameOnline: () => ({ offline: [] }),
  LibraryRenamed: members('name'),
  LibraryRootAdded: ({ path }, before) => ({ paths: [...listIn(before, 'paths'), path] }),
  LibraryRootRemoved: ({ path }, before) => ({ paths: listIn(before, 'paths').filter((one) => one !== path) }),
  LibrarySettingsChanged: (data) => ({ language: data.language, ...below('settings', data.settings) }),
  LibraryMassMissing: ({ root, files }) => ({ massMissing: { path: root, files } }),
  LibraryRemoved: () => ({ removed: true }),
  LibraryRestored: () => ({ removed: false }),

  ScanRequested: (data) => ({ state: 'requested', ...members('mode', 'trigger', 'paths')(data) }),
  ScanStarted: ({ node }) => ({ state: 'running', node }),
  ScanProgressed: ({ phase, done, total, counts }) => ({ phase, done, total, ...below('counts', counts) }),
  ScanCompleted: scanEnd('completed'),
  ScanFailed: (data) => ({ ...scanEnd('failed')(data), reason: data.reason }),
  ScanInterrupted: () => ({ state: 'interrupted' }),
  ScanCancelled: ({ reason }) => ({ state: 'cancelled', reason }),

  MovieDiscovered: members('libraryId'),
  MovieIdentified: ({ source, facts }) => factsFrom(source, facts),
  MovieFileAdded: file,
  MovieProbed: ({ fileId, media }) => ({
    [`files.${fileId}.container`]: media.container,
    [`files.${fileId}.duration`]: media.durationMs / 1000,
  }),
  MovieArtworkChosen: ({ artwork }) =>
    below('artwork', { poster: artwork.poster?.path, backdrop: artwork.backdrop?.path, logo: artwork.logo?.path }),
  MovieFileMoved: file,
  MovieFileReplaced: file,
  MovieFileMissing: ({ fileId }) => ({ [`files.${fileId}.missing`]: true }),
  MovieFileReturned: ({ fileId }) => ({ [`files.${fileId}.missing`]: false }),
  MovieEdited: ({ changes }) => below('edited', changes),
  MovieMatchPinned: ({ tmdb, imdb, title, year }) => below('pinned', { tmdb, imdb, title, year }),
  TrickplayMade: ({ fileId }) => ({ [`files.${fileId}.trickplay`]: true }),
  MovieImagesTinted: ({ poster, backdrop }) => ({
    ...(poster ? { 'tints.poster': poster.tint } : {}),
    ...(backdrop ? { 'tints.backdrop': backdrop.tint } : {}),
  }),
  MovieMatchedOnline: ({ provider, facts }) => factsFrom(provider, facts),
  MovieUnmatchedOnline: (_, before) => withoutFacts('tmdb', before),
}

type Located = Pick<MovieEvents['MovieFileAdded'], 'fileId' | 'path'>

function file({ fileId, path }: Located): JsonObject {
  return { [`files.${fileId}.path`]: path, [`files.${fileId}.missing`]: false }
}

/** Prefixed with the source, because a movie's displayed facts are chosen from several sources. Cast and crew are only counted. */
function factsFrom(source: string, { cast, crew, externalIds, ...facts }: MovieFacts): JsonObject {
  return { ...below(source, facts), ...below(source, externalIds), [`${source}.cast`]: cast.length, [`${source}.crew`]: crew.length }
}

const withoutFacts = (source: string, before: JsonObject): Record<string, Json> =>
  Object.fromEntries(
    Object.keys(before)
      .filter((path) => path.startsWith(`${source}.`))
      .map((path) => [path, null]),
  )
