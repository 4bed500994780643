/** What lists and totals by a user's own marks make MongoDB examine, if the user has more marks than can be looked up one by one. */
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { countMovies, listMovies } from '../../../src/app/movies/movie-list.ts'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import { createReadModels } from '../../../src/app/read-models/read-models.ts'
import { START } from '../../../src/events/position.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import { movies } from '../../../projections/views/movies.ts'
import { continueKey, userMovieId, userMovies } from '../../../projections/views/user-movies.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { createExaminedStore } from '../../fixtures/examined.ts'
import { named } from '../../fixtures/names.ts'

const COUNT = 3_100
const LIMIT = 20
const userId = named<'user'>('ann')
const library = named<'library'>('one')
const ids = Array.from({ length: COUNT }, (_, n) => named<'movie'>(`m${String(n).padStart(4, '0')}`))
/** Three of four are watched, every third is in progress; every 50th movie is missing. */
const isWatched = (n: number): boolean => n % 4 !== 0
const isStarted = (n: number): boolean => n % 3 === 0
const isThere = (n: number): boolean => n % 50 !== 0

function openLists() {
  const films = ids.map((id, n) => {
    const sorts = { sortTitle: id, year: 2000, shuffle: n, card: { id }, factKeys: [], fileKeys: [], words: [], tallies: [] }
    return { id, at: START, body: { id, libraryId: library, available: isThere(n), missing: !isThere(n), ...sorts } }
  })
  const own = ids.map((movieId, n) => {
    const id = userMovieId(userId, movieId)
    const at = new Date(n * 60_000).toISOString()
    const marks = { watched: isWatched(n), continueKey: isStarted(n) ? continueKey(userId, at) : null, watchlistAt: null }
    return { id, at: START, body: { id, userId, movieId, ...marks, lastPlayedAt: at, playCount: 1 } }
  })
  const { connection, taken } = createExaminedStore([
    { spec: specOf(movies as unknown as AnyView), documents: films },
    { spec: specOf(userMovies as unknown as AnyView), documents: own },
  ])
  const readModels = createReadModels(createMongoReadStore({ connection, clock: createTestClock() }))
  const viewer = { userId, libraryIds: [library] }
  const query = (filter: Partial<MovieQuery>): MovieQuery => ({ sort: 'title', order: 'asc', ...filter })
  return {
    async list(filter: Partial<MovieQuery>) {
      await listMovies(readModels, viewer, { ...query(filter), limit: LIMIT })
      taken()
      const { items } = await listMovies(readModels, viewer, { ...query(filter), limit: LIMIT })
      return { listed: items.map(({ movie }) => movie.card.id), ...taken() }
    },
    async total(filter: Partial<MovieQuery>) {
      taken()
      return { total: await countMovies(readModels, viewer, query(filter)), ...taken() }
    },
  }
}

const numbersOf = (test: (n: number) => boolean): readonly number[] => ids.flatMap((_, n) => (isThere(n) && test(n) ? [n] : []))

t.test('a list by own marks examines few documents more than it gives', async (t) => {
  const lists = openLists()
  for (const [filter, test] of [
    [{ watched: true }, isWatched],
    [{ inProgress: true }, isStarted],
  ] as const) {
    const { listed, documents, commands } = await lists.list(filter)
    t.strictSame(
      listed,
      numbersOf(test)
        .slice(0, LIMIT)
        .map((n) => ids[n]),
    )
    t.ok(documents <= 20 * LIMIT, `${documents} documents`)
    t.ok(commands.length <= 9, commands.join(' '))
  }
})

t.test('a total by own marks reads the marks from their index, and examines each marked movie once', async (t) => {
  const lists = openLists()
  const marked = { watched: ids.filter((_, n) => isWatched(n)).length, started: ids.filter((_, n) => isStarted(n)).length }
  const watched = await lists.total({ watched: true })
  t.equal(watched.total, numbersOf(isWatched).length)
  t.ok(watched.documents <= marked.watched + 5, `${watched.documents} documents`)
  t.ok(watched.commands.length <= 8, watched.commands.join(' '))
  const started = await lists.total({ inProgress: true })
  t.equal(started.total, numbersOf(isStarted).length)
  t.ok(started.documents <= marked.started + 5, `${started.documents} documents`)
  const neither = await lists.total({ watched: false, inProgress: false })
  t.equal(neither.total, numbersOf((n) => !isWatched(n) && !isStarted(n)).length)
})
