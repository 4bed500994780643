import t from 'tap'
import { moveInRow, moviesIn, patchMovie, withoutMovie } from '../../../web/data/patches.ts'

const movie = (id: string) => ({ id, title: id, watched: false, watchedAt: null, position: 30 })

t.test('a mark shows wherever the movie stands in an answer, and everything else stays the same object', async (t) => {
  const other = movie('b')
  const home = { user: { id: 'a' }, continueWatching: [{ movieId: 'a', movie: movie('a') }], recentlyAdded: [movie('a'), other] }
  const after = patchMovie(home, 'a', { watched: true, position: 0 })
  t.match(after.continueWatching[0]?.movie, { watched: true, position: 0, title: 'a' })
  t.match(after.recentlyAdded[0], { watched: true })
  t.equal(after.recentlyAdded[1], other)
  t.equal(after.user, home.user, 'a user with the same id is no movie')
  t.match(home.recentlyAdded[0], { watched: false }, 'the old answer is as it was')
})

t.test('an answer without the movie stays the same object', async (t) => {
  const page = { items: [movie('a')], nextCursor: null }
  t.equal(patchMovie(page, 'z', { watched: true }), page)
  t.equal(patchMovie(null, 'z', { watched: true }), null)
})

t.test('a movie leaves the row to continue watching', async (t) => {
  const items = [{ movieId: 'a' }, { movieId: 'b' }]
  t.strictSame(withoutMovie(items, 'a'), [{ movieId: 'b' }])
  t.equal(withoutMovie(items, 'z'), items)
})

t.test('the movies of an answer are found wherever they stand, and nothing else that has an id', async (t) => {
  const home = { user: { id: 'u' }, continueWatching: [{ movieId: 'a', movie: movie('a') }], recentlyAdded: [movie('a'), movie('b')] }
  t.strictSame([...new Set(moviesIn(home))], ['a', 'b'])
  t.strictSame(moviesIn(undefined), [])
})

t.test('a movie that goes on comes first in the row to continue watching', async (t) => {
  const items = [
    { movieId: 'a', position: 1 },
    { movieId: 'b', position: 2 },
  ]
  t.strictSame(moveInRow(items, { movieId: 'b', position: 90 }), [
    { movieId: 'b', position: 90 },
    { movieId: 'a', position: 1 },
  ])
})
