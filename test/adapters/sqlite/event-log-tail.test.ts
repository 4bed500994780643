import t from 'tap'
import { createTail, type LogPage } from '../../../src/adapters/sqlite/event-log-tail.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import { createRandom } from '../../fixtures/random.ts'

const eventAt = (n: number): StoredEvent => ({ position: toPosition(n), stream: 'a', revision: n, id: String(n), type: 'T' }) as StoredEvent

/** A log of numbered events, read in pages of at most four, with a record of the reads. `store` appends as this process does. */
function setUp(bounds = { page: 4, events: 8, length: 100 }) {
  const log: StoredEvent[] = []
  const reads: Position[] = []
  const read = (after: Position): LogPage => {
    reads.push(after)
    const events = log.filter(({ position }) => position > after).slice(0, 4)
    return { after, events, length: events.length }
  }
  const append = (count: number) => {
    for (let n = 0; n < count; n++) log.push(eventAt(log.length + 1))
  }
  const tail = createTail(read, bounds)
  const store = (count: number) => {
    const after = toPosition(log.length)
    append(count)
    const events = log.slice(-count)
    tail.stored({ after, events, length: events.length })
  }
  return { log, reads, append, store, pageAfter: tail.after, unsure: tail.unsure }
}

const numbers = (events: readonly StoredEvent[]) => events.map(({ revision }) => revision)

t.test('what one follower has read is given to the next one without reading it', async (t) => {
  const { append, pageAfter, reads } = setUp()
  append(3)
  const first = pageAfter(START)
  reads.length = 0
  const second = pageAfter(START)
  t.strictSame(numbers(second), [1, 2, 3])
  t.ok(second.every((event, n) => event === first[n]))
  t.strictSame(reads, [toPosition(3)], 'only what comes after it is looked for')
})

t.test('a follower that was busy gets what others had page by page at once', async (t) => {
  const { append, pageAfter } = setUp()
  append(1)
  pageAfter(START)
  append(1)
  pageAfter(toPosition(1))
  append(1)
  t.strictSame(numbers(pageAfter(START)), [1, 2, 3])
})

t.test('no page is longer than it may be', async (t) => {
  const { append, pageAfter } = setUp()
  append(3)
  pageAfter(START)
  append(4)
  t.strictSame(numbers(pageAfter(START)), [1, 2, 3, 4])
  t.strictSame(numbers(pageAfter(toPosition(4))), [5, 6, 7])
})

t.test('what this process has stored is read from no file, and neither is the end of the log', async (t) => {
  const { append, store, pageAfter, reads } = setUp()
  append(2)
  pageAfter(START)
  store(1)
  store(2)
  reads.length = 0
  t.strictSame(numbers(pageAfter(toPosition(2))), [3, 4, 5])
  t.strictSame(numbers(pageAfter(toPosition(4))), [5])
  t.strictSame(pageAfter(toPosition(5)), [])
  t.strictSame(reads, [])
})

t.test('after an append whose outcome is unknown the log is read until the next one is stored', async (t) => {
  const { append, store, pageAfter, unsure } = setUp()
  store(1)
  append(1)
  unsure()
  t.strictSame(numbers(pageAfter(toPosition(1))), [2])
  append(1)
  store(1)
  t.strictSame(numbers(pageAfter(toPosition(2))), [3, 4])
  t.strictSame(numbers(pageAfter(toPosition(3))), [4])
})

t.test('every follower gets every event once, in order, regardless of when others read and how events were stored', async (t) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const random = createRandom(seed)
    const { log, append, store, pageAfter, unsure } = setUp({ page: 4, events: 3 + random.below(8), length: 2 + random.below(12) })
    const followers = Array.from({ length: 3 }, () => ({ seen: [] as number[] }))
    const follow = ({ seen }: { seen: number[] }) => {
      const page = pageAfter(toPosition(seen.at(-1) ?? 0))
      t.ok(page.length <= 4)
      seen.push(...numbers(page))
    }
    for (let step = 0; step < 200; step++) {
      if (random.chance(0.4)) store(1 + random.below(5))
      if (random.chance(0.1)) {
        append(1 + random.below(5))
        unsure()
      }
      for (const follower of followers) if (random.chance(0.4)) follow(follower)
    }
    for (let step = 0; step < log.length; step++) followers.forEach(follow)
    for (const { seen } of followers) t.strictSame(seen, numbers(log))
  }
})
