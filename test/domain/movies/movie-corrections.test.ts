import t from 'tap'
import type { MovieId } from '../../../src/vocabulary/id.ts'
import { movie } from '../../../src/domain/movies/movie.ts'
import { editMovie, pinMatch } from '../../../src/domain/movies/movie-corrections.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const movieId: MovieId = named('movie')
const edited = (changes: object) => ({ type: 'MovieEdited', data: { movieId, changes } }) as const
const pin = { movieId, tmdb: '12720', imdb: null, title: null, year: null }

t.test('an edit says what it names, and only what is new', async (t) => {
  t.strictSame(given(movie).when(editMovie(movieId, { title: 'A', genres: ['Drama'] })), [edited({ title: 'A', genres: ['Drama'] })])
  const before = given(movie, edited({ title: 'A', genres: ['Drama'] }))
  t.strictSame(before.when(editMovie(movieId, { title: 'A', genres: ['Drama'] })), [])
  t.strictSame(before.when(editMovie(movieId, { title: 'A', genres: ['War'], tagline: null })), [
    edited({ genres: ['War'], tagline: null }),
  ])
  t.strictSame(before.when(editMovie(movieId, {})), [])
})

t.test('a match that is pinned already is not pinned again, another one is', async (t) => {
  t.strictSame(given(movie).when(pinMatch(pin)), [{ type: 'MovieMatchPinned', data: pin }])
  const before = given(movie, { type: 'MovieMatchPinned', data: pin })
  t.strictSame(before.when(pinMatch(pin)), [])
  t.strictSame(before.when(pinMatch({ ...pin, tmdb: '1' })), [{ type: 'MovieMatchPinned', data: { ...pin, tmdb: '1' } }])
})
