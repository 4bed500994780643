import t from 'tap'
import { firstSeenRow, isSameWindow, offsetFor, rowsIn, type RowView } from '../../../web/data/row-window.ts'

const view: RowView = {
  rows: 1000,
  rowPx: 100,
  marginPx: 150,
  offsetPx: 0,
  heightPx: 600,
  coveredStartPx: 50,
  coveredEndPx: 20,
  overscan: 0,
}

t.test('the rows that the window touches exist, and as many beyond its edges as wanted', async (t) => {
  t.strictSame(rowsIn(view), [0, 1, 2, 3, 4])
  t.strictSame(rowsIn({ ...view, overscan: 2 }), [0, 1, 2, 3, 4, 5, 6])
  t.strictSame(rowsIn({ ...view, offsetPx: 1_150 }), [10, 11, 12, 13, 14, 15])
  t.strictSame(rowsIn({ ...view, offsetPx: 1_151, overscan: 1 }), [9, 10, 11, 12, 13, 14, 15, 16, 17])
})

t.test('at the ends, beyond them and in a list without rows nothing else exists', async (t) => {
  t.strictSame(rowsIn({ ...view, rows: 0 }), [])
  t.strictSame(rowsIn({ ...view, offsetPx: -80 }), [0, 1, 2, 3, 4], 'a page that is pulled beyond its beginning')
  t.strictSame(rowsIn({ ...view, offsetPx: 99_900, overscan: 2 }), [995, 996, 997, 998, 999])
  t.strictSame(rowsIn({ ...view, offsetPx: 200_000 }), [999])
  t.strictSame(rowsIn({ ...view, marginPx: 5_000 }), [0], 'a list below the window keeps its first row')
})

t.test('the first row that is seen is the one nearest to the edge of the bar', async (t) => {
  t.equal(firstSeenRow(view), 0)
  t.equal(firstSeenRow({ ...view, offsetPx: 1_100 }), 10)
  t.equal(firstSeenRow({ ...view, offsetPx: 1_149 }), 10)
  t.equal(firstSeenRow({ ...view, offsetPx: 1_150 }), 11)
})

t.test('a row is brought to the start, or as little as possible', async (t) => {
  const at = { ...view, offsetPx: 2_000 }
  t.equal(offsetFor(at, 30, 'start'), 3_100)
  t.equal(offsetFor(at, 0, 'start'), 100)
  t.equal(offsetFor({ ...at, marginPx: 20 }, 0, 'start'), 0)
  t.equal(offsetFor(at, 20, 'nearest'), 2_000, 'it is seen')
  t.equal(offsetFor(at, 10, 'nearest'), 1_100, 'it is above')
  t.equal(offsetFor(at, 30, 'nearest'), 2_670, 'it is below')
  for (const row of [3, 17, 18, 19, 20, 23, 24, 25, 400]) {
    const offsetPx = offsetFor(at, row, 'nearest')
    const top = at.marginPx + row * at.rowPx - offsetPx
    t.ok(top >= at.coveredStartPx && top + at.rowPx <= at.heightPx - at.coveredEndPx, `row ${row} is seen whole`)
  }
})

t.test('a window is another one if a row comes or goes, or the first seen one changes', async (t) => {
  const at = { ...view, offsetPx: 1_110 }
  t.ok(isSameWindow(at, { ...at, offsetPx: 1_112 }))
  t.notOk(isSameWindow(at, { ...at, offsetPx: 1_160 }))
  t.notOk(isSameWindow(at, { ...at, heightPx: 900 }))
})
