/**
 * Computes the fields that queries find movies by: keys such as `genre:drama` (a kind and a case-folded value), and value counts of each
 * library.
 */
import { derivedId } from '../../src/events/derived-id.ts'
import type { FileId, Id, LibraryId, PersonId } from '../../src/vocabulary/id.ts'
import { distinctNames, foldText } from '../../src/vocabulary/text.ts'
import type { MovieDetails, MovieDocument, MovieFile } from './movie-document.ts'

export type CollectionId = Id<'collection'>

/** People are identified by name: the same name is the same person. */
export const personIdOf = (name: string): PersonId => derivedId('person', foldText(name))
export const collectionIdOf = (name: string): CollectionId => derivedId('collection', foldText(name))

/** Kinds of keys derived from a film's descriptive facts. */
export type FactKind = 'genre' | 'studio' | 'tag' | 'contentRating' | 'person' | 'collection' | 'matched' | 'title' | 'tmdb' | 'imdb'
/** Kinds derived from its files: the available ones, or all of them if none is available. */
export type FileKind = 'videoCodec' | 'resolution' | 'hdr' | 'audioLanguage' | 'subtitleLanguage' | 'language'

export const keyOf = (kind: FactKind | FileKind, value: string): string => `${kind}:${value}`

export const peopleKeysOf = (names: readonly string[]): readonly string[] =>
  distinct(names.map((name) => keyOf('person', personIdOf(name))))

export function factKeysOf(details: MovieDetails, matched: boolean, people: readonly string[]): readonly string[] {
  const { genres, studios, tags, contentRating, collection, title, originalTitle, externalIds } = details
  const folded = (kind: FactKind, values: readonly string[]) => values.map((value) => keyOf(kind, foldText(value)))
  return distinct([
    ...folded('genre', genres),
    ...folded('studio', studios),
    ...folded('tag', tags),
    ...folded('contentRating', contentRating === null ? [] : [contentRating]),
    ...(collection === null ? [] : [keyOf('collection', collectionIdOf(collection))]),
    keyOf('matched', String(matched)),
    ...people,
    ...externalKeysOf(externalIds),
    ...titleKeysOf([title, originalTitle]),
  ])
}

export const externalKeysOf = ({ tmdb, imdb }: MovieDetails['externalIds']): readonly string[] => [
  ...(tmdb === null ? [] : [keyOf('tmdb', tmdb)]),
  ...(imdb === null ? [] : [keyOf('imdb', imdb)]),
]

export const titleKeysOf = (titles: readonly (string | null)[]): readonly string[] =>
  titles.flatMap((title) => (title === null || title === '' ? [] : keyOf('title', foldText(title))))

export function fileKeysOf({ details, files }: Pick<MovieDocument, 'details' | 'files'>): readonly string[] {
  const primary = primaryOf(files)
  const counted = versionsOf(files)
  const keys = (kind: FileKind, values: readonly (string | null)[]) => values.flatMap((value) => (value === null ? [] : keyOf(kind, value)))
  return distinct([
    ...keys('resolution', [primary?.resolution ?? null]),
    ...keys('hdr', [primary?.hdr ?? null]),
    ...keys('videoCodec', videoCodecsOf(counted)),
    ...keys('audioLanguage', audioLanguagesOf(counted)),
    ...keys(
      'subtitleLanguage',
      counted.flatMap(({ subtitleLanguages }) => subtitleLanguages),
    ),
    ...keys('language', languagesOf(details, counted)),
  ])
}

/** Kinds of counted values; `collection` counts `<folded name>\0<name>`. */
export type TallyKind = 'available' | 'missing' | 'genre' | 'year' | 'videoCodec' | 'audioCodec' | 'resolution' | 'language' | 'collection'

/** The common prefix of all counted values of a kind. */
export const tallyPrefix = (libraryId: LibraryId, kind: TallyKind): string => `${libraryId} ${kind} `

/** Counts only available movies. */
export function talliesOf({ libraryId, available, details, files }: Omit<MovieDocument, 'tallies'>): readonly string[] {
  const tally = (kind: TallyKind, values: readonly (string | null)[]) =>
    values.flatMap((value) => (value === null ? [] : `${tallyPrefix(libraryId, kind)}${value}`))
  if (!available) return tally('missing', [''])
  const there = versionsOf(files)
  const { genres, year, collection } = details
  return distinct([
    ...tally('available', ['']),
    ...tally('genre', distinctNames(genres)),
    ...tally('year', [year === null ? null : String(year)]),
    ...tally('videoCodec', videoCodecsOf(there)),
    ...tally(
      'audioCodec',
      there.flatMap(({ audioCodecs }) => audioCodecs),
    ),
    ...tally('resolution', [primaryOf(files)?.resolution ?? null]),
    ...tally('language', languagesOf(details, there)),
    ...tally('collection', [collection === null ? null : `${foldText(collection)}\0${collection}`]),
  ])
}

/** The first available file; if none is available, the first file. */
export const primaryOf = (files: readonly MovieFile[]): MovieFile | undefined => files.find((file) => file.available) ?? files[0]

/** The file with this id if it is available, otherwise the primary one: a viewing goes on in the file in which it stopped. */
export const fileToResume = (files: readonly MovieFile[], id: FileId | undefined): MovieFile | undefined =>
  files.find((file) => file.id === id && file.available) ?? primaryOf(files)

function versionsOf(files: readonly MovieFile[]): readonly MovieFile[] {
  const there = files.filter(({ available }) => available)
  return there.length > 0 ? there : files
}

/** The film's declared languages, otherwise its audio languages. */
const languagesOf = ({ languages }: MovieDetails, files: readonly MovieFile[]) =>
  languages.length > 0 ? languages : audioLanguagesOf(files)

const videoCodecsOf = (files: readonly MovieFile[]) => files.map(({ videoCodec }) => videoCodec)
const audioLanguagesOf = (files: readonly MovieFile[]) => files.flatMap(({ audioLanguages }) => audioLanguages)
const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)]

/** A well-distributed hash of an id, 0 to 2^32 - 1 (FNV-1a, then mixed): the sort key for random order. */
export function shuffleKeyOf(id: string): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < id.length; n++) hash = Math.imul(hash ^ id.charCodeAt(n), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
