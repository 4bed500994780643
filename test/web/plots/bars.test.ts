import t from 'tap'
import { labelled, seriesOf, stackedBars } from '../../../web/plots/bars-layout.ts'
import { levelOf, mostIn, weekCell, WEEK_CELLS } from '../../../web/plots/heat-map-layout.ts'
import { stepsOf } from '../../../web/plots/steps-layout.ts'

const BOX = { width: 400, height: 200, start: 40, bottom: 20, top: 10 }
const DATA = {
  total: [3, 0, 7, 1.5],
  series: [
    { key: 'direct', label: 'direct', values: [1, 0, 4, 1.5] },
    { key: 'remux', label: 'remux', values: [2, 0, 1, 0] },
  ],
}

t.test('the parts of each bar add up to what the API counts, and their heights to their sum', async (t) => {
  const series = seriesOf(DATA)
  const { bars, baseline } = stackedBars(series, DATA.total.length, BOX)
  for (const [bucket, total] of DATA.total.entries()) {
    const parts = bars.filter((bar) => bar.bucket === bucket)
    t.equal(
      parts.reduce((sum, { value }) => sum + value, 0),
      total,
    )
    t.ok(parts.every(({ height }) => height > 0))
    const top = Math.min(baseline, ...parts.map(({ y }) => y))
    const heights = parts.reduce((sum, { height }) => sum + height, 0)
    t.ok(Math.abs(baseline - top - heights) < 1e-6, 'they stand on each other')
  }
  const highest = bars.find(({ bucket }) => bucket === 2)
  const lowest = bars.find(({ bucket }) => bucket === 3)
  t.ok(Math.abs((highest?.height ?? 0) / (lowest?.height ?? 1) - 4 / 1.5) < 1e-6, 'heights are in the proportion of the numbers')
})

t.test('what is in none of the named series is one more, and nothing if there is nothing', async (t) => {
  t.strictSame(seriesOf(DATA).at(-1), { key: null, label: null, values: [0, 0, 2, 0], isRest: true })
  t.equal(seriesOf({ total: [3, 0, 5, 1.5], series: DATA.series }).length, 2)
  t.strictSame(seriesOf({ total: [3], series: [] }), [{ key: null, label: null, values: [3] }])
})

t.test('no bar leaves the picture, whatever there is', async (t) => {
  for (const values of [[], [0], [1e9], Array.from({ length: 400 }, (_, index) => index)]) {
    const { bars, ticks, middles } = stackedBars([{ key: null, label: null, values }], values.length, BOX)
    t.ok(
      bars.every(({ x, y, width, height }) => x >= BOX.start && x + width <= BOX.width && y >= BOX.top - 1e-6 && y + height <= 180 + 1e-6),
    )
    t.equal(middles.length, values.length)
    t.ok(ticks.length > 0)
  }
})

t.test('labels are as many as there is room for, the last among them', async (t) => {
  t.strictSame(labelled(7, 3), [0, 3, 6])
  t.strictSame(labelled(5, 10), [0, 1, 2, 3, 4])
  t.equal(labelled(365, 6).at(-1), 364)
  t.ok(labelled(365, 6).length <= 6)
})

t.test('the hours of the week have 168 cells, none upon another', async (t) => {
  const box = { width: 524, start: 44, top: 20, row: 26 }
  const cells = Array.from({ length: WEEK_CELLS }, (_, index) => weekCell(index, box))
  t.equal(new Set(cells.map(({ x, y }) => `${x} ${y}`)).size, 168)
  t.match(cells[25], { x: 44 + 20, y: 46 })
  t.equal(levelOf(0, 10), 0)
  t.equal(levelOf(0.001, 10), 1, 'a little is more than nothing')
  t.equal(levelOf(10, 10), 5)
  t.equal(mostIn([0, 3, 9, 9]), 2)
  t.equal(mostIn([0, 0]), undefined)
})

t.test('the steps of what goes on at once are as long as the stretches of time', async (t) => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString()
  const concurrency = {
    from: at(0),
    to: at(10),
    tz: 'UTC',
    exact: true,
    max: { at: at(4), count: 2 },
    points: [
      { at: at(0), count: 0 },
      { at: at(2), count: 1 },
      { at: at(4), count: 2 },
      { at: at(5), count: 0 },
    ],
  }
  const { marks, path } = stepsOf(concurrency, { ...BOX, start: 0, width: 1000 })
  t.strictSame(
    marks.map(({ count, x, width }) => [count, x, width]),
    [
      [1, 200, 200],
      [2, 400, 100],
    ],
  )
  t.match(path, /^M0,/)
})
