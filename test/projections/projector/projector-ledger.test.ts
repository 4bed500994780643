import t from 'tap'
import { createNewestDocuments, foldLedger, type NewestDocuments } from '../../../projections/projector/projector-fold.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import { audit } from '../../../projections/views/audit.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { START } from '../../../src/events/position.ts'
import type { StoredDocument } from '../../../src/ports/read-store.ts'
import { named } from '../../fixtures/names.ts'
import { createStory } from '../../fixtures/story.ts'

const ledger = audit as unknown as AnyView
const films = named<'library'>('films')
const EVENTS = 1_000
/** Batches that begin in the middle of the audit's tiles of 256 rows. */
const BATCH = 150

async function storedEvents(): Promise<readonly StoredEvent[]> {
  const log = createMemoryEventLog()
  await createStory(log)(Array.from({ length: EVENTS }, () => ({ type: 'LibraryCameOnline', data: { libraryId: films } }) as const))
  const events: StoredEvent[] = []
  for await (const page of log.follow(START, AbortSignal.timeout(10_000))) {
    events.push(...page)
    if (events.length >= EVENTS) break
  }
  return events
}

/** Folds the events batch by batch; counts the queries to the store. */
async function fold(events: readonly StoredEvent[], newestFor: () => NewestDocuments) {
  const store = createMemoryReadStore()
  await store.open([specOf(ledger)])
  let finds = 0
  const find: typeof store.find = (...asked) => {
    finds++
    return store.find(...asked)
  }
  const documents: StoredDocument[] = []
  let from = START
  for (let n = 0; n < events.length; n += BATCH) {
    const batch = events.slice(n, n + BATCH)
    const to = batch.at(-1)?.position ?? from
    const { puts, removes } = await foldLedger({ store: { ...store, find }, newest: newestFor() }, ledger, batch, from)
    await store.commit({ collection: collectionOf(ledger), epoch: 1, from, to, puts, removes })
    documents.push(...puts)
    from = to
  }
  return { documents, finds }
}

t.test('a ledger that grows batch by batch asks the store for none of its newest documents, and is the same', async (t) => {
  const events = await storedEvents()
  const newest = createNewestDocuments()
  const kept = await fold(events, () => newest)
  const asked = await fold(events, createNewestDocuments)
  t.equal(kept.finds, 0, 'a query would make the indexes of a collection that is being filled')
  t.equal(asked.finds, 3, 'a projector that has just started asks for the rows of each tile that it did not begin')
  t.strictSame(kept.documents, asked.documents)
})

t.test('newest documents answer for a range only if they reach back to its beginning', (t) => {
  const newest = createNewestDocuments()
  t.equal(newest.range('seq', 1, 10), undefined)
  newest.added(Array.from({ length: 1_000 }, (_, n) => ({ seq: n + 1 })))
  newest.added([{ root: 'of a tile' }, { seq: 1_001 }])
  t.equal(newest.range('seq', 600, 700), undefined)
  t.strictSame(newest.range('seq', 999, 1_001), [{ seq: 999 }, { seq: 1_000 }, { seq: 1_001 }])
  t.strictSame(newest.range('seq', 1_001, 1_256), [{ seq: 1_001 }])
  t.end()
})
