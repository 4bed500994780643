import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createRehearsal } from '../../../src/app/commands/rehearsal.ts'
import { markUnwatched, markWatched, watched } from '../../../src/domain/movies/user-movie.ts'
import { refuse } from '../../../src/domain/refusal.ts'
import { START } from '../../../src/events/position.ts'
import { watchedStream } from '../../../src/events/streams.ts'
import { iso, NOON } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const mark = { userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }
const target = { stream: watchedStream(mark.userId, mark.movieId), decider: watched }
const watch = markWatched(mark, iso(NOON), { now: iso(NOON), resumable: false, movie: {} })
const author = { actor: 'system', command: 'test' }

/** Whoever loads it from the log gets the initial state: nothing is ever stored. */
const rehearse = () => createRehearsal({ clock: createTestClock(), commandHandler: { load: async ({ decider }) => decider.initial } })

t.test('a rehearsed command sees what the earlier ones of the same rehearsal decided', async (t) => {
  const rehearsal = rehearse()
  t.match(await rehearsal.execute(target, markUnwatched(mark), author), { events: [], position: START })
  t.match(await rehearsal.execute(target, watch, author), { events: [{ type: 'MovieMarkedWatched' }], state: { watchedAt: iso(NOON) } })
  t.match(await rehearsal.load(target), { watchedAt: iso(NOON) })
  t.match(await rehearsal.execute(target, markUnwatched(mark), author), { events: [{ type: 'MovieMarkedUnwatched' }] })
})

t.test('a refusal changes nothing, and another rehearsal begins with the log', async (t) => {
  const rehearsal = rehearse()
  t.match(await rehearsal.execute(target, () => refuse('conflict', 'No'), author), { refusal: 'conflict' })
  await rehearsal.execute(target, watch, author)
  t.match(await rehearse().load(target), { watchedAt: null })
})
