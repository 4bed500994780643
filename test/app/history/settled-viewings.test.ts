/** Sums of ended viewings are cached as long as they are valid, and are queried in parts if there are too many. */
import t from 'tap'
import type { ViewingDocument } from '../../../projections/views/viewings.ts'
import { createPastViewings, createSettledViewings, OVER } from '../../../src/app/history/settled-viewings.ts'
import { toPosition } from '../../../src/events/position.ts'
import { TooManyGroups, type Sum, type Sums } from '../../../src/ports/read-store.ts'

const OF = 'watchedMs'
const HOUR_MS = 3_600_000
const FROM = Date.parse('2026-01-01T00:00:00.000Z')
const isOver = ({ where = [] }: Sums) => where.includes(OVER)

/** A store with an ended and an active viewing; `most` groups at once, one per hour. */
function openViewings({ most = 100 } = {}) {
  const state = { changedAt: toPosition(1), position: toPosition(1), asked: { over: 0, goingOn: 0 } }
  return {
    state,
    changedAt: async () => state.changedAt,
    position: async () => state.position,
    find: async () => {
      state.asked.goingOn++
      return { items: [{ source: 'playback', watchedMs: 500 } as ViewingDocument], next: null }
    },
    async sum(sums: Sums): Promise<readonly Sum[]> {
      if (isOver(sums)) state.asked.over++
      const bound = (op: string) =>
        Object((sums.where ?? []).find((filter) => filter.field === 'startedAt' && filter.op === op)).value ?? null
      const [from, to] = [Date.parse(bound('gte')), Date.parse(bound('lt'))]
      if (Number.isNaN(from)) return [{ bucket: null, keys: [], count: 1, sum: 1_000 }]
      const first = Math.ceil((from - FROM) / HOUR_MS)
      const hours = Math.max(0, Math.ceil((to - FROM) / HOUR_MS) - first)
      if (hours > most) throw new TooManyGroups('viewings')
      return Array.from({ length: hours }, (_, hour) => ({ bucket: null, keys: [first + hour], count: 1, sum: 1 }))
    },
  }
}

const within = (hours: number): Sums => ({
  where: [
    { field: 'startedAt', op: 'gte', value: new Date(FROM).toISOString() },
    { field: 'startedAt', op: 'lt', value: new Date(FROM + hours * HOUR_MS).toISOString() },
    OVER,
  ],
  by: ['startedAt'],
  of: OF,
})

t.test('what is over is added up once, until something that is over changes; what goes on is added up each time', async (t) => {
  const viewings = openViewings()
  const settled = createSettledViewings(viewings)
  t.strictSame(await settled.sum({ of: OF }), [
    { bucket: null, keys: [], count: 1, sum: 1_000 },
    { bucket: null, keys: [], count: 1, sum: 500 },
  ])
  t.equal((await settled.sum({ of: OF, where: [{ field: 'source', op: 'eq', value: 'manual' }] })).length, 1, 'as filters say')
  t.strictSame(await settled.sum({ of: OF }), await settled.sum({ of: OF }))
  t.strictSame(viewings.state.asked, { over: 2, goingOn: 4 })
  viewings.state.position = toPosition(8)
  await settled.sum({ of: OF })
  t.equal(viewings.state.asked.over, 2, 'events that change nothing that is over')
  viewings.state.changedAt = toPosition(8)
  await settled.sum({ of: OF })
  t.equal(viewings.state.asked.over, 3)
})

t.test('nothing is kept of a store that shows a change before the viewings that have changed', async (t) => {
  const viewings = openViewings()
  const settled = createSettledViewings(viewings)
  viewings.state.changedAt = toPosition(5)
  await settled.sum({ of: OF })
  viewings.state.position = toPosition(5)
  await settled.sum({ of: OF })
  t.equal(viewings.state.asked.over, 2)
  await settled.sum({ of: OF })
  t.equal(viewings.state.asked.over, 2)
})

t.test('more groups than a query gives come in parts of the time, each once', async (t) => {
  for (const settled of [createSettledViewings(openViewings()), createPastViewings(openViewings())]) {
    const groups = await settled.sum(within(1_000))
    t.strictSame(
      groups.map(({ keys }) => keys[0]),
      Array.from({ length: 1_000 }, (_, hour) => hour),
    )
  }
})

t.test('what cannot be parted is refused', async (t) => {
  const settled = createSettledViewings(openViewings({ most: 0 }))
  await t.rejects(settled.sum(within(1)), { code: 'too-many-groups' })
})
