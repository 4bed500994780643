import t from 'tap'
import type { MovieFacts } from '../../../src/events/movie-events.ts'
import { movieStream } from '../../../src/events/streams.ts'
import { movie as movieDecider } from '../../../src/domain/movies/movie.ts'
import type { MovieId } from '../../../src/vocabulary/id.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { appendFilms } from '../../bench/films.ts'
import { factsOf } from '../../fixtures/film-data.ts'
import { openHouse, ORIGIN, type House } from '../../fixtures/house.ts'

async function furnished(t: Parameters<typeof openHouse>[0]) {
  const house = await openHouse(t)
  const libraryIds = [await house.newLibrary('/media/films'), await house.newLibrary('/media/others')]
  const admin = (await house.person({ role: 'admin' })).caller
  const [film] = await appendFilms(house.town.log, createTestIds({ series: 'e' }), { count: 1, libraryIds })
  if (!film) throw new Error('no film')
  await house.seen()
  return { house, admin, movieId: film.movieId }
}

/** A scan that finds this about the film. */
async function scanFinds(house: House, movieId: MovieId, facts: MovieFacts): Promise<void> {
  const event = { type: 'MovieIdentified', data: { movieId, source: 'nfo', confidence: 1, facts } } as const
  await house.commander.execute({ stream: movieStream(movieId), decider: movieDecider }, () => [event], {
    actor: 'system',
    command: 'scan',
  })
  await house.seen()
}

t.test('a manual fix is not undone by scans: #16268, #6726', async (t) => {
  const { house, admin, movieId } = await furnished(t)
  await house.movieCorrections.edit(admin, movieId, { title: 'The Ägypten', genres: ['Travel'], rating: null }, ORIGIN)
  const found = factsOf('Found', 1950, { genres: ['War'], rating: 3, overview: 'new', cast: [{ name: 'Ann Actor', character: null }] })
  await scanFinds(house, movieId, found)
  const movie = await house.movies.get(admin, movieId)
  t.match(movie, { movie: { details: { title: 'The Ägypten', genres: ['Travel'], rating: null, overview: 'new', year: 1950 } } })
  const list = async (query: object) =>
    (await house.movies.list(admin, { sort: 'title', order: 'asc', limit: 9, ...query })).items.map((item) => item.movie.card.title)
  t.strictSame(await list({ text: 'agypten ann' }), ['The Ägypten'], 'found by the new title, and by the people still')
  t.strictSame(await list({ keys: { genre: ['travel'] } }), ['The Ägypten'])
  t.strictSame(await list({ keys: { genre: ['war'] } }), [])
  t.match(movie, { movie: { sortTitle: 'agypten', card: { title: 'The Ägypten', sortTitle: 'agypten' } } })
})

t.test('a pinned match stays, with its ids, whatever scans find: #7594, #14953', async (t) => {
  const { house, admin, movieId } = await furnished(t)
  const pin = { tmdb: '12720', imdb: null, title: null, year: null }
  t.match(await house.movieCorrections.pinMatch(admin, movieId, pin, ORIGIN), {
    movie: { match: { pinned: true, source: 'manual', confidence: 1 }, details: { externalIds: { tmdb: '12720', imdb: null } } },
  })
  await scanFinds(house, movieId, factsOf('Found', 1950, { externalIds: { tmdb: '1', imdb: 'tt0000001' }, overview: 'new' }))
  t.match(await house.movies.get(admin, movieId), {
    movie: {
      match: { pinned: true, source: 'manual' },
      details: { title: 'Found', year: 1950, overview: 'new', externalIds: { tmdb: '12720', imdb: null } },
    },
  })
  await house.movieCorrections.pinMatch(admin, movieId, { tmdb: null, imdb: null, title: 'Another', year: 1951 }, ORIGIN)
  t.match(await house.movies.get(admin, movieId), {
    movie: { details: { title: 'Another', year: 1951, externalIds: { tmdb: '1', imdb: 'tt0000001' } }, words: ['another'] },
  })
})

t.test('an edit stands above a pinned match', async (t) => {
  const { house, admin, movieId } = await furnished(t)
  await house.movieCorrections.edit(admin, movieId, { year: 1999 }, ORIGIN)
  await house.movieCorrections.pinMatch(admin, movieId, { tmdb: null, imdb: null, title: 'Another', year: 1951 }, ORIGIN)
  t.match(await house.movies.get(admin, movieId), { movie: { details: { title: 'Another', year: 1999 } } })
})

t.test('an edit that says nothing new, and a movie that is not there, leave no event', async (t) => {
  const { house, admin, movieId } = await furnished(t)
  await house.movieCorrections.edit(admin, movieId, { title: 'A' }, ORIGIN)
  const before = (await house.events()).length
  await house.movieCorrections.edit(admin, movieId, { title: 'A' }, ORIGIN)
  await house.movieCorrections.edit(admin, movieId, {}, ORIGIN)
  t.match(await house.movieCorrections.edit(admin, 'x'.repeat(21), { title: 'A' }, ORIGIN), { refusal: 'not-found' })
  t.equal((await house.events()).length, before)
})
