/** Wraps a read store so that a view is read under its own name, whichever generation of it is live (view-generations.ts). */
import { NoCollection, type ReadStore } from '../../ports/read-store.ts'
import type { ViewGenerations } from './view-generations.ts'

export function createLiveStore(store: ReadStore, generations: Pick<ViewGenerations, 'fresh' | 'liveOf' | 'load'>): ReadStore {
  const { fresh, liveOf, load } = generations

  async function live<Value>(collection: string, work: (name: string) => Promise<Value>): Promise<Value> {
    const reading = fresh()
    if (reading) await reading
    const name = liveOf(collection)
    const cause = store.lost?.(name)
    if (cause !== undefined) throw cause
    try {
      return await work(name)
    } catch (cause) {
      // The generation was replaced and dropped since this node looked.
      if (!(cause instanceof NoCollection)) throw cause
      await load()
      if (liveOf(collection) === name) throw cause
      return work(liveOf(collection))
    }
  }

  // List the methods, so that a new read method does not compile until it is handled here.
  const others: Pick<ReadStore, 'buildIndexes' | 'close' | 'collections' | 'commit' | 'drop' | 'lastEpoch' | 'lost'> = store
  return {
    ...others,
    async open(specs) {
      await load()
      return store.open(specs.map((spec) => ({ ...spec, name: liveOf(spec.name) })))
    },
    get: (collection, ...ask) => live(collection, (name) => store.get(name, ...ask)),
    getMany: (collection, ids) => live(collection, (name) => store.getMany(name, ids)),
    find: (collection, query) => live(collection, (name) => store.find(name, query)),
    keys: (collection, query) => live(collection, (name) => store.keys(name, query)),
    count: (collection, where) => live(collection, (name) => store.count(name, where)),
    tally: (collection, field, range) => live(collection, (name) => store.tally(name, field, range)),
    sum: (collection, sums) => live(collection, (name) => store.sum(name, sums)),
    checkpoint: (collection) => live(collection, (name) => store.checkpoint(name)),
  }
}
