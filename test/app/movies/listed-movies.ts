/** A catalogue of generated films with one user's marks, and a reference implementation of its lists. */
import type { Test } from 'tap'
import type { Caller } from '../../../src/app/access/caller.ts'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import { foldText } from '../../../src/vocabulary/text.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { appendMovies, appendMarks } from '../../bench/movies.ts'
import type { Random } from '../../fixtures/random.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { openNodeFixture, type NodeFixture } from '../../fixtures/node-fixture.ts'

export const MOVIES = 140
const MARKED = 60

export interface Known {
  readonly movie: MovieDocument
  readonly own: UserMovieDocument | undefined
}

export async function furnished(t: Test) {
  const node = await openNodeFixture(t)
  const libraryIds = [await node.newLibrary('/media/films'), await node.newLibrary('/media/others')]
  const { caller } = await node.person({ libraryAccess: 'selected', libraryIds })
  const ids = createTestIds({ series: 'e' })
  const films = await appendMovies(node.cluster.log, ids, { count: MOVIES, libraryIds })
  await appendMarks(node.cluster.log, ids, { userId: caller.userId, films: films.slice(0, MARKED) })
  await node.seen()
  const known: Known[] = []
  const own = await node.readModels.ownOf(
    caller.userId,
    films.map(({ movieId }) => movieId),
  )
  for await (const movie of node.readModels.movies.walk({})) known.push({ movie, own: own.get(movie.id) })
  return { node, caller, known, libraryIds }
}

/** All pages of a query, and its total. */
export async function walked(node: NodeFixture, caller: Caller, query: MovieQuery, limit: number) {
  const ids: string[] = []
  let after: { readonly value: never; readonly id: string } | undefined
  for (let pages = 0; pages < 500; pages++) {
    const page = await node.movies.list(caller, { ...query, limit, counted: pages === 0, ...(after ? { after } : {}) })
    if (page.items.length > limit) throw new Error('too long a page')
    if (pages === 0) ids.push(`total ${page.total}`)
    ids.push(...page.items.map(({ movie }) => movie.card.id))
    if (!page.next) return ids
    after = page.next as never
  }
  throw new Error('The walk does not end')
}

type Value = string | number | null
export const SORT_KEYS: Readonly<Record<string, (known: Known) => Value>> = {
  title: ({ movie }) => movie.sortTitle,
  year: ({ movie }) => movie.details.year,
  releaseDate: ({ movie }) => movie.details.releaseDate,
  addedAt: ({ movie }) => movie.addedAt,
  rating: ({ movie }) => movie.details.rating,
  duration: ({ movie }) => movie.files[0]?.durationMs ?? null,
  size: ({ movie }) => movie.files[0]?.sizeBytes ?? null,
  lastPlayedAt: ({ own }) => own?.lastPlayedAt ?? null,
  playCount: ({ own }) => own?.playCount ?? 0,
}

function compare(a: Value, b: Value, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return sign * (a < b ? -1 : a > b ? 1 : 0)
}

/** Reference result of the query. */
export function expected(known: readonly Known[], query: MovieQuery, fits: (known: Known) => boolean): readonly string[] {
  const key = SORT_KEYS[query.sort] ?? (() => null)
  const sign = query.order === 'asc' ? 1 : -1
  const sorted = known.filter(fits).toSorted((a, b) => compare(key(a), key(b), sign) || (a.movie.id < b.movie.id ? -1 : 1))
  return [`total ${sorted.length}`, ...sorted.map(({ movie }) => movie.id)]
}

type Choice = readonly [Partial<MovieQuery>, (known: Known) => boolean]

export const choices = (random: Random, libraryIds: readonly string[], known: readonly Known[]): readonly Choice[] => [
  [{}, () => true],
  [{ libraryIds: libraryIds.slice(1) }, ({ movie }) => movie.libraryId === libraryIds[1]],
  [{ libraryIds: ['nobody'] }, () => false],
  [{ keys: { genre: ['drama', 'war'] } }, ({ movie }) => movie.details.genres.some((genre) => ['Drama', 'War'].includes(genre))],
  [
    { keys: { genre: ['drama'], resolution: ['1080p'] } },
    ({ movie }) => movie.details.genres.includes('Drama') && movie.files[0]?.resolution === '1080p',
  ],
  [{ yearFrom: 1950, yearTo: 1999 }, ({ movie }) => (movie.details.year ?? 0) >= 1950 && (movie.details.year ?? 0) <= 1999],
  [{ minRating: 5 }, ({ movie }) => (movie.details.rating ?? -1) >= 5],
  [{ maxDurationMs: 5_000_000 }, ({ movie }) => (movie.files[0]?.durationMs ?? Infinity) <= 5_000_000],
  [{ text: 'WInter' }, ({ movie }) => / winter|^winter/.test(foldText(movie.details.title))],
  [{ text: '!?' }, () => false],
  [{ availability: 'missing' }, () => false],
  [{ matched: false }, () => false],
  [{ watched: true }, ({ own }) => own?.watched === true],
  [{ watched: false }, ({ own }) => own?.watched !== true],
  [{ inProgress: true }, ({ own }) => own?.continueKey != null],
  [{ inProgress: false }, ({ own }) => own?.continueKey == null],
  [{ watchlist: true, watched: random.chance(0.5) }, () => true],
  ...someOf(random, known),
]

/** Some movies by their ids, with the user's state. */
function someOf(random: Random, known: readonly Known[]): readonly Choice[] {
  const ids = known.map(({ movie }) => movie.id as string).filter(() => random.chance(0.2))
  const isNamed = ({ movie }: Known) => ids.includes(movie.id)
  return [
    [{ ids: [...ids, 'nobody', ...ids.slice(0, 2)] }, isNamed],
    [{ ids, watched: false }, (one) => isNamed(one) && one.own?.watched !== true],
    [{ ids: ['nobody'] }, () => false],
  ]
}

/** Whether a movie is in the list of a query. */
export const meansOf =
  (query: MovieQuery, fits: Choice[1]) =>
  ({ movie, own }: Known): boolean =>
    fits({ movie, own }) && (query.watchlist !== true || (own?.watchlistAt != null && own.watched === query.watched))
