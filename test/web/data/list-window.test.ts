import t from 'tap'
import { anchorOf, indexByKey, isNear, labelAt, MOST_PAGES, pagesFor, pagesToDrop, PAGE_SIZE } from '../../../web/data/list-window.ts'

const TOTAL = 20_000

t.test('a window needs the pages that hold it, and the next one when it is within a screen of it', async (t) => {
  t.strictSame(pagesFor({ first: 0, last: 29 }, TOTAL), [0])
  t.strictSame(pagesFor({ first: 50, last: 79 }, TOTAL), [0, 1])
  t.strictSame(pagesFor({ first: 180, last: 215 }, TOTAL), [1, 2])
  t.strictSame(pagesFor({ first: 19_980, last: 19_999 }, TOTAL), [199])
  t.strictSame(pagesFor({ first: 0, last: 0 }, 0), [])
})

t.test('every film of a window lies on a page that is asked for', async (t) => {
  for (let first = 0; first < 1000; first += 37) {
    for (const length of [1, 12, 40, 120]) {
      const pages = pagesFor({ first, last: Math.min(999, first + length - 1) }, 1000)
      for (let index = first; index <= Math.min(999, first + length - 1); index++) t.ok(pages.includes(Math.floor(index / PAGE_SIZE)))
      t.ok(pages.every((page) => page * PAGE_SIZE < 1000))
    }
  }
})

t.test('a jump is not near, a step is', async (t) => {
  t.ok(isNear([0, 1], []))
  t.ok(isNear([2, 3], [1, 2]))
  t.notOk(isNear([80], [0, 1]))
})

t.test('pages far from the window are given up, and no more than ten are kept', async (t) => {
  const held = Array.from({ length: 15 }, (_, page) => page)
  const dropped = pagesToDrop(held, [2, 3])
  t.equal(held.length - dropped.length, MOST_PAGES)
  t.notOk(dropped.includes(2) || dropped.includes(3))
  t.ok(dropped.includes(14))
})

t.test('a page begins at its anchor, and an index has the label of the anchor before it', async (t) => {
  const anchors = [
    { index: 0, label: 'A', cursor: null },
    { index: 100, label: 'C', cursor: 'c1' },
    { index: 200, label: 'M', cursor: 'c2' },
  ]
  t.equal(anchorOf(anchors, 2)?.cursor, 'c2')
  t.equal(anchorOf(anchors, 3), undefined)
  t.equal(labelAt(anchors, 199), 'C')
})

t.test('arrows move by a film and by a row, and never out of the list', async (t) => {
  const place = { index: 7, columns: 5, total: 12, isRightToLeft: false }
  t.equal(indexByKey('ArrowRight', place), 8)
  t.equal(indexByKey('ArrowLeft', { ...place, isRightToLeft: true }), 8)
  t.equal(indexByKey('ArrowUp', place), 2)
  t.equal(indexByKey('ArrowDown', place), undefined)
  t.equal(indexByKey('End', place), 11)
  t.equal(indexByKey('Home', place), 0)
  t.equal(indexByKey('x', place), undefined)
})
