import t from 'tap'
import type { MovieFacts } from '../../../src/events/movie-events.ts'
import { movieStream } from '../../../src/events/streams.ts'
import { movie as movieDecider } from '../../../src/domain/movies/movie.ts'
import type { MovieId } from '../../../src/vocabulary/id.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { appendMovies } from '../../bench/movies.ts'
import { factsOf } from '../../fixtures/movie-facts.ts'
import { openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

async function furnished(t: Parameters<typeof openNodeFixture>[0]) {
  const node = await openNodeFixture(t)
  const libraryIds = [await node.newLibrary('/media/films'), await node.newLibrary('/media/others')]
  const admin = (await node.person({ role: 'admin' })).caller
  const [film] = await appendMovies(node.cluster.log, createTestIds({ series: 'e' }), { count: 1, libraryIds })
  if (!film) throw new Error('no film')
  await node.seen()
  return { node, admin, movieId: film.movieId }
}

/** A scan that finds these facts of the film. */
async function scanFinds(node: NodeFixture, movieId: MovieId, facts: MovieFacts): Promise<void> {
  const event = { type: 'MovieIdentified', data: { movieId, source: 'nfo', confidence: 1, facts } } as const
  await node.commandHandler.execute({ stream: movieStream(movieId), decider: movieDecider }, () => [event], {
    actor: 'system',
    command: 'scan',
  })
  await node.seen()
}

t.test('a manual fix is not undone by scans: #16268, #6726', async (t) => {
  const { node, admin, movieId } = await furnished(t)
  await node.movieCorrections.edit(admin, movieId, { title: 'The Ägypten', genres: ['Travel'], rating: null }, ORIGIN)
  const found = factsOf('Found', 1950, { genres: ['War'], rating: 3, overview: 'new', cast: [{ name: 'Ann Actor', character: null }] })
  await scanFinds(node, movieId, found)
  const movie = await node.movies.get(admin, movieId)
  t.match(movie, { movie: { details: { title: 'The Ägypten', genres: ['Travel'], rating: null, overview: 'new', year: 1950 } } })
  const list = async (query: object) =>
    (await node.movies.list(admin, { sort: 'title', order: 'asc', limit: 9, ...query })).items.map((item) => item.movie.card.title)
  t.strictSame(await list({ text: 'agypten ann' }), ['The Ägypten'], 'found by the new title, and by the people still')
  t.strictSame(await list({ keys: { genre: ['travel'] } }), ['The Ägypten'])
  t.strictSame(await list({ keys: { genre: ['war'] } }), [])
  t.match(movie, { movie: { card: { title: 'The Ägypten', sortTitle: 'agypten' } } })
})

t.test('a title is found with and without its punctuation', async (t) => {
  const { node, admin, movieId } = await furnished(t)
  await node.movieCorrections.edit(admin, movieId, { title: 'Ocean’s 8:30 – W.A.L.L·E' }, ORIGIN)
  const isFound = async (text: string) =>
    (await node.movies.list(admin, { sort: 'title', order: 'asc', limit: 9, text })).items.some(({ movie }) => movie.card.id === movieId)
  for (const text of ['oceans walle', 'ocean s', 'ocean’s', "OCEAN'S 8:30", '830', '30', 'w.a.l.l']) t.ok(await isFound(text), text)
  for (const text of ['eans', 'oceanss', 'oceans830']) t.notOk(await isFound(text), text)
})

t.test('a title is found by symbols if the text has nothing else', async (t) => {
  const { node, admin, movieId } = await furnished(t)
  const found = async (text: string) =>
    (await node.movies.list(admin, { sort: 'title', order: 'asc', limit: 9, text })).items.some(({ movie }) => movie.card.id === movieId) &&
    (await node.search.search(admin, text, 9)).movies.some(({ movie }) => movie.card.id === movieId)
  for (const [title, texts] of [
    ['$', ['$', ' $ ']],
    ['…', ['…', '...', '.']],
    ['😀', ['😀']],
    ['(*^.*)', ['(*^.*)', '(*']],
    ['Amélie 😀 Party', ['😀', 'amelie', 'party 😀', 'amelie, party!']],
  ] as const) {
    await node.movieCorrections.edit(admin, movieId, { title }, ORIGIN)
    for (const text of texts) t.ok(await found(text), `${title} by ${text}`)
    for (const text of ['€', '$$', '😁', '😀😀', '* *']) t.notOk(await found(text), `${title} by ${text}`)
  }
})

t.test('a pinned match stays, with its ids, whatever scans find: #7594, #14953', async (t) => {
  const { node, admin, movieId } = await furnished(t)
  const pin = { tmdb: '12720', imdb: null, title: null, year: null }
  t.match(await node.movieCorrections.pinMatch(admin, movieId, pin, ORIGIN), {
    movie: { match: { pinned: true, source: 'manual', confidence: 1 }, details: { externalIds: { tmdb: '12720', imdb: null } } },
  })
  await scanFinds(node, movieId, factsOf('Found', 1950, { externalIds: { tmdb: '1', imdb: 'tt0000001' }, overview: 'new' }))
  t.match(await node.movies.get(admin, movieId), {
    movie: {
      match: { pinned: true, source: 'manual' },
      details: { title: 'Found', year: 1950, overview: 'new', externalIds: { tmdb: '12720', imdb: null } },
    },
  })
  await node.movieCorrections.pinMatch(admin, movieId, { tmdb: null, imdb: null, title: 'Another', year: 1951 }, ORIGIN)
  t.match(await node.movies.get(admin, movieId), {
    movie: { details: { title: 'Another', year: 1951, externalIds: { tmdb: '1', imdb: 'tt0000001' } } },
  })
  t.match(await node.readModels.movies.get(movieId), { words: ['another'] })
})

t.test('an edit stands above a pinned match', async (t) => {
  const { node, admin, movieId } = await furnished(t)
  await node.movieCorrections.edit(admin, movieId, { year: 1999 }, ORIGIN)
  await node.movieCorrections.pinMatch(admin, movieId, { tmdb: null, imdb: null, title: 'Another', year: 1951 }, ORIGIN)
  t.match(await node.movies.get(admin, movieId), { movie: { details: { title: 'Another', year: 1999 } } })
})

t.test('an edit that says nothing new, and a movie that is not there, leave no event', async (t) => {
  const { node, admin, movieId } = await furnished(t)
  await node.movieCorrections.edit(admin, movieId, { title: 'A' }, ORIGIN)
  const before = (await node.events()).length
  await node.movieCorrections.edit(admin, movieId, { title: 'A' }, ORIGIN)
  await node.movieCorrections.edit(admin, movieId, {}, ORIGIN)
  t.match(await node.movieCorrections.edit(admin, 'x'.repeat(21), { title: 'A' }, ORIGIN), { refusal: 'not-found' })
  t.equal((await node.events()).length, before)
})
