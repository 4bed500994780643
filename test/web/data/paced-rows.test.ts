import t from 'tap'
import { nextCells } from '../../../web/data/paced-rows.ts'

const window = { shown: [4, 5, 6, 7], isSeen: (row: number) => row === 5 || row === 6, columns: 7 }
const counts = (cells: ReadonlyMap<number, number>) => [...cells.values()]

t.test('rows that are seen are complete at once, and others are filled a third of a row a frame', async (t) => {
  let cells: ReadonlyMap<number, number> = new Map()
  const frames: (readonly number[])[] = []
  for (let frame = 0; frame < 6; frame++) {
    cells = nextCells(window, cells)
    frames.push(counts(cells))
  }
  t.strictSame(frames, [
    [3, 7, 7, 0],
    [6, 7, 7, 0],
    [7, 7, 7, 2],
    [7, 7, 7, 5],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
  ])
})

t.test('a row keeps its cells while the window moves, and begins again when it has left', async (t) => {
  const before = new Map([
    [4, 7],
    [5, 7],
    [6, 7],
    [7, 2],
  ])
  t.strictSame(
    [...nextCells({ ...window, shown: [5, 6, 7, 8] }, before)],
    [
      [5, 7],
      [6, 7],
      [7, 5],
      [8, 0],
    ],
  )
  t.strictSame(counts(nextCells({ ...window, shown: [3, 4, 5, 6] }, new Map([[5, 7]]))), [3, 0, 7, 7])
})

t.test('more columns are filled as well', async (t) => {
  t.strictSame(counts(nextCells({ ...window, shown: [4, 5], columns: 9 }, new Map([[4, 7]]))), [9, 9])
})
