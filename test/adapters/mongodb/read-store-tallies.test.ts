/** How many commands the counts of a field's values take. */
import type { Document } from 'mongodb'
import t from 'tap'
import type { MongoConnection } from '../../../src/adapters/mongodb/connection.ts'
import type { KnownCollection } from '../../../src/adapters/mongodb/read-store-collections.ts'
import { readTallies } from '../../../src/adapters/mongodb/read-store-tallies.ts'

const VALUES = Array.from({ length: 40 }, (_, n) => `genre ${String(n).padStart(2, '0')}`)
/** Values that no document holds any more. */
const GONE: ReadonlySet<string> = new Set(['genre 01', 'genre 02', 'genre 07'])

function openValues() {
  const asked = { lists: 0, counts: 0, atOnce: 0 }
  let running = 0
  const find = ({ _id: { $gt = '' } }: Document, { limit }: Document) => ({
    async toArray() {
      asked.lists++
      return VALUES.filter((value) => value > $gt)
        .slice(0, Number(limit))
        .map((_id) => ({ _id }))
    },
  })
  const command = async ({ query }: Document) => {
    asked.counts++
    asked.atOnce = Math.max(asked.atOnce, ++running)
    await new Promise(setImmediate)
    running--
    const [{ 'body.genres': value = '' } = {}] = (query as { readonly $and: readonly Record<string, string>[] }).$and
    return { n: GONE.has(value) ? 0 : 7 }
  }
  const connection = { db: () => ({ collection: () => ({ find }), command }) } as unknown as MongoConnection
  const known = { place: 'films_g1.x' } as KnownCollection
  const values = async (range: { readonly limit: number; readonly after?: string }) =>
    (await readTallies(connection, known, { field: 'genres', range: { prefix: 'genre', ...range } })).map(({ value }) => value)
  return { asked, values }
}

t.test('values are listed by one command, and eight of them are counted at once', async (t) => {
  const { asked, values } = openValues()
  t.strictSame(
    await values({ limit: 1000 }),
    VALUES.filter((value) => !GONE.has(value)),
  )
  t.strictSame(asked, { lists: 1, counts: 40, atOnce: 8 })
})

t.test('no more values are counted than are asked for, but for those that nothing holds', async (t) => {
  const { asked, values } = openValues()
  t.strictSame(await values({ limit: 1 }), ['genre 00'])
  t.strictSame({ ...asked }, { lists: 1, counts: 1, atOnce: 1 })
  t.strictSame(await values({ limit: 3 }), ['genre 00', 'genre 03', 'genre 04'])
  t.equal(asked.counts, 1 + 5)
  t.strictSame(await values({ limit: 2, after: 'genre 06' }), ['genre 08', 'genre 09'])
})
