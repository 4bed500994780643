import t from 'tap'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'

t.test('a subject with empty words, blanks, or wildcards where none may be is a fault of the program', async (t) => {
  const bus = createLocalBus({ clock: createTestClock() })
  for (const pattern of ['', 'a.', '.a', 'a..b', 'a b', '>.a', 'a.>.b']) t.throws(() => bus.subscribe(pattern, () => {}), TypeError)
  for (const subject of ['', 'a.', 'a.*', '>']) t.throws(() => bus.publish(subject, { head: {} }), TypeError)
})

t.test('what handlers throw is passed on with its subject', async (t) => {
  const clock = createTestClock()
  const problems: string[] = []
  const bus = createLocalBus({ clock, onError: (error, subject) => problems.push(`${subject}: ${String(error)}`) })
  bus.subscribe('told', () => {
    throw new Error('one')
  })
  bus.respond('asked', async () => {
    throw new Error('two')
  })
  bus.publish('told', { head: {} })
  const asked = t.rejects(bus.request('asked', { head: {} }, { timeoutMs: 10 }), { code: 'reply-timeout' })
  await clock.advance(10)
  await asked
  t.strictSame(problems, ['told: Error: one', 'asked: Error: two'])
})

t.test('messages beyond 10,000 on their way to one subscriber are lost, and it goes on afterwards', async (t) => {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  let got = 0
  bus.subscribe('a', () => void got++)
  for (let number = 0; number < 10_100; number++) bus.publish('a', { head: {} })
  await clock.settle()
  t.equal(got, 10_000)
  bus.publish('a', { head: {} })
  await clock.settle()
  t.equal(got, 10_001)
})

t.test('responders take turns', async (t) => {
  const bus = createLocalBus({ clock: createTestClock() })
  for (const index of [0, 1, 2]) bus.respond(index === 2 ? 'work.*' : 'work.it', async () => ({ head: { index } }))
  const turns: unknown[] = []
  for (let number = 0; number < 6; number++) turns.push((await bus.request('work.it', { head: {} }, { timeoutMs: 1000 })).head['index'])
  t.strictSame(turns, [0, 1, 2, 0, 1, 2])
})
