import t from 'tap'
import { complete, dismiss, markUnwatched, markWatched, watched } from '../../../src/domain/movies/user-movie.ts'
import { given, iso, NOON } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const mark = { userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }
const now = iso(NOON)
const earlier = iso(NOON - 86_400_000)
const movie = { libraryId: named<'library'>('films'), title: 'Metropolis', year: 1927 }
const marked = (watchedAt = now) => ({ type: 'MovieMarkedWatched', data: { ...mark, ...movie, watchedAt } }) as const
const unmarked = { type: 'MovieMarkedUnwatched', data: mark } as const
const completed = (word: string) => {
  return { type: 'MovieCompleted', data: { ...mark, sessionId: named<'session'>(word), completedAt: now } } as const
}
const options = { now, resumable: false, movie }

t.test('a movie is marked as watched at the given time', async (t) => {
  t.strictSame(given(watched).when(markWatched(mark, earlier, options)), [marked(earlier)])
  t.strictSame(given(watched).when(markWatched(mark, now, options)), [marked(now)], 'now is not the future')
})

t.test('a time in the future is refused, also for a movie that is watched already', async (t) => {
  const future = iso(NOON + 1)
  t.match(given(watched).when(markWatched(mark, future, options)), { refusal: 'invalid', path: 'watchedAt' })
  t.match(given(watched, marked()).when(markWatched(mark, future, options)), { refusal: 'invalid', path: 'watchedAt' })
})

t.test('marking it again changes nothing and keeps the first time', async (t) => {
  const { state, when } = given(watched, marked(earlier))
  t.strictSame(when(markWatched(mark, now, options)), [])
  t.equal(state.watchedAt, earlier)
})

t.test('marking it again clears a resume point that has come up since, and keeps the first time', async (t) => {
  t.strictSame(given(watched, marked(earlier)).when(markWatched(mark, now, { ...options, resumable: true })), [
    { type: 'MovieMarkedWatched', data: { ...mark, watchedAt: earlier, again: true } },
  ])
})

t.test('unmarking is done once, and a new mark has its own time', async (t) => {
  t.strictSame(given(watched).when(markUnwatched(mark)), [])
  t.strictSame(given(watched, marked()).when(markUnwatched(mark)), [unmarked])
  t.strictSame(given(watched, marked(), unmarked).when(markUnwatched(mark)), [])
  t.strictSame(given(watched, marked(earlier), unmarked).when(markWatched(mark, now, options)), [marked(now)])
})

t.test('a mark by hand does not count as a play, a completed session does', async (t) => {
  t.equal(given(watched, marked()).state.playCount, 0)
  t.match(given(watched, completed('first'), completed('second')).state, { playCount: 2, watchedAt: now })
  t.match(given(watched, completed('first'), unmarked).state, { playCount: 1, watchedAt: null })
})

t.test('a session completes a movie once, also after it was unmarked and after hundreds of others', async (t) => {
  const decide = complete(mark, named('first'), now)
  t.strictSame(given(watched).when(decide), [completed('first')])
  t.strictSame(given(watched, completed('first')).when(decide), [])
  t.strictSame(given(watched, completed('first'), unmarked).when(decide), [])
  const others = Array.from({ length: 300 }, (_, n) => completed(`other${n}`))
  t.strictSame(given(watched, completed('first'), ...others).when(decide), [], 'a child’s favourite film')
})

t.test('a completion keeps the time of an earlier mark', async (t) => {
  t.equal(given(watched, marked(earlier), completed('first')).state.watchedAt, earlier)
})

t.test('a resume point is dismissed', async (t) => {
  t.strictSame(given(watched).when(dismiss(mark)), [{ type: 'ResumePointDismissed', data: mark }])
})
