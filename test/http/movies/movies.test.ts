import t from 'tap'
import { cardOf } from '../../../projections/views/movie-card.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import type { MovieQuery } from '../../../src/app/movies/movie-query.ts'
import type { PageRequest } from '../../../src/app/read-models/page.ts'
import { presentFileStats } from '../../../src/http/movies/file-stats-presenter.ts'
import { presentCredits, presentMovie, presentSummary } from '../../../src/http/movies/movie-presenter.ts'
import { admin, ann, file, germanSubtitle, idOf, library, media, movie, movieForUser, watching } from '../../fixtures/samples.ts'
import { NOW } from '../../fixtures/folded.ts'
import { startServer } from '../http-server.ts'

const URL = `/v1/movies/${movie.id}`
const own = { ...watching, watched: true, watchedAt: NOW, playCount: 2 }

const SUMMARY = {
  id: movie.id,
  libraryId: library.id,
  title: 'A Film',
  originalTitle: null,
  sortTitle: 'film',
  year: 2019,
  releaseDate: '2019-05-01',
  overview: null,
  duration: 5400.12,
  genres: ['Drama'],
  contentRating: 'PG-13',
  rating: 7.9,
  resolution: '1080p',
  hdr: 'hdr10',
  images: { poster: `/api/images/${idOf('poster')}`, backdrop: null, logo: null, posterTint: '#7a2b1c', backdropTint: null },
  availability: 'available',
  addedAt: NOW,
  updatedAt: NOW,
  watched: false,
  watchedAt: null,
  playCount: 0,
  position: 0,
  lastPlayedAt: null,
  watchlist: false,
}

t.test('a list item has every member, unknown ones as null', async (t) => {
  const server = await startServer(t)
  const { items } = (await server.ask('GET', '/v1/movies?limit=1')).json<{ items: unknown[] }>()
  t.strictSame(items, [{ ...SUMMARY, title: 'Film 0' }])
})

t.test('what the user has done is part of it', (t) => {
  t.match(presentSummary({ movie, own }), { watched: true, watchedAt: NOW, playCount: 2, position: 16.5, lastPlayedAt: NOW })
  t.end()
})

t.test('a movie that is away has the length of the file that it had', (t) => {
  const [first] = movie.files
  if (!first) throw new Error('no file')
  const shown = (changed: Partial<MovieDocument>) => presentSummary({ movie: { card: cardOf({ ...movie, ...changed }) }, own: null })
  const gone = { ...first, available: false }
  t.match(shown({ available: false, files: [gone] }), { availability: 'missing', duration: 5400.12 })
  const two = [gone, { ...first, durationMs: 1000, resolution: '480p' as const }]
  t.match(shown({ files: two }), { duration: 1, resolution: '480p' }, 'the first that is there is the primary one')
  t.match(shown({ files: [] }), { duration: null, resolution: null, hdr: null })
  t.end()
})

t.test('details have every member', async (t) => {
  const server = await startServer(t)
  t.strictSame((await server.ask('GET', URL)).json(), {
    ...SUMMARY,
    tagline: null,
    countries: [],
    studios: [],
    languages: ['en'],
    tags: [],
    collection: null,
    collectionId: null,
    externalIds: { tmdb: null, imdb: 'tt1' },
    match: { source: 'name', confidence: 1, pinned: false },
    files: [
      {
        id: file.id,
        name: 'A Film (2019).mkv',
        resolution: '1080p',
        container: 'matroska',
        size: 1000,
        duration: 5400.12,
        available: true,
      },
    ],
    trickplay: false,
    subtitleLanguages: ['de', 'en'],
    audioLanguages: ['en'],
  })
  const twice = presentMovie({ ...movieForUser, movie: { ...movie, files: [...movie.files, ...movie.files] } })
  t.strictSame(twice.subtitleLanguages, ['de', 'en'])
})

t.test('credits name people, characters and jobs', (t) => {
  const credits = {
    id: movie.id,
    cast: [{ personId: idOf<'person'>('ann'), name: 'Ann', character: null, order: 0, image: idOf<'image'>('anns') }],
    crew: [{ personId: idOf<'person'>('bob'), name: 'Bob', job: 'Director', department: 'Directing', image: null }],
  }
  t.strictSame(presentCredits(credits), {
    movieId: movie.id,
    cast: [{ personId: idOf('ann'), name: 'Ann', character: null, order: 0, image: `/api/images/${idOf('anns')}` }],
    crew: [{ personId: idOf('bob'), name: 'Bob', job: 'Director', department: 'Directing', image: null }],
  })
  t.end()
})

t.test('file-stats contain every track; the values at the top are those of the primary file', async (t) => {
  const probed = { ...file, media, sidecars: [{ ...germanSubtitle, stream: null, path: '/media/films/a.srt', forced: true }] }
  const top = {
    movieId: movie.id,
    container: 'matroska',
    size: 1000,
    duration: 5400.12,
    bitrate: 1_000_000,
    resolution: '1080p',
    width: 1920,
    height: 800,
    videoCodec: 'hevc',
    audioCodec: 'ac3',
  }
  const shown = presentFileStats(movie.id, [probed, file], admin)
  t.match(shown, top)
  t.strictSame(shown.files[0], {
    id: file.id,
    name: 'A Film (2019).mkv',
    path: file.path,
    container: 'matroska',
    size: 1000,
    duration: 5400.12,
    bitrate: 1_000_000,
    video: [{ codec: 'hevc', profile: 'Main 10', width: 1920, height: 800, frameRate: 23.976, bitDepth: 10, hdr: 'hdr10', bitrate: null }],
    audio: [{ codec: 'ac3', channels: 6, language: 'en', title: 'Surround', default: true }],
    subtitles: [
      { codec: 'subrip', language: 'de', title: null, forced: false, default: false, external: false },
      { codec: 'subrip', language: 'en', title: null, forced: false, default: false, external: false },
      { codec: 'subrip', language: 'de', title: null, forced: true, default: false, external: true },
    ],
    chapters: [{ start: 1.5, title: 'One' }],
    modifiedAt: NOW,
    fingerprint: file.fingerprint,
  })
  t.match(shown.files[1], { container: null, duration: null, video: [], audio: [], subtitles: [], chapters: [] }, 'not probed')
  t.strictSame(presentFileStats(movie.id, [probed], ann).files[0]?.path, null)
  t.match(presentFileStats(movie.id, [], ann), { size: 0, container: null, width: null, videoCodec: null, files: [] })

  const server = await startServer(t, {
    services: (services) => ({ ...services, movies: { ...services.movies, files: async () => [probed, file] } }),
  })
  t.strictSame((await server.ask('GET', `${URL}/file-stats`)).json(), JSON.parse(JSON.stringify(shown)))
})

t.test('lists ask the service for what the query says', async (t) => {
  const asked: (MovieQuery & PageRequest)[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      movies: { ...services.movies, list: async (_caller, request) => (asked.push(request), { items: [], next: null }) },
    }),
  })
  const one = idOf('one')
  for (const url of [
    '/v1/movies',
    '/v1/movies?sort=addedAt',
    '/v1/movies?sort=title&order=desc&limit=7',
    `/v1/movies?libraryId=${one}&q=%D0%BA%D1%80%20x`,
    `/v1/movies?libraryId=${one}&libraryId=${library.id}`,
    '/v1/movies/recently-added',
    `/v1/movies/recently-added?libraryId=${one}&limit=3&sort=title`,
  ]) {
    t.equal((await server.ask('GET', url)).status, 200, url)
  }
  t.strictSame(asked, [
    { limit: 20, sort: 'title', order: 'asc' },
    { limit: 20, sort: 'addedAt', order: 'desc' },
    { limit: 7, sort: 'title', order: 'desc' },
    { limit: 20, sort: 'title', order: 'asc', libraryIds: [one], text: 'кр x' },
    { limit: 20, sort: 'title', order: 'asc', libraryIds: [one, library.id] },
    { limit: 20, sort: 'addedAt', order: 'desc' },
    { limit: 3, sort: 'addedAt', order: 'desc', libraryIds: [one] },
  ])
})

t.test('the watched mark is set and taken away', async (t) => {
  const times: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      movieMarks: {
        ...services.movieMarks,
        markWatched: async (caller, id, at, origin) => (times.push(at), services.movieMarks.markWatched(caller, id, at, origin)),
      },
    }),
  })
  t.strictSame((await server.ask('PUT', `${URL}/watched`)).json(), { movieId: movie.id, watched: true, watchedAt: NOW, playCount: 0 })
  await server.ask('PUT', `${URL}/watched`, { body: { watchedAt: '2020-02-29T13:00:00.5+01:00' } })
  t.strictSame(times, [undefined, '2020-02-29T12:00:00.500Z'])
  t.strictSame((await server.ask('DELETE', `${URL}/watched`)).json(), { movieId: movie.id, watched: false, watchedAt: null, playCount: 0 })
  for (const watchedAt of ['yesterday', '2020-02-30T12:00:00Z', '2020-02-29', '2016-12-31T23:59:60Z', null, 5]) {
    t.match(
      await server.ask('PUT', `${URL}/watched`, { body: { watchedAt } }),
      { status: 422, text: /"path":"watchedAt"/ },
      String(watchedAt),
    )
  }
})

t.test('control characters in the texts of an edit are spaces, and a title of nothing else is refused', async (t) => {
  const given: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      movieCorrections: {
        ...services.movieCorrections,
        edit: async (caller, id, edits, origin) => (given.push(edits), services.movieCorrections.edit(caller, id, edits, origin)),
        pinMatch: async (caller, id, pin, origin) => (given.push(pin), services.movieCorrections.pinMatch(caller, id, pin, origin)),
      },
    }),
  })
  await server.ask('PATCH', URL, {
    body: { title: '\u0000A\u0007B', overview: 'One.\nTwo\u0000', tagline: '\u0000', genres: ['War\u001b'] },
  })
  await server.ask('POST', `${URL}/match`, { body: { title: 'A\u0000B' } })
  t.match(given, [{ title: 'A B', overview: 'One.\nTwo', tagline: null, genres: ['War'] }, { title: 'A B' }])
  for (const body of [{ title: '\u0000' }, { genres: [' \u0085'] }]) t.equal((await server.ask('PATCH', URL, { body })).status, 422)
})

t.test('an unknown movie is 404 on every route', async (t) => {
  const server = await startServer(t)
  for (const [method, end] of [
    ['GET', ''],
    ['GET', '/credits'],
    ['GET', '/file-stats'],
    ['PUT', '/watched'],
    ['DELETE', '/watched'],
  ] as const) {
    t.equal((await server.ask(method, `/v1/movies/${idOf('unknown')}${end}`)).status, 404, `${method} ${end}`)
  }
})

t.test('many movies are marked in one request of at most a hundred', async (t) => {
  const server = await startServer(t)
  const mark = (items: readonly object[]) => server.ask('POST', '/v1/movies/marks', { body: { items } })
  const done = await mark([{ movieId: movie.id, watched: true, watchedAt: null, position: 12.5 }])
  t.equal(done.status, 200)
  t.strictSame(done.json(), {
    items: [
      {
        movieId: movie.id,
        before: { watched: false, watchedAt: null, position: 0 },
        after: { watched: true, watchedAt: NOW, position: 0 },
      },
    ],
  })
  t.equal((await mark([{ movieId: idOf('unknown'), watched: true }])).status, 404)
  const item = { movieId: movie.id, watched: true }
  for (const [items, path] of [
    [[], 'items'],
    [Array.from({ length: 101 }, () => item), 'items'],
    [[{ movieId: movie.id }], 'items.0.watched'],
    [[{ ...item, watched: 'yes' }], 'items.0.watched'],
    [[{ ...item, position: -1 }], 'items.0.position'],
    [[{ ...item, watchedAt: 'yesterday' }], 'items.0.watchedAt'],
  ] as const) {
    const refused = await mark(items)
    t.equal(refused.status, 422, path)
    t.match(refused.json(), { details: [{ path }] })
  }
})
