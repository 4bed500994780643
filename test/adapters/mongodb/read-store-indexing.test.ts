import t from 'tap'
import { makeIndexes } from '../../../src/adapters/mongodb/read-store-indexing.ts'
import { indexesOf } from '../../../src/adapters/mongodb/read-store-schema.ts'
import { MOVIES } from '../../fixtures/sample-documents.ts'

const NAMES = indexesOf(MOVIES).map(({ name }) => name)

/** The names of the indexes that each command makes. */
async function madeBy({ count, transactions, there = [] }: { count: number; transactions: boolean; there?: readonly string[] }) {
  const commands: (readonly string[])[] = []
  const documents = {
    listIndexes: () => ({ toArray: async () => ['_id_', ...there].map((name) => ({ name })) }),
    estimatedDocumentCount: async () => count,
    createIndexes: async (indexes: readonly { readonly name: string }[]) => commands.push(indexes.map(({ name }) => name)),
  }
  await makeIndexes({ connection: { hasTransactions: async () => transactions }, documents: documents as never }, MOVIES)
  return commands
}

t.test('one command makes all missing indexes, fewer if the documents are many, and one each without transactions', async (t) => {
  t.strictSame(await madeBy({ count: 0, transactions: true }), [NAMES])
  t.strictSame(await madeBy({ count: 20_000, transactions: true, there: ['ids'] }), [NAMES.filter((name) => name !== 'ids')])
  t.strictSame(await madeBy({ count: 100_000, transactions: true }), [NAMES.slice(0, 5), NAMES.slice(5, 10)])
  for (const many of [
    { count: 2_000_000, transactions: true },
    { count: 0, transactions: false },
  ])
    t.strictSame(
      await madeBy(many),
      NAMES.map((name) => [name]),
    )
  t.strictSame(await madeBy({ count: 0, transactions: true, there: NAMES }), [])
})
