import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createProjectionStatuses } from '../../../src/app/consistency/projection-status.ts'
import { createProjections } from '../../../src/app/consistency/projection-report.ts'
import { createViewGenerations } from '../../../src/app/consistency/view-generations.ts'
import { START, toPosition } from '../../../src/events/position.ts'

const views = [
  { name: 'movies', version: 2 },
  { name: 'users', version: 1 },
]

function setUp() {
  const clock = createTestClock()
  const store = createMemoryReadStore()
  const statuses = createProjectionStatuses(clock, ['movies_g2', 'users_g1'])
  const generations = createViewGenerations({ store, clock })
  const checksums = { of: async (names: readonly string[]) => new Map(names.map((name) => [name, `sum of ${name}`])) }
  return { clock, store, statuses, generations, projections: createProjections({ views, heard: statuses, checksums, generations, store }) }
}

t.test('the report contains each view’s progress, and whether a projector maintains it', async (t) => {
  const { clock, statuses, projections } = setUp()
  const users = { name: 'users', version: 1, position: START, lagMs: null, state: 'waiting', checksum: 'sum of users_g1', rebuild: null }
  t.strictSame(await projections.list(), [{ ...users, name: 'movies', version: 2, checksum: 'sum of movies_g2' }, users])

  const movies = { name: 'movies', version: 2, position: toPosition(7), lagMs: 30, checksum: 'sum of movies_g2', rebuild: null }
  const heard = (isLive: boolean) => statuses.heard({ passed: { movies_g2: toPosition(7) }, head: toPosition(9), lagMs: 30, isLive })
  heard(false)
  t.strictSame(await projections.list(), [{ ...movies, state: 'catching-up', checksum: null }, users])
  heard(true)
  t.strictSame(await projections.list(), [{ ...movies, state: 'live' }, users])
  await clock.advance(5001)
  t.strictSame(await projections.list(), [{ ...movies, state: 'waiting' }, users])
})

t.test('a rebuild starts once, however often it is requested, and reports its progress', async (t) => {
  const { statuses, store, generations, projections } = setUp()
  t.match(await projections.rebuild('nothing'), { refusal: 'not-found' })
  await store.open([{ name: 'movies_g2_r4', fields: {}, indexes: [] }])
  const begun = { name: 'movies', rebuild: { position: START, progress: 0 } }
  t.match(await Promise.all([projections.rebuild('movies'), projections.rebuild('movies')]), [begun, begun])
  t.strictSame(generations.of('movies_g2'), { live: 0, building: 5, retiring: null }, 'no older documents are taken for new ones')
  statuses.heard({ passed: { movies_g2_r5: toPosition(3) }, head: toPosition(12), lagMs: null, isLive: false })
  t.match(await projections.list(), [{ name: 'movies', rebuild: { position: toPosition(3), progress: 0.25 } }, { rebuild: null }])
  t.match(projections.rebuilds(), [
    { name: 'movies', generation: 0, rebuild: { progress: 0.25 } },
    { name: 'users', rebuild: null },
  ])
  await generations.change('movies_g2', () => ({ live: 5, building: null, retiring: 0 }))
  t.match(await projections.list(), [{ name: 'movies', checksum: 'sum of movies_g2_r5', rebuild: null }, { checksum: 'sum of users_g1' }])
})
