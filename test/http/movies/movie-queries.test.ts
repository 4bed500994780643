import t from 'tap'
import { collectionIdOf } from '../../../projections/views/movie-query-fields.ts'
import type { ReadModels } from '../../../src/app/read-models/read-models.ts'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import type { PageRequest } from '../../../src/app/read-models/page.ts'
import { idOf, movie } from '../../fixtures/samples.ts'
import { startServer, type Answer } from '../http-server.ts'

const pathsOf = (answer: Answer) =>
  (answer.json<{ details?: readonly { readonly path: string }[] }>().details ?? []).map(({ path }) => path).toSorted()

async function listening(t: Parameters<typeof startServer>[0]) {
  const asked: (MovieQuery & PageRequest)[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      movies: { ...services.movies, list: async (_caller, request) => (asked.push(request), { items: [], next: null, total: 7 }) },
    }),
  })
  return { server, asked }
}

t.test('every filter reaches the service, values folded as they are stored', async (t) => {
  const { server, asked } = await listening(t)
  const [person, set] = [idOf('person'), idOf('set')]
  const query = [
    `id=${movie.id}&id=${idOf('other')}`,
    'genre=Drama&genre=KRIMI&studio=Gr%C3%B6%C3%9Fe&tag=T&contentRating=PG-13&language=ger&audioLanguage=eng&subtitleLanguage=pt_BR',
    `personId=${person}&collectionId=${set}&resolution=1080p&resolution=2160p&videoCodec=HEVC&hdr=HDR10`,
    'year=1999&year=2000&yearFrom=1990&yearTo=2000&minRating=7.5&minDuration=60.5&maxDuration=0&matched=false',
    'watched=true&inProgress=false&watchlist=true&availability=all&sort=random&seed=5&include=total',
    'addedAfter=2026-01-02T13:00:00%2B01:00&addedBefore=2026-01-03T00:00:00Z',
  ].join('&')
  const answer = await server.ask('GET', `/v1/movies?${query}`)
  t.strictSame(answer.json(), { items: [], nextCursor: null, total: 7 })
  t.strictSame(asked, [
    {
      limit: 20,
      counted: true,
      sort: 'random',
      order: 'desc',
      seed: 5,
      ids: [movie.id, idOf('other')],
      keys: {
        genre: ['drama', 'krimi'],
        studio: ['grosse'],
        tag: ['t'],
        contentRating: ['pg-13'],
        person: [person],
        collection: [set],
        language: ['de'],
        audioLanguage: ['en'],
        subtitleLanguage: ['pt-BR'],
        resolution: ['1080p', '2160p'],
        videoCodec: ['hevc'],
        hdr: ['hdr10'],
      },
      years: [1999, 2000],
      yearFrom: 1990,
      yearTo: 2000,
      minRating: 7.5,
      minDurationMs: 60_500,
      maxDurationMs: 0,
      addedAfter: '2026-01-02T12:00:00.000Z',
      addedBefore: '2026-01-03T00:00:00.000Z',
      availability: 'all',
      matched: false,
      watched: true,
      inProgress: false,
      watchlist: true,
    },
  ])
})

t.test('values that a filter does not know are 422, each with its name', async (t) => {
  const { server, asked } = await listening(t)
  const wrong: Readonly<Record<string, readonly string[]>> = {
    'resolution=9p&sort=size2&order=up&availability=gone&include=all': ['availability', 'include', 'order', 'resolution', 'sort'],
    'yearFrom=2001&yearTo=2000': ['yearFrom'],
    'watched=yes&matched=1&inProgress=': ['inProgress', 'matched', 'watched'],
    'seed=-1': ['seed'],
    'seed=2147483648': ['seed'],
    'personId=short&collectionId=': ['collectionId', 'personId'],
    'id=short&view=poster': ['id', 'view'],
    [Array.from({ length: 101 }, () => `id=${movie.id}`).join('&')]: ['id'],
    'minRating=11&minDuration=-1&year=1999.5': ['minDuration', 'minRating', 'year'],
    'addedAfter=yesterday&addedBefore=2026-01-02': ['addedAfter', 'addedBefore'],
    'genre=&studio=': ['genre', 'studio'],
    [`q=${'x'.repeat(201)}`]: ['q'],
    'minRating=1&minRating=2': ['minRating'],
  }
  for (const [query, paths] of Object.entries(wrong)) {
    const answer = await server.ask('GET', `/v1/movies?${query}`)
    t.strictSame([answer.status, pathsOf(answer)], [422, paths], query)
  }
  t.strictSame(asked, [])
})

t.test('a cursor belongs to its filters, its order and its moment', async (t) => {
  const server = await startServer(t)
  const { nextCursor } = (await server.ask('GET', '/v1/movies?genre=Drama&limit=2')).json<{ nextCursor: string }>()
  const status = async (query: string) => (await server.ask('GET', `/v1/movies?cursor=${nextCursor}&${query}`)).status
  t.equal(await status('genre=Drama'), 200)
  t.equal(await status('genre=Drama&limit=3&order=asc&unknown=1'), 200, 'the default order named, another page size')
  t.equal(await status('genre=Drama&availability=available'), 200, 'the default availability named')
  for (const other of ['genre=War', '', 'genre=Drama&order=desc', 'genre=Drama&watched=true', 'genre=Drama&asOf=seq:1']) {
    t.equal(await status(other), 422, other)
  }
})

t.test('asOf asks the past, names the event, and is 503 while another looks', async (t) => {
  const pasts: unknown[] = []
  const readModels = {} as ReadModels
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      past: { at: async () => ({ readModels, seq: '42', atMs: 0 }) },
      movies: { ...services.movies, list: async (_caller, _request, past) => (pasts.push(past), { items: [], next: null }) },
      playback: { ...services.playback, continueWatching: async (_caller, _page, past) => (pasts.push(past), { items: [], next: null }) },
    }),
  })
  for (const url of ['/v1/movies', '/v1/playback/continue-watching']) {
    t.match(await server.ask('GET', `${url}?asOf=seq:42`), { status: 200, headers: { 'x-as-of-seq': '42' } })
    t.equal((await server.ask('GET', url)).headers['x-as-of-seq'], undefined)
  }
  t.ok(pasts[0] === readModels && pasts[1] === undefined && pasts[2] === readModels && pasts[3] === undefined)
  const busy = await startServer(t)
  t.match(await busy.ask('GET', '/v1/movies?asOf=seq:1'), { status: 503, headers: { 'retry-after': '5' } })
})

t.test('names and languages that are sent twice are kept once', async (t) => {
  const edits: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      movieCorrections: {
        ...services.movieCorrections,
        edit: async (caller, id, changes, origin) => (edits.push(changes), services.movieCorrections.edit(caller, id, changes, origin)),
      },
    }),
  })
  const body = { genres: ['Drama', ' drama', 'War'], languages: ['de', 'ger', 'en'] }
  t.equal((await server.ask('PATCH', `/v1/movies/${movie.id}`, { body })).status, 200)
  t.strictSame(edits, [{ genres: ['Drama', 'War'], languages: ['de', 'en'] }])
})

t.test('what is edited, pinned and marked has its shape', async (t) => {
  const server = await startServer(t)
  const url = `/v1/movies/${movie.id}`
  t.equal((await server.ask('PATCH', url, { body: { title: 'B', genres: [], year: null, unknown: 1 } })).status, 200)
  t.equal((await server.ask('PATCH', url, { body: {} })).status, 200)
  const wrong = await server.ask('PATCH', url, {
    body: { title: ' ', year: '1999', rating: 11, genres: 'x', releaseDate: '2019-02-30', languages: [''] },
  })
  t.strictSame([wrong.status, pathsOf(wrong)], [422, ['genres', 'languages.0', 'rating', 'releaseDate', 'title', 'year']])
  t.equal((await server.ask('POST', `${url}/match`, { body: { tmdbId: '5' } })).status, 200)
  for (const [body, path] of [
    [{}, ''],
    [{ year: 1999 }, ''],
    [{ tmdbId: '5', year: 1999 }, 'title'],
    [{ imdbId: '5' }, 'imdbId'],
  ] as const) {
    t.strictSame(pathsOf(await server.ask('POST', `${url}/match`, { body })), [path])
  }
  t.strictSame((await server.ask('PUT', `${url}/resume`, { body: { position: 12.3456 } })).json(), {
    movieId: movie.id,
    position: 12.346,
    updatedAt: '2026-01-02T12:00:00.000Z',
  })
  for (const position of [-1, '5', null, undefined])
    t.strictSame(pathsOf(await server.ask('PUT', `${url}/resume`, { body: { position } })), ['position'])
  t.equal((await server.ask('DELETE', `${url}/resume`)).status, 204)
  t.strictSame((await server.ask('PUT', `${url}/watchlist`)).json(), {
    movieId: movie.id,
    watchlist: true,
    addedAt: '2026-01-02T12:00:00.000Z',
  })
  t.strictSame((await server.ask('DELETE', `${url}/watchlist`)).json(), { movieId: movie.id, watchlist: false, addedAt: null })
  t.strictSame((await server.ask('GET', `${url}/resume-history`)).json(), { items: [], nextCursor: null })
})

t.test('facets, people and collections have their shape', async (t) => {
  const server = await startServer(t)
  t.match((await server.ask('GET', '/v1/facets')).json(), { genres: [{ value: 'Drama', count: 1 }], years: [], languages: [] })
  t.strictSame((await server.ask('GET', `/v1/people/${idOf('person')}`)).json(), {
    id: idOf('person'),
    name: 'Ann',
    image: null,
    movies: [],
  })
  t.match((await server.ask('GET', `/v1/collections/${idOf('set')}`)).json(), { name: 'Set', movieCount: 1, movies: [{ id: movie.id }] })
  for (const path of ['people', 'collections']) t.equal((await server.ask('GET', `/v1/${path}/${collectionIdOf('nobody')}`)).status, 404)
})
