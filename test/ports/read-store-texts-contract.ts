/** Tests of lists with an unparsed member that every read store must pass (src/ports/read-store.ts). */
import type { Test } from 'tap'
import type { Json } from '../../src/events/envelope.ts'
import { toPosition } from '../../src/events/position.ts'
import type { CollectionSpec, Query, ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import { MOVIES, randomMovie, randomQuery } from '../fixtures/sample-documents.ts'
import { createRandom } from '../fixtures/random.ts'
import { roundsOf, type Pace, type StoreUnderTest } from './read-store-contract.ts'

const CARDED: CollectionSpec = { ...MOVIES, name: 'carded_g1', fields: { ...MOVIES.fields, card: 'json' } }
const IDS = Array.from({ length: 40 }, (_, n) => `film-${n}`)

export function readStoreTextsContract(t: Test, make: () => Promise<StoreUnderTest>, pace: Pace = { part: 1 }): void {
  t.test('a list with a member as text is the same list, also when documents have changed or gone meanwhile', async (t) => {
    const { store, close } = await make()
    t.teardown(close)
    await store.open([CARDED])
    const random = createRandom(53)
    let at = 0
    const put = (puts: readonly StoredDocument[], removes: readonly string[]) =>
      store.commit({
        collection: CARDED.name,
        epoch: 1,
        from: toPosition(at),
        to: toPosition(++at),
        puts,
        removes: removes.map((id) => ({ id, at: toPosition(at) })),
      })
    const carded = (id: string): StoredDocument => {
      const { body } = randomMovie(random, id)
      const card: Json = random.chance(0.1) ? null : { title: body['title'] ?? null, changed: at }
      return { id, at: toPosition(at), body: random.chance(0.1) ? body : { ...body, card } }
    }
    await put(IDS.map(carded), [])
    for (let round = 0; round < roundsOf(200, pace); round++) {
      const changed = IDS.filter(() => random.chance(0.05))
      const gone = IDS.filter((id) => !changed.includes(id) && random.chance(0.03))
      if (random.chance(0.5)) await put(changed.map(carded), gone)
      const drawn = randomQuery(random)
      const among = random.chance(0.3) ? { among: [...IDS.filter(() => random.chance(0.4)), 'nobody'] } : {}
      const extra = random.chance(0.2) ? ['note'] : []
      const query = { ...drawn, ...among, only: ['card', ...(drawn.sort ? [drawn.sort.field] : []), ...extra] }
      t.strictSame(await pagesOf(store, { ...query, unparsed: 'card' }), await pagesOf(store, query), JSON.stringify(query))
      const cards = { among: IDS.filter(() => random.chance(0.3)), only: ['card'], limit: random.chance(0.8) ? IDS.length : 5 }
      t.strictSame(await pagesOf(store, { ...cards, unparsed: 'card' }), await pagesOf(store, cards), JSON.stringify(cards))
    }
  })
}

/** All documents of a list, with parsed cards. */
async function pagesOf(store: ReadStore, query: Query): Promise<readonly StoredDocument[]> {
  const all: StoredDocument[] = []
  for (let after = query.after; ;) {
    const { documents, next } = await store.find(CARDED.name, { ...query, ...(after ? { after } : {}) })
    for (const document of documents) {
      const card = document.body['card'] ?? null
      all.push({ ...document, body: { ...document.body, card: typeof card === 'string' ? (JSON.parse(card) as Json) : card } })
    }
    if (!next) return all
    after = next
  }
}
