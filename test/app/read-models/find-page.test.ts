import t from 'tap'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { collection, findPage } from '../../../src/app/read-models/read-models.ts'
import { START } from '../../../src/events/position.ts'
import type { Filter, ReadStore } from '../../../src/ports/read-store.ts'
import { collectionOf, type View } from '../../../projections/views/view.ts'

interface Item {
  readonly id: string
  readonly owner: string
  readonly year: number
  readonly kind: string
}

const VIEW: View<Item> = {
  name: 'items',
  version: 1,
  fields: { owner: 'text', year: 'number', kind: 'text' },
  indexes: [['owner', 'year']],
  handles: {},
}
const ITEMS = 25_000
const SORT = { field: 'year', direction: 'asc' } as const
const OWNED: Filter = { field: 'owner', op: 'eq', value: 'ann' }

/** A store that notes how it was counted. */
async function filled() {
  const memory = createMemoryReadStore({ copies: false })
  const name = collectionOf(VIEW)
  const { fields, indexes } = VIEW
  await memory.open([{ name, fields, indexes }])
  const puts = Array.from({ length: ITEMS }, (_, n) => {
    const id = `i${String(n).padStart(5, '0')}`
    return { id, at: START, body: { id, owner: 'ann', year: n % 100, kind: n % 2 === 0 ? 'even' : 'odd' } }
  })
  await memory.commit({ collection: name, epoch: 1, from: START, to: START, puts, removes: [] })
  const asked: string[] = []
  const store: ReadStore = {
    ...memory,
    count: async (...ask) => (asked.push('count'), memory.count(...ask)),
    keys: async (...ask) => {
      const page = await memory.keys(...ask)
      asked.push(`keys ${page.keys.length}`)
      return page
    },
  }
  return { items: collection(store, VIEW), asked }
}

t.test('a total is counted only if it was requested, in one step if an index holds all filters', async (t) => {
  const { items, asked } = await filled()
  const list = { where: [OWNED, { field: 'year', op: 'lt', value: 50 }], sort: SORT } as const
  t.notOk('total' in (await findPage(items, list, { limit: 2 })))
  t.strictSame(asked, [])
  const page = await findPage(items, list, { limit: 2, counted: true })
  t.match(page, { total: ITEMS / 2, items: { length: 2 } })
  t.strictSame(asked, ['count'])
})

t.test('without such an index the keys are walked in parts', async (t) => {
  const { items, asked } = await filled()
  const list = { where: [OWNED, { field: 'kind', op: 'eq', value: 'odd' }], sort: SORT } as const
  t.match(await findPage(items, list, { limit: 2, counted: true }), { total: ITEMS / 2 })
  t.strictSame(asked, ['keys 5000', 'keys 5000', 'keys 2500'])
})
