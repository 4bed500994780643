import t from 'tap'
import { placeByKey } from '../../../web/data/places.ts'

/** Twelve cards, five in a row. */
const boxes = Array.from({ length: 12 }, (_, index) => ({ x: (index % 5) * 100, y: Math.floor(index / 5) * 200, height: 180 }))
const from = (index: number, key: string) => placeByKey(key, { boxes, index })

t.test('arrows move by a card and by a row, and stop at the ends', async (t) => {
  t.equal(from(6, 'ArrowRight'), 7)
  t.equal(from(6, 'ArrowLeft'), 5)
  t.equal(from(6, 'ArrowUp'), 1)
  t.equal(from(6, 'ArrowDown'), 11)
  t.equal(from(9, 'ArrowDown'), 11, 'the last row is shorter: its nearest card')
  t.equal(from(4, 'ArrowRight'), undefined)
  t.equal(from(0, 'ArrowUp'), undefined)
  t.equal(from(11, 'ArrowDown'), undefined)
})

t.test('Home and End go to the first and the last card, other keys nowhere', async (t) => {
  t.equal(from(6, 'Home'), 0)
  t.equal(from(6, 'End'), 11)
  t.equal(from(6, 'Enter'), undefined)
})

t.test('in a language that is written from right to left, left is where the next card is', async (t) => {
  const mirrored = boxes.map((box) => ({ ...box, x: -box.x }))
  t.equal(placeByKey('ArrowLeft', { boxes: mirrored, index: 6 }), 7)
})
