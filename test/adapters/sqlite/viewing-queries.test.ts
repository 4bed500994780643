/** Lists and sums of viewings must be searches along an index by time: SQLite's plan of each is checked. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import type { Fragment } from '../../../src/adapters/sqlite/read-store-filters.ts'
import { walkOf } from '../../../src/adapters/sqlite/read-store-find.ts'
import { sumsOf } from '../../../src/adapters/sqlite/read-store-sums.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { OVER } from '../../../src/app/history/settled-viewings.ts'
import type { Filter } from '../../../src/ports/read-store.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { viewings } from '../../../projections/views/viewings.ts'

const spec = specOf(viewings as unknown as AnyView)
const file = join(t.testdir(), 'store.sqlite')
const store = createSqliteReadStore({ file })
await store.open([spec])
await store.buildIndexes([spec.name])
const db = new DatabaseSync(file)
t.teardown(async () => {
  db.close()
  await store.close()
})

const planOf = ({ sql, values }: Fragment): readonly string[] =>
  db
    .prepare(`explain query plan ${sql}`)
    .all(...values)
    .map(({ detail }) => String(detail))

const is = (field: string, value: string | boolean | null): Filter => ({ field, op: 'eq', value })
const SHOWN = is('hidden', false)
const WITHIN: readonly Filter[] = [
  { field: 'startedAt', op: 'gte', value: '2026-01-01' },
  { field: 'startedAt', op: 'lt', value: '2026-02-01' },
]
const NEWEST = { field: 'startedAt', direction: 'desc' } as const
/** With the leading fields of the index. */
const FILTERS: readonly (readonly [string, readonly Filter[]])[] = [
  ['hidden', []],
  ['hidden,userId', [is('userId', 'ann')]],
  ['hidden,movieId', [is('movieId', 'heat')]],
  ['hidden,userId,movieId', [is('userId', 'ann'), is('movieId', 'heat')]],
  ['hidden,libraryId', [is('libraryId', 'films')]],
  ['hidden,clientKey', [is('clientKey', 'tv')]],
]

t.test('each filter of the history walks along an index of its own, newest first', async (t) => {
  for (const [index, filters] of FILTERS) {
    for (const more of [[], [is('completed', true)], [is('source', 'import')]]) {
      const { page } = walkOf(spec, { where: [SHOWN, ...filters, ...more, ...WITHIN], sort: NEWEST, limit: 20 })
      const plan = planOf(page)
      t.match(plan.join('\n'), `${spec.name}:${index},startedAt`, index)
      // Viewings of the same moment are sorted by id.
      t.notMatch(plan.join('\n'), /TEMP B-TREE(?! FOR LAST TERM)|^SCAN c/m, index)
    }
  }
})

t.test('sums read the viewings of their time, and no others', async (t) => {
  for (const [index, filters] of FILTERS) {
    const sums = { where: [SHOWN, ...filters, ...WITHIN, OVER], by: ['userId', 'movieId'], of: 'watchedMs' }
    t.match(planOf(sumsOf(spec, sums)).join('\n'), new RegExp(`SEARCH c .*:${index},startedAt.*startedAt>\\? AND f_startedAt<\\?`), index)
  }
})

t.test('viewings that go on, and those of an import, are found by that alone', async (t) => {
  const goingOn = walkOf(spec, { where: [SHOWN, is('endedAt', null)], limit: 1_000 })
  t.match(planOf(goingOn.page).join('\n'), /SEARCH .*:hidden,endedAt/)
  const imported = walkOf(spec, { where: [is('importId', 'x')], sort: { field: 'startedAt', direction: 'asc' }, limit: 500 })
  t.match(planOf(imported.page).join('\n'), /SEARCH .*:importId/)
})
