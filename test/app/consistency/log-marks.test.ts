import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { assertHolds, faultOfViews, markOf } from '../../../src/app/consistency/log-marks.ts'
import { markDocument, openProgress, progressCollectionOf, storedMarks } from '../../../src/app/consistency/stored-progress.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { all } from '../../fixtures/event-log-contract.ts'
import { someEvent } from '../../fixtures/events.ts'

const FILMS = { name: 'films_g1', fields: {}, indexes: [] } as const
const USERS = { name: 'users_g1', fields: {}, indexes: [] } as const
const clock = { ...createTestClock(), sleep: async () => {} }

async function logOf(count: number): Promise<{ readonly log: EventLog; readonly last: StoredEvent }> {
  const log = createMemoryEventLog()
  for (let n = 0; n < count; n++) await log.append('movie-a', n === 0 ? 'absent' : n - 1, [someEvent()])
  const last = (await all(log.read('movie-a'))).at(-1)
  if (!last) throw new Error('A log of no events')
  return { log, last }
}

/** A store whose views have reached this event. */
async function storeAt(event: StoredEvent) {
  const store = createMemoryReadStore()
  await store.open([FILMS])
  const from = await openProgress(store, [FILMS], 1)
  if (from === undefined) throw new Error('fenced')
  const commit = { epoch: 1, from, to: event.position, removes: [] }
  await store.commit(
    { ...commit, collection: FILMS.name, puts: [] },
    { ...commit, collection: progressCollectionOf([FILMS]), puts: [markDocument(markOf(event))] },
  )
  return store
}

t.test('views of this log are taken, also when it has gone on since', async (t) => {
  const { log, last } = await logOf(3)
  const store = await storeAt(last)
  t.equal(await faultOfViews({ log, store, collections: [FILMS.name], clock }), undefined)
  await log.append('movie-a', 2, [someEvent()])
  t.equal(await faultOfViews({ log, store, collections: [FILMS.name], clock }), undefined)
  await assertHolds(log, markOf(last), clock)
})

t.test('views of a shorter log, and of one as long with other events, are not', async (t) => {
  const { last } = await logOf(3)
  const store = await storeAt(last)
  for (const count of [2, 3, 5]) {
    const { log } = await logOf(count)
    t.match(await faultOfViews({ log, store, collections: [FILMS.name], clock }), /^event position 3 is another one there$/)
    await t.rejects(assertHolds(log, markOf(last), clock), { code: 'other-log', message: /MARQUEE_EVENT_LOG.*MARQUEE_READ_STORE/ })
  }
})

t.test('views that are ahead of the log are reported even without a mark, as an earlier version left them', async (t) => {
  const { last } = await logOf(3)
  const store = await storeAt(last)
  await store.drop(progressCollectionOf([FILMS]))
  const judged = { store, collections: [FILMS.name], clock }
  t.match(await faultOfViews({ ...judged, log: (await logOf(2)).log }), /^they are at position 3, and the log ends at position 2$/)
  t.equal(await faultOfViews({ ...judged, log: (await logOf(3)).log }), undefined)
})

t.test('a mark stays when the views are kept together with others from here on', async (t) => {
  const { last } = await logOf(3)
  const store = await storeAt(last)
  await store.open([USERS])
  await openProgress(store, [FILMS, USERS], 2)
  t.strictSame(await storedMarks(store), [markOf(last)])
})
