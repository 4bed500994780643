import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createLogPages } from '../../../src/app/feed/log-pages.ts'
import { toPosition, type Position } from '../../../src/events/position.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'

const STAYS = new AbortController().signal

/** A log of this many events of a known type in pages of ten, which may be held back. */
function setUp(length: number) {
  const clock = createTestClock()
  const asked: number[] = []
  let held = Promise.resolve()
  async function* follow(after: Position, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    asked.push(Number(after))
    await Promise.race([held, new Promise((resolve) => signal.addEventListener('abort', resolve))])
    if (signal.aborted) return
    const first = Number(after) + 1
    yield Array.from({ length: Math.min(10, length - first + 1) }, (_, n) => eventAt(first + n))
  }
  const pages = createLogPages({ clock, log: { follow } })
  async function read(after: number, upTo: number, { userId = 'ann', signal = STAYS } = {}): Promise<readonly number[]> {
    const positions: number[] = []
    for await (const page of pages.read({ after: toPosition(after), upTo: toPosition(upTo) }, userId, signal)) {
      for (const { position } of page.events) positions.push(Number(position))
    }
    return positions
  }
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return resolve
  }
  return { clock, asked, read, hold }
}

const eventAt = (position: number): StoredEvent =>
  ({
    id: '00000000-0000-4000-8000-000000000000',
    type: 'LibraryRemoved',
    stream: 'library-abc',
    revision: 0,
    position: toPosition(position),
    data: { libraryId: 'abc' },
    metadata: { v: '1', at: '2026-01-02T12:00:00.000Z' },
  }) as unknown as StoredEvent

const range = (from: number, through: number) => Array.from({ length: through - from + 1 }, (_, n) => from + n)

t.test('each event of a range comes once and in order, wherever it begins and ends', async (t) => {
  const { read } = setUp(35)
  for (const [after, upTo] of [
    [0, 35],
    [3, 27],
    [7, 8],
    [29, 35],
    [12, 12],
    [0, 10],
  ] as const) {
    t.strictSame(await read(after, upTo), range(after + 1, upTo), `${after} to ${upTo}`)
  }
})

t.test('who asks for what was read, or is being read, reads nothing', async (t) => {
  const { asked, read } = setUp(30)
  await Promise.all([read(0, 30), read(0, 30, { userId: 'ben' }), read(0, 20)])
  await read(4, 25)
  t.strictSame(asked, [0, 10, 20])
})

t.test('nothing is read any more once all who wait for it have gone', async (t) => {
  const { clock, asked, read, hold } = setUp(30)
  const letGo = hold()
  const gone = new AbortController()
  const refused = t.rejects(Promise.all([read(0, 30, { signal: gone.signal }), read(15, 30, { signal: gone.signal })]), { message: 'gone' })
  await clock.settle()
  gone.abort(new Error('gone'))
  await refused
  letGo()
  await clock.settle()
  t.strictSame(asked, [0])
  t.strictSame(await read(0, 10), range(1, 10))
})

t.test('a log that does not answer is late, and the next reader tries again', async (t) => {
  const { clock, read, hold } = setUp(30)
  const letGo = hold()
  const late = t.rejects(read(0, 30), { name: 'TimedOut' })
  await clock.advance(8000)
  await late
  letGo()
  t.strictSame(await read(0, 30), range(1, 30))
})
