import t from 'tap'
import { partsOf } from '../../../src/app/commands/append-parts.ts'

t.test('items are split by their number and by the bytes of their JSON, in their order', async (t) => {
  const limits = { itemsMax: 3, bytesMax: 10 }
  t.strictSame(partsOf([], limits), [])
  t.strictSame(partsOf([1, 2, 3, 4, 5, 6, 7], limits), [[1, 2, 3], [4, 5, 6], [7]])
  // Each of these texts has 6 bytes: two quotation marks and a film clapper of 4.
  t.strictSame(partsOf(['\u{1F3AC}', '\u{1F3AC}', 'ab', 'c'], limits), [['\u{1F3AC}'], ['\u{1F3AC}', 'ab'], ['c']])
  t.strictSame(partsOf(['a', 'far too long for a part', 'b'], limits), [['a'], ['far too long for a part'], ['b']], 'alone')
})

t.test('only what belongs together is in a part, and only what is measured counts', async (t) => {
  const joins = (one: string, before: string) => one[0] === before[0]
  t.strictSame(partsOf(['a1', 'a2', 'b1', 'a3'], { itemsMax: 9, bytesMax: 99, joins }), [['a1', 'a2'], ['b1'], ['a3']])
  const measured = () => 0
  t.strictSame(partsOf(['long', 'longer', 'longest'], { itemsMax: 9, bytesMax: 2, measured }), [['long', 'longer'], ['longest']])
})
