import t from 'tap'
import type { AnchorsRequest } from '../../../src/app/movies/movie-anchors.ts'
import { idOf } from '../../fixtures/samples.ts'
import { serverOf } from '../http-server.ts'
import { addMovieRoutes } from '../../../src/http/movies/movies-routes.ts'
import { createFakeMovies } from '../../fixtures/fake-services/movies.ts'

const startServer = serverOf(addMovieRoutes, createFakeMovies)

const URL = '/v1/movies/anchors'

interface Body {
  readonly total: number
  readonly items: readonly { readonly index: number; readonly label: string | null; readonly cursor: string | null }[]
  readonly letters: readonly { readonly cursor: string | null }[]
}

t.test('anchors have their shape, and their cursors open the list with the same filters and order', async (t) => {
  const server = await startServer(t)
  const query = 'genre=Drama&sort=rating&order=asc'
  const body = (await server.ask('GET', `${URL}?${query}`)).json<Body>()
  const cursor = body.items[1]?.cursor ?? ''
  t.strictSame(body, {
    total: 25,
    items: [
      { index: 0, label: 'F', cursor: null },
      { index: 10, label: 'F', cursor },
    ],
    letters: [{ index: 0, label: 'F', cursor: null }],
  })
  const page = (more: string) => server.ask('GET', `/v1/movies?cursor=${cursor}&${more}`)
  t.match((await page(`${query}&limit=1`)).json(), { items: [{ title: 'Film 10' }] })
  t.equal((await page(`${query}&limit=5&view=card&include=total`)).status, 200)
  for (const other of ['', 'genre=War&sort=rating&order=asc', 'genre=Drama&sort=rating', `${query}&id=${idOf('movie')}`]) {
    t.equal((await page(other)).status, 422, other)
  }
})

t.test('the service is asked for what the query says, and by default for every 100th movie in order of title', async (t) => {
  const asked: AnchorsRequest[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      movies: { ...services.movies, anchors: async (_caller, request) => (asked.push(request), { total: 0, items: [], letters: [] }) },
    }),
  })
  for (const query of ['', `?every=7&sort=random&seed=5&watched=false&id=${idOf('movie')}`]) await server.ask('GET', URL + query)
  t.strictSame(asked, [
    { sort: 'title', order: 'asc', every: 100 },
    { sort: 'random', order: 'desc', seed: 5, watched: false, ids: [idOf('movie')], every: 7 },
  ])
})

t.test('too many anchors, and a distance that is none, are 422 with the name of the parameter', async (t) => {
  const server = await startServer(t)
  for (const every of ['9', '0', '-1', '1.5', 'x', '1000001']) {
    t.match(await server.ask('GET', `${URL}?every=${every}`), { status: 422, text: /"path":"every"/ }, every)
  }
  t.match(await server.ask('GET', `${URL}?every=9`), { text: /must be at least 10 for a list of 10000 movies/ })
})

t.test('anchors have a weak tag, also while nobody knows what has changed, and are not asked for again until something has', async (t) => {
  let changed: string | undefined
  let queries = 0
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      lastChanges: { catalogue: () => changed },
      movies: { ...services.movies, anchors: async (...args) => (queries++, services.movies.anchors(...args)) },
    }),
  })
  const ask = (known?: string) => server.ask('GET', URL, known === undefined ? {} : { headers: { 'if-none-match': known } })
  const { etag = '' } = (await ask()).headers
  t.match(etag, /^W\//)
  t.match(await ask(etag), { status: 304, text: '' })
  changed = 'one'
  const tag = (await ask()).headers['etag'] ?? ''
  queries = 0
  t.match(await ask(tag), { status: 304 })
  t.match(await ask(), { status: 200, headers: { etag: tag } })
  t.equal(queries, 0)
  changed = 'two'
  t.not((await ask(tag)).headers['etag'], tag)
  t.equal(queries, 1)
})

t.test('anchors can be asked of the past', async (t) => {
  const server = await startServer(t)
  t.match(await server.ask('GET', `${URL}?asOf=seq:1`), { status: 503, headers: { 'retry-after': '5' } })
})
