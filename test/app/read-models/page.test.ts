import t from 'tap'
import { pageOf, type ListPage, type PagePoint } from '../../../src/app/read-models/page.ts'

const items = ['c2', 'a1', 'b1', 'a2', 'c1'].map((id) => ({ id, name: id.slice(0, 1) }))

function walk(limit: number, descending: boolean): readonly string[] {
  const found: string[] = []
  let after: PagePoint | null = null
  for (let pages = 0; pages < 10; pages++) {
    const page: ListPage<(typeof items)[number]> = pageOf(items, { limit, ...(after ? { after } : {}) }, ({ name }) => name, descending)
    found.push(...page.items.map(({ id }) => id))
    after = page.next
    if (!after) return found
  }
  return found
}

t.test('a walk gives every item once in the order of its key, ids rising in both directions', async (t) => {
  for (const limit of [1, 2, 3, 5, 100]) {
    t.strictSame(walk(limit, false), ['a1', 'a2', 'b1', 'c1', 'c2'], `${limit} a page`)
    t.strictSame(walk(limit, true), ['c1', 'c2', 'b1', 'a1', 'a2'], `${limit} a page, descending`)
  }
})

t.test('the last page is marked as the last, also when it is exactly full', async (t) => {
  t.equal(pageOf(items, { limit: 5 }, ({ name }) => name).next, null)
  t.strictSame(pageOf(items, { limit: 4 }, ({ name }) => name).next, { value: 'c', id: 'c1' })
  t.strictSame(
    pageOf([], { limit: 5 }, () => ''),
    { items: [], next: null },
  )
})

t.test('a walk goes on where it was, though the item that it stopped at is gone', async (t) => {
  t.match(pageOf(items, { limit: 2, after: { value: 'a', id: 'a3' } }, ({ name }) => name).items, [{ id: 'b1' }, { id: 'c1' }])
})
