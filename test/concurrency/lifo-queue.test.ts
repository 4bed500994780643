import t from 'tap'
import { QueueFull } from '../../src/concurrency/semaphore.ts'
import { createLifoQueue } from '../../src/concurrency/lifo-queue.ts'

/** Work that ends when the test says so, with a record of its starts. */
function desk(waitingMax: number) {
  const inTurn = createLifoQueue(waitingMax)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    ask: (name: string, signal = new AbortController().signal) => {
      const asked = inTurn(async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return name
      }, signal)
      asked.catch(() => undefined)
      return asked
    },
    end: (name: string) => ends.get(name)?.(),
  }
}

t.test('one at a time, and of those that wait the newest goes next', async (t) => {
  const { ask, begun, end } = desk(3)
  const asked = ['one', 'two', 'three', 'four'].map((name) => ask(name))
  t.strictSame(begun, ['one'])
  for (const name of ['one', 'four', 'three', 'two']) {
    await Promise.resolve()
    end(name)
    await new Promise(setImmediate)
  }
  t.strictSame(begun, ['one', 'four', 'three', 'two'])
  t.strictSame(await Promise.all(asked), ['one', 'two', 'three', 'four'])
})

t.test('where too many wait, the one that has waited longest is turned away', async (t) => {
  const { ask, begun, end } = desk(2)
  const [, second] = ['one', 'two', 'three', 'four'].map((name) => ask(name))
  await t.rejects(second!, QueueFull)
  end('one')
  await new Promise(setImmediate)
  t.strictSame(begun, ['one', 'four'])
})

t.test('one that is given up leaves its place to others, and what fails does too', async (t) => {
  const { ask, begun, end } = desk(2)
  const stop = new AbortController()
  ask('one')
  const two = ask('two', stop.signal)
  const three = ask('three', stop.signal)
  stop.abort(new Error('The client has gone'))
  await t.rejects(two, /The client has gone/)
  await t.rejects(three, /The client has gone/)
  await t.rejects(ask('never', stop.signal), /The client has gone/)
  const last = new AbortController()
  const gone = ask('gone', last.signal)
  end('one')
  last.abort(new Error('The client has gone'))
  await t.rejects(gone, /The client has gone/, 'at the very moment of its turn')
  await new Promise(setImmediate)
  ask('four')
  t.strictSame(begun, ['one', 'four'])
  const failing = createLifoQueue(1)
  const { signal } = new AbortController()
  await t.rejects(
    failing(() => Promise.reject(new Error('It fails')), signal),
    /It fails/,
  )
  t.equal(await failing(async () => 'next', signal), 'next')
})
