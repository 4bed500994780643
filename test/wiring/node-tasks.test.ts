import t from 'tap'
import { progressOf } from '../../src/wiring/node-tasks.ts'
import { START, toPosition } from '../../src/events/position.ts'

t.test('a rebuild reports its progress in numbers, by the view that is furthest behind', async (t) => {
  t.equal(progressOf([toPosition(900), toPosition(250)], toPosition(1000)), '25 % (position 250 of 1000)')
  t.equal(progressOf([START], toPosition(3)), '0 % (position 0 of 3)')
  t.equal(progressOf([START], START), '100 % (position 0 of 0)')
})
