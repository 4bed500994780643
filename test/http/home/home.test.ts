import t from 'tap'
import { createMemoryCounters } from '../../../src/adapters/memory/counters.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import type { PageRequest } from '../../../src/app/read-models/page.ts'
import { startServer } from '../http-server.ts'

const URL = '/v1/home'

interface Page {
  readonly items: readonly object[]
}

t.test('home holds what its own routes show, movies as cards', async (t) => {
  const server = await startServer(t)
  const shown = async <Body>(url: string) => (await server.ask('GET', url)).json<Body>()
  t.strictSame(await shown(`${URL}?limit=2`), {
    user: await shown('/v1/users/me'),
    libraries: (await shown<Page>('/v1/libraries?limit=100')).items,
    continueWatching: (await shown<Page>('/v1/playback/continue-watching?limit=2&view=card')).items,
    recentlyAdded: (await shown<Page>('/v1/movies/recently-added?limit=2&view=card')).items,
    watchlist: (await shown<Page>('/v1/movies?watchlist=true&sort=addedAt&limit=2&view=card')).items,
  })
})

t.test('each list has at most 12 movies, or as many as are asked for, up to 50', async (t) => {
  const asked: (PageRequest | (MovieQuery & PageRequest))[] = []
  const note = async (_caller: unknown, request: PageRequest) => (asked.push(request), { items: [], next: null })
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      libraries: { ...services.libraries, list: note },
      movies: { ...services.movies, list: note },
      playback: { ...services.playback, continueWatching: note },
    }),
  })
  for (const query of ['', '?limit=50']) t.equal((await server.ask('GET', URL + query)).status, 200)
  const newest = { sort: 'addedAt', order: 'desc' }
  t.strictSame(
    asked,
    [12, 50].flatMap((limit) => [{ limit: 100 }, { limit }, { ...newest, limit }, { ...newest, limit, watchlist: true }]),
  )
  for (const limit of [0, 51]) t.match(await server.ask('GET', `${URL}?limit=${limit}`), { status: 422, text: /"path":"limit"/ })
})

t.test('home has a weak tag, and is not put together again until something has changed', async (t) => {
  let changed = 'one'
  let queries = 0
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      lastChanges: { catalogue: () => changed },
      users: { ...services.users, get: async (id) => (queries++, services.users.get(id)) },
    }),
  })
  const { etag = '' } = (await server.ask('GET', URL)).headers
  t.match(etag, /^W\//)
  t.match(await server.ask('GET', URL, { headers: { 'if-none-match': etag } }), { status: 304, text: '' })
  t.equal(queries, 1)
  changed = 'two'
  t.equal((await server.ask('GET', URL, { headers: { 'if-none-match': etag } })).status, 200)
  t.equal(queries, 2)
})

t.test('home is one request of those that a user has in a minute', async (t) => {
  const counters = createMemoryCounters({ clock: createTestClock() })
  const server = await startServer(t, { config: { rateLimit: 2 }, counters })
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await server.ask('GET', URL)).status)
  t.strictSame(statuses, [200, 200, 429])
})
