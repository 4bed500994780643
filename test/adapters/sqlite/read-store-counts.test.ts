import { join } from 'node:path'
import t from 'tap'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { createCounts } from '../../../src/adapters/sqlite/read-store-counts.ts'
import { fragment } from '../../../src/adapters/sqlite/read-store-filters.ts'
import type { Statements } from '../../../src/adapters/sqlite/statements.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import { expectedIds, MOVIES, randomMovies, randomQuery } from '../../fixtures/sample-documents.ts'
import { createRandom } from '../../fixtures/random.ts'

const folder = t.testdir()
const films = randomMovies(1, 100)

async function commit(store: ReadStore, number: number, { puts = [], removes = [] }: Partial<Record<'puts' | 'removes', typeof films>>) {
  const [from, to] = [number === 1 ? START : toPosition(number - 1), toPosition(number)]
  const outcome = await store.commit({
    collection: MOVIES.name,
    epoch: 1,
    from,
    to,
    puts,
    removes: removes.map(({ id, at }) => ({ id, at })),
  })
  t.equal(outcome, 'applied')
}

t.test('a count matches the stored documents, regardless of which connection changed them', async (t) => {
  const file = join(folder, 'changed.sqlite')
  const [store, other] = [createSqliteReadStore({ file }), createSqliteReadStore({ file })]
  t.teardown(async () => {
    await store.close()
    await other.close()
  })
  await store.open([MOVIES])
  const random = createRandom(3)
  const filters = Array.from({ length: 40 }, () => randomQuery(random).where ?? [])
  const agree = async (left: typeof films) => {
    for (const where of [...filters, ...filters]) {
      t.equal(await store.count(MOVIES.name, where), expectedIds(left, { where, limit: 1000, scan: 1000 }).length)
    }
  }
  await commit(store, 1, { puts: films })
  await agree(films)
  await commit(store, 2, { removes: films.slice(60) })
  await agree(films.slice(0, 60))
  await commit(other, 3, { puts: films.slice(60, 90), removes: films.slice(0, 10) })
  await agree(films.slice(10, 90))
  await store.drop(MOVIES.name)
  await store.open([MOVIES])
  await agree([])
})

t.test('documents are counted once until one of them changes', (t) => {
  const counted: unknown[] = []
  let version = 1
  const get: Statements['get'] = (sql, values) => {
    if (sql === 'pragma data_version') return { data_version: version }
    return { count: counted.push(values) }
  }
  const counts = createCounts({ get } as Statements, false)
  const count = (value: number) => counts.of('films', fragment('c.f_year = ?', value))
  t.strictSame([count(1999), count(1999), count(2000), count(1999)], [1, 1, 2, 1])
  counts.forget('films')
  t.strictSame([count(1999), count(1999)], [3, 3])
  version = 2
  t.strictSame([count(1999), count(1999)], [4, 4])
  t.end()
})
