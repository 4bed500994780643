import t from 'tap'
import { createTurns } from '../../../src/adapters/esdb/turns.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'

t.test('only so many have their turn at once, the others in the order in which they came', async (t) => {
  const clock = createTestClock()
  const turns = createTurns({ clock, atOnce: 2, patienceMs: 1_000 })
  const order: number[] = []
  const taken = [1, 2, 3, 4].map(async (n) => {
    if (await turns.take()) order.push(n)
  })
  await clock.settle()
  t.strictSame(order, [1, 2])
  turns.give()
  await clock.settle()
  t.strictSame(order, [1, 2, 3])
  turns.give()
  await Promise.all(taken)
  t.strictSame(order, [1, 2, 3, 4])
})

t.test('who has waited too long is told so, and the turn goes to the next one', async (t) => {
  const clock = createTestClock()
  const turns = createTurns({ clock, atOnce: 1, patienceMs: 1_000 })
  t.equal(await turns.take(), true)
  const impatient = turns.take()
  await clock.advance(600)
  const later = turns.take()
  await clock.advance(400)
  t.equal(await impatient, false)
  turns.give()
  t.equal(await later, true)
  turns.give()
  t.equal(await turns.take(), true)
})
