/** Catalogue views across the movies that a caller may see: filter values (facets), people and collections. */
import { setImmediate } from 'node:timers/promises'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { ImageId, LibraryId, PersonId } from '../../vocabulary/id.ts'
import { creditsOf, type CreditsDocument } from '../../../projections/views/credits.ts'
import { collectionIdOf, tallyPrefix, type CollectionId, type TallyKind } from '../../../projections/views/movie-query-fields.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Tallied } from '../../ports/read-store.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { listMovies } from './movie-list.ts'
import type { MovieForUser } from './list-sources.ts'
import { visibleLibraries } from './movies.ts'
import { rankTallies } from './tallies.ts'
import { totalOf, type ListPage, type PageRequest } from '../read-models/page.ts'

export const FACETS = {
  genres: 'genre',
  years: 'year',
  videoCodecs: 'videoCodec',
  audioCodecs: 'audioCodec',
  resolutions: 'resolution',
  languages: 'language',
} as const satisfies Readonly<Record<string, TallyKind>>
export type Facet = keyof typeof FACETS

/** Values of each facet, most frequent first. */
export type Facets = Readonly<Record<Facet, readonly Tallied[]>>

export interface Person {
  readonly id: PersonId
  readonly name: string
  /** From a movie that the caller may see. */
  readonly image: ImageId | null
  /** Newest first; `roles`: characters and jobs. */
  readonly movies: readonly { readonly movie: MovieForUser; readonly roles: readonly string[] }[]
}

export interface CollectionSummary {
  readonly id: CollectionId
  readonly name: string
  readonly movieCount: number
}

/** What a card of a collection shows. */
export interface CollectionCard {
  /** Of its first film that has a poster. */
  readonly poster: ImageId | null
  readonly posterTint: string | null
  /** How many of its films the caller has watched. */
  readonly watchedCount: number
}

export interface FacetLists {
  facets(caller: Caller, libraryIds?: readonly string[]): Promise<Facets>
  /** Not found if none of the person's movies is visible. */
  person(caller: Caller, id: string): Promise<Person | Refusal>
  /** By folded name. */
  collections(caller: Caller, page: PageRequest): Promise<ListPage<CollectionSummary>>
  /** All whose name passes the test, by folded name. */
  collectionsNamed(caller: Caller, test: (name: string) => boolean): Promise<readonly CollectionSummary[]>
  /** In the order of the ids, which are of collections that the caller sees. */
  collectionCards(caller: Caller, ids: readonly CollectionId[]): Promise<readonly CollectionCard[]>
  /** With its movies in order of release. */
  collection(
    caller: Caller,
    id: string,
  ): Promise<(Omit<CollectionSummary, 'movieCount'> & { readonly movies: readonly MovieForUser[] }) | Refusal>
}

/** Most values of a facet in a library, and most movies of a person or collection, in an answer. */
const VALUES_MAX = 1000
const MOVIES_MAX = 500
/** Of each library: they are few, so that a search needs no index of its own. */
const COLLECTIONS_SEARCHED_MAX = 5000
const PAGE = 100
const CARDS_AT_ONCE = 8

const NO_PERSON = refuse('not-found', 'There is no such person')
const NO_COLLECTION = refuse('not-found', 'There is no such collection')

export interface FacetListsDependencies {
  readonly access: Access
  readonly readModels: ReadModels
}

export function createFacetLists(deps: FacetListsDependencies): FacetLists {
  return {
    facets: (caller, libraryIds) => facets(deps, caller, libraryIds),
    person: (caller, id) => person(deps, caller, id),
    collections: (caller, page) => collections(deps, caller, page),
    collectionsNamed: (caller, test) => collectionsNamed(deps, caller, test),
    collectionCards(caller, ids) {
      const atOnce = createSemaphore(CARDS_AT_ONCE)
      return Promise.all(ids.map((id) => atOnce(() => collectionCard(deps, caller, id))))
    },
    collection: (caller, id) => collection(deps, caller, id),
  }
}

const tally = (
  { readModels }: FacetListsDependencies,
  libraryId: LibraryId,
  kind: TallyKind,
  range: { readonly after?: string; readonly limit: number },
) => talliesOf(readModels, libraryId, { kind, ...range })

/** All visible movies with a key, at most 500. */
async function moviesWith(
  { access, readModels }: FacetListsDependencies,
  caller: Caller,
  keys: { readonly person?: readonly string[]; readonly collection?: readonly string[] },
  sort: 'asc' | 'desc',
) {
  const viewer = { userId: caller.userId, libraryIds: visibleLibraries(access, caller) }
  const found: MovieForUser[] = []
  let after: PageRequest['after'] | null
  do {
    const page: ListPage<MovieForUser> = await listMovies(readModels, viewer, {
      keys,
      sort: 'year',
      order: sort,
      limit: PAGE,
      ...omitUndefined({ after: after ?? undefined }),
    })
    found.push(...page.items)
    after = page.next
  } while (after && found.length < MOVIES_MAX)
  return found.slice(0, MOVIES_MAX)
}

async function facets(deps: FacetListsDependencies, caller: Caller, libraryIds?: readonly string[]): Promise<Facets> {
  const visible = visibleLibraries(deps.access, caller, libraryIds)
  const values = async (facet: Facet) => {
    const counts = await Promise.all(visible.map((id) => tally(deps, id, FACETS[facet], { limit: VALUES_MAX })))
    return rankTallies(counts.flat(), VALUES_MAX)
  }
  const [genres, years, videoCodecs, audioCodecs, resolutions, languages] = await Promise.all([
    values('genres'),
    values('years'),
    values('videoCodecs'),
    values('audioCodecs'),
    values('resolutions'),
    values('languages'),
  ])
  return { genres, years, videoCodecs, audioCodecs, resolutions, languages }
}

async function person(deps: FacetListsDependencies, caller: Caller, id: string): Promise<Person | Refusal> {
  const found = await moviesWith(deps, caller, { person: [id] }, 'desc')
  const credits = new Map((await deps.readModels.credits.getMany(found.map(({ movie }) => movie.id))).map((one) => [one.id, one]))
  const movies = found.flatMap((movie) => {
    const part = partOf(credits.get(movie.movie.id), id)
    return part ? [{ movie, ...part }] : []
  })
  const [first] = movies
  if (!first) return NO_PERSON
  const image = movies.find((one) => one.image !== null)?.image ?? null
  return { id: first.id, name: first.name, image, movies: movies.map(({ movie, roles }) => ({ movie, roles })) }
}

async function collections(deps: FacetListsDependencies, caller: Caller, page: PageRequest): Promise<ListPage<CollectionSummary>> {
  const { after: point, limit } = page
  const after = typeof point?.value === 'string' ? `${point.value}\0\u{10FFFF}` : undefined
  const found = await Promise.all(
    // Request more than the limit: names that differ only in case are separate rows here.
    visibleLibraries(deps.access, caller).map((id) => tally(deps, id, 'collection', { limit: VALUES_MAX, ...omitUndefined({ after }) })),
  )
  const all = grouped(found.flat())
  const items = all.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(summaryOf),
    next: last && all.length > limit ? { value: last.folded, id: last.id } : null,
    ...(await totalOf(page, () => countCollections(deps, caller))),
  }
}

/** Reads the kept counts of each value. Only the folded names are held in memory. */
async function countCollections(deps: FacetListsDependencies, caller: Caller): Promise<number> {
  const folded = new Set<string>()
  for (const libraryId of visibleLibraries(deps.access, caller)) {
    for await (const rows of collectionParts(deps, libraryId)) {
      for (const { value } of rows) folded.add(foldedName(value))
      // The embedded store answers at once: other requests get their turn in between.
      await setImmediate()
    }
  }
  return folded.size
}

async function collectionsNamed(
  deps: FacetListsDependencies,
  caller: Caller,
  test: (name: string) => boolean,
): Promise<readonly CollectionSummary[]> {
  const rows = await Promise.all(visibleLibraries(deps.access, caller).map((id) => collectionRows(deps, id)))
  return grouped(rows.flat().filter(({ value }) => test(value.slice(value.indexOf('\0') + 1)))).map(summaryOf)
}

const summaryOf = ({ id, name, movieCount }: CollectionSummary): CollectionSummary => ({ id, name, movieCount })

async function collectionRows(deps: FacetListsDependencies, libraryId: LibraryId): Promise<readonly Tallied[]> {
  const rows: Tallied[] = []
  for await (const part of collectionParts(deps, libraryId)) {
    rows.push(...part)
    if (rows.length >= COLLECTIONS_SEARCHED_MAX) break
  }
  return rows
}

async function* collectionParts(deps: FacetListsDependencies, libraryId: LibraryId): AsyncGenerator<readonly Tallied[]> {
  for (let after: string | undefined; ;) {
    const part = await tally(deps, libraryId, 'collection', { limit: VALUES_MAX, ...omitUndefined({ after }) })
    yield part
    if (part.length < VALUES_MAX) return
    after = part.at(-1)?.value
  }
}

/** Values are `<folded name>\0<name>`. */
const foldedName = (value: string): string => value.slice(0, value.indexOf('\0'))

async function collectionCard(deps: FacetListsDependencies, caller: Caller, id: CollectionId): Promise<CollectionCard> {
  const movies = (await moviesWith(deps, caller, { collection: [id] }, 'asc')).toSorted(byRelease)
  const first = movies.find(({ movie }) => movie.card.poster !== null)?.movie.card
  return {
    poster: first?.poster ?? null,
    posterTint: first?.posterTint ?? null,
    watchedCount: movies.filter(({ own }) => own?.watched === true).length,
  }
}

async function collection(
  deps: FacetListsDependencies,
  caller: Caller,
  id: string,
): Promise<(Omit<CollectionSummary, 'movieCount'> & { readonly movies: readonly MovieForUser[] }) | Refusal> {
  const movies = await moviesWith(deps, caller, { collection: [id] }, 'asc')
  const [first] = movies
  const name = first && (await deps.readModels.movies.get(first.movie.id))?.details.collection
  if (!name) return NO_COLLECTION
  return { id: collectionIdOf(name), name, movies: movies.toSorted(byRelease) }
}

async function talliesOf(
  readModels: ReadModels,
  libraryId: LibraryId,
  { kind, after, limit }: { readonly kind: TallyKind; readonly after?: string; readonly limit: number },
): Promise<readonly Tallied[]> {
  const prefix = tallyPrefix(libraryId, kind)
  const rows = await readModels.movies.tally('tallies', {
    prefix,
    limit,
    ...omitUndefined({ after: after === undefined ? undefined : prefix + after }),
  })
  return rows.map(({ value, count }) => ({ value: value.slice(prefix.length), count }))
}

/** Turns rows `<folded name>\0<name>` into collections in order, without duplicates. */
function grouped(rows: readonly Tallied[]): readonly (CollectionSummary & { readonly folded: string })[] {
  const found = new Map<string, CollectionSummary & { readonly folded: string }>()
  for (const { value, count } of rows) {
    const [folded = '', name = ''] = value.split('\0')
    const before = found.get(folded)
    found.set(folded, { id: collectionIdOf(name), folded, name: before?.name ?? name, movieCount: (before?.movieCount ?? 0) + count })
  }
  return [...found.values()].sort((a, b) => order(a.folded, b.folded))
}

/** The person's roles in a movie. */
function partOf(credits: CreditsDocument | undefined, id: string) {
  const { cast, crew } = credits ? creditsOf(credits) : { cast: [], crew: [] }
  const parts = [...cast, ...crew].filter(({ personId }) => personId === id)
  const [first] = parts
  if (!first) return undefined
  const roles = parts.flatMap((part) => ('job' in part ? part.job : (part.character ?? [])))
  return { id: first.personId, name: first.name, image: first.image, roles: [...new Set(roles)] }
}

function byRelease({ movie: a }: MovieForUser, { movie: b }: MovieForUser): number {
  return order(releaseOf(a.card), releaseOf(b.card)) || order(a.card.sortTitle, b.card.sortTitle)
}

/** Movies without a date sort last. */
const releaseOf = ({ year, releaseDate }: MovieForUser['movie']['card']) => releaseDate ?? (year === null ? '\u{10FFFF}' : String(year))

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
