/** Counts the documents that a query makes the server examine, on a fake collection that records its pipelines. */
import type { Document } from 'mongodb'
import t from 'tap'
import type { KnownCollection } from '../../../src/adapters/mongodb/read-store-collections.ts'
import { findPage } from '../../../src/adapters/mongodb/read-store-find.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'

const spec = { name: 'films_g1', fields: { title: 'text', seen: 'boolean' }, indexes: [['title']] } as const
const COUNT = 3_000
const LIMIT = 20
const WIDEST = 2_000

/** Documents sorted by title, of which every nth was watched. Each pipeline is [match, sort, limit, match, limit]. */
function openCollection(everyNth: number) {
  const looks: number[] = []
  const all = Array.from({ length: COUNT }, (_, n) => {
    const id = String(n).padStart(4, '0')
    return { _id: id, _at: id, live: true, body: { title: id, seen: n % everyNth === 0 } }
  })
  const documents = {
    aggregate(stages: readonly Document[]) {
      const looked = Number(stages.find((stage) => '$limit' in stage)?.['$limit'])
      const given = Number(stages.findLast((stage) => '$limit' in stage)?.['$limit'])
      const from = Number(stages.find((stage) => '$skip' in stage)?.['$skip'] ?? 0)
      const isFiltered = stages.filter((stage) => '$match' in stage).length > 1
      const some = all.slice(from, from + looked)
      looks.push(some.length)
      return { toArray: async () => (isFiltered ? some.filter(({ body }) => body.seen) : some).slice(0, given) }
    },
  }
  const connection = { db: () => ({ command: async ({ limit }: { readonly limit: number }) => ({ n: Math.min(COUNT, limit) }) }) }
  const known = { spec, place: spec.name, documents, walked: new Map() } as unknown as KnownCollection
  return { looks, deps: { connection: connection as never, clock: createTestClock(), known } }
}

const query = {
  where: [{ field: 'seen', op: 'eq', value: true }],
  sort: { field: 'title', direction: 'asc' },
  limit: LIMIT,
} as const

t.test('a filter that every second document meets makes the server examine four pages, not two thousand documents', async (t) => {
  const { looks, deps } = openCollection(2)
  const { documents, next } = await findPage(deps, query)
  t.equal(documents.length, LIMIT)
  t.equal(next?.value, documents.at(-1)?.id)
  t.strictSame(looks, [4 * (LIMIT + 1)])
})

t.test('a filter that few documents meet makes it look further in growing steps, up to the limit of all', async (t) => {
  for (const everyNth of [5, 30, 90, 400]) {
    const { looks, deps } = openCollection(everyNth)
    const { documents, next } = await findPage(deps, query)
    const within = Math.min(LIMIT, Math.ceil(WIDEST / everyNth))
    t.strictSame(
      documents.map(({ id }) => Number(id)),
      Array.from({ length: within }, (_, n) => n * everyNth),
    )
    t.ok(next, 'there is more')
    t.strictSame(looks.slice(0, 2), [84, 336])
    t.ok(looks.reduce((sum, look) => sum + look, 0) <= 1.9 * WIDEST, `${looks.join(', ')} documents`)
  }
})
