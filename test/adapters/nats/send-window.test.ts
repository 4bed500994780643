import t from 'tap'
import { createSendWindow } from '../../../src/adapters/nats/send-window.ts'

const makeFull = () => {
  const passage = createSendWindow({ maxBytes: 10, maxWaitingBytes: 10 })
  const gone: string[] = []
  const queue = (name: string, bytes: number, signal?: AbortSignal) =>
    passage.queue(
      bytes,
      () => {
        gone.push(name)
        return true
      },
      signal,
    )
  passage.enter(10)
  return { passage, gone, queue }
}

t.test('what finds room goes at once, what does not is refused', async (t) => {
  const passage = createSendWindow({ maxBytes: 10, maxWaitingBytes: 10 })
  t.equal(await passage.queue(6, () => true), true)
  t.equal(passage.enter(5), false)
  t.equal(passage.enter(4), true)
  passage.leave(6)
  t.equal(passage.enter(6), true)
  t.equal(await passage.queue(1, () => true, AbortSignal.abort()), false)
})

t.test('what waits goes in its order, a small one not before a large one, and nobody overtakes', async (t) => {
  const { passage, gone, queue } = makeFull()
  const waiting = [queue('large', 8), queue('small', 1)]
  passage.leave(5)
  t.strictSame(gone, [])
  passage.leave(4)
  t.strictSame(gone, ['large', 'small'], 'before whoever waits is told')
  t.strictSame(await Promise.all(waiting), [true, true])
})

t.test('beyond the bound nothing waits', async (t) => {
  const { passage, gone, queue } = makeFull()
  const waiting = [queue('first', 6), queue('second', 4)]
  t.equal(await queue('third', 1), false)
  passage.leave(10)
  t.strictSame(await Promise.all(waiting), [true, true])
  t.strictSame(gone, ['first', 'second'])
})

t.test('who gives up makes room in the line and never goes', async (t) => {
  const { passage, gone, queue } = makeFull()
  const ending = new AbortController()
  const givenUp = queue('first', 10, ending.signal)
  ending.abort()
  t.equal(await givenUp, false)
  const next = queue('second', 10)
  passage.leave(10)
  t.equal(await next, true)
  t.strictSame(gone, ['second'])
})

t.test('closing ends what waits and refuses what comes', async (t) => {
  const { passage, gone, queue } = makeFull()
  const waiting = queue('first', 5)
  passage.close()
  passage.leave(10)
  t.equal(await waiting, false)
  t.equal(passage.enter(1), false)
  t.equal(await queue('second', 1), false)
  t.strictSame(gone, [])
})
