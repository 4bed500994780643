import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createProjectionStatuses } from '../../../src/app/consistency/projection-status.ts'
import { createProjections } from '../../../src/app/consistency/projection-report.ts'
import { START, toPosition } from '../../../src/events/position.ts'

const views = [
  { name: 'movies', version: 2 },
  { name: 'users', version: 1 },
]

t.test('of each view it is told how far it is, and whether a projector keeps it', async (t) => {
  const clock = createTestClock()
  const statuses = createProjectionStatuses(clock, ['movies_g2', 'users_g1'])
  const projections = createProjections(views, statuses)
  const users = { name: 'users', version: 1, position: START, lagMs: null, state: 'waiting' }
  t.strictSame(projections.list(), [{ ...users, name: 'movies', version: 2 }, users])

  const movies = { name: 'movies', version: 2, position: toPosition(7), lagMs: 30 }
  const heard = (isLive: boolean) => statuses.heard({ passed: { movies_g2: toPosition(7) }, head: toPosition(9), lagMs: 30, isLive })
  heard(false)
  t.strictSame(projections.list(), [{ ...movies, state: 'catching-up' }, users])
  heard(true)
  t.strictSame(projections.list(), [{ ...movies, state: 'live' }, users])
  await clock.advance(5001)
  t.strictSame(projections.list(), [{ ...movies, state: 'waiting' }, users])
})
