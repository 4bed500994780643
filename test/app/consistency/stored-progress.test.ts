import t from 'tap'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { forgetProgressOfGone, openProgress, progressCollectionOf, storedPositions } from '../../../src/app/consistency/stored-progress.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { CollectionSpec, ReadStore } from '../../../src/ports/read-store.ts'

const spec = (name: string, fields: CollectionSpec['fields'] = {}): CollectionSpec => ({ name, fields, indexes: [] })
const [films, users, scans] = [spec('films_g1'), spec('users_g1'), spec('scans_g1')]
const [FIVE, NINE] = [toPosition(5), toPosition(9)]

async function openStore(): Promise<ReadStore> {
  const store = createMemoryReadStore()
  await store.open([films, users, scans])
  return store
}

const waitFor = (store: ReadStore, specs: readonly CollectionSpec[], [from, to]: readonly [Position, Position]) =>
  store.commit({ collection: progressCollectionOf(specs), epoch: 1, from, to, puts: [], removes: [] })

t.test('one position speaks of a whole set, also of what nothing concerned', async (t) => {
  const store = await openStore()
  t.equal(await openProgress(store, [films, users], 1), START)
  await waitFor(store, [films, users], [START, NINE])
  await store.commit({ collection: 'scans_g1', epoch: 1, from: START, to: FIVE, puts: [], removes: [] })
  const positions = await storedPositions(store, ['films_g1', 'users_g1', 'scans_g1'])
  t.strictSame(
    [...positions],
    [
      ['films_g1', NINE],
      ['users_g1', NINE],
      ['scans_g1', FIVE],
    ],
  )
})

t.test('a store is asked for one position of all that a projector keeps, not for each of them', async (t) => {
  const store = await openStore()
  await openProgress(store, [films, users, scans], 1)
  let asked = 0
  const checkpoint: ReadStore['checkpoint'] = (name) => {
    asked++
    return store.checkpoint(name)
  }
  await storedPositions({ ...store, checkpoint }, ['films_g1', 'users_g1', 'scans_g1'])
  t.equal(asked, 1)
})

t.test('opened again it goes on where it was, whatever the order of the set', async (t) => {
  const store = await openStore()
  await openProgress(store, [films, users], 1)
  await waitFor(store, [films, users], [START, NINE])
  t.equal(await openProgress(store, [users, films], 2), NINE)
})

t.test('taking collections of other sets drops their progress, and leaves the rest alone', async (t) => {
  const store = await openStore()
  await openProgress(store, [films, users], 1)
  await openProgress(store, [scans], 1)
  await waitFor(store, [films, users], [START, NINE])
  await waitFor(store, [scans], [START, NINE])
  t.equal(await openProgress(store, [users], 2), START)
  const positions = await storedPositions(store, ['films_g1', 'users_g1', 'scans_g1'])
  t.strictSame([positions.get('films_g1'), positions.get('users_g1'), positions.get('scans_g1')], [START, START, NINE])
})

t.test('a collection that was rebuilt starts from the beginning', async (t) => {
  const store = await openStore()
  await openProgress(store, [films], 1)
  await waitFor(store, [films], [START, NINE])
  const again = spec('films_g1', { title: 'text' })
  await store.open([again])
  t.equal(await openProgress(store, [again], 2), START)
  t.equal((await storedPositions(store, ['films_g1'])).get('films_g1'), START)
})

t.test('progress of collections that are gone is removed, too', async (t) => {
  const store = await openStore()
  await openProgress(store, [films], 1)
  await openProgress(store, [users, scans], 1)
  await store.drop('films_g1')
  await store.drop('users_g1')
  await forgetProgressOfGone(store)
  t.strictSame((await store.collections()).toSorted(), [progressCollectionOf([users, scans]), 'scans_g1'])
})

t.test('a replaced projector learns that it was replaced', async (t) => {
  const store = await openStore()
  const collection = progressCollectionOf([films])
  await store.open([spec(collection)])
  await store.commit({ collection, epoch: 5, from: START, to: START, puts: [], removes: [] })
  t.equal(await openProgress(store, [films], 4), undefined)
})

/** Another projector drops the collection after it was listed and before it is read. */
function droppedOnceListed(store: ReadStore, collection: string): ReadStore {
  const collections: ReadStore['collections'] = async () => {
    const names = await store.collections()
    await store.drop(collection)
    return names
  }
  return { ...store, collections }
}

t.test('progress that another projector drops during a take-over is left out, and no TypeError is reported', async (t) => {
  const taken = progressCollectionOf([films, users])
  const open = async (): Promise<ReadStore> => {
    const store = await openStore()
    await openProgress(store, [films, users], 1)
    return droppedOnceListed(store, taken)
  }
  t.strictSame(await storedPositions(await open(), ['films_g1']), new Map([['films_g1', START]]))
  t.equal(await openProgress(await open(), [films], 2), START)
  t.equal(await openProgress(await open(), [films, users], 2), undefined, 'its own: another one has taken over')
  await forgetProgressOfGone(await open())
})
