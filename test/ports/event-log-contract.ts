/** What every event log promises (src/ports/event-log.ts), whatever its engine. */
import type { Test } from 'tap'
import type { EncodedEvent, StoredEvent } from '../../src/events/envelope.ts'
import { START, toPosition, type Position } from '../../src/events/position.ts'
import {
  AppendRefused,
  Conflict,
  MAX_APPEND_BYTES,
  MAX_APPEND_EVENTS,
  type Appended,
  type EventLog,
  type Expected,
} from '../../src/ports/event-log.ts'
import { someEvent, someEvents } from './events.ts'

/** A log of its own for each test. */
export interface LogUnderTest {
  readonly log: EventLog
  readonly close: () => Promise<void>
}

type Make = () => Promise<LogUnderTest>

export interface EngineTraits {
  /** Whether the engine knows every id in the log, not only those of the stream at the expected revision. */
  readonly knowsAllIds?: boolean
}

export function eventLogContract(t: Test, make: Make, { knowsAllIds = true }: EngineTraits = {}): void {
  const test = (title: string, run: (t: Test, log: EventLog) => Promise<void>): void => {
    t.test(title, async (t) => {
      const { log, close } = await make()
      t.teardown(close)
      await run(t, log)
    })
  }
  appending(test)
  repeating(test)
  refusing(test)
  if (knowsAllIds) refusingKnownIds(test)
  racing(test)
  following(test)
  closing(test)
}

type Tests = (title: string, run: (t: Test, log: EventLog) => Promise<void>) => void

function appending(test: Tests): void {
  test('an empty log starts at START and has no streams', async (t, log) => {
    t.equal(await log.head(), START)
    t.strictSame(await all(log.read('movie-nobody')), [])
  })

  test('events come back as they were appended, with stream, revision and position', async (t, log) => {
    const data = { text: 'Größe \u{1F37F} \0 "\\', number: -0.5, nothing: null, list: [1, 'two', { three: true }], large: 2 ** 53 }
    const [first, second, third] = [someEvent(data), someEvent(), someEvent()]
    const one = await log.append('movie-a', 'absent', [first, second])
    const two = await log.append('movie-a', 1, [third])
    t.equal(one.revision, 1)
    t.equal(two.revision, 2)
    const read = await all(log.read('movie-a'))
    t.strictSame(read.map(bare), [first, second, third])
    t.strictSame(
      read.map(({ stream, revision }) => [stream, revision]),
      [0, 1, 2].map((revision) => ['movie-a', revision]),
    )
    t.equal(read[1]?.position, one.position)
    t.equal(read[2]?.position, two.position)
    t.equal(await log.head(), two.position)
  })

  test('a stream is read from a revision on, the revision included', async (t, log) => {
    const events = someEvents(5)
    await log.append('movie-a', 'absent', events)
    t.strictSame((await all(log.read('movie-a', 3))).map(bare), events.slice(3))
    t.strictSame(await all(log.read('movie-a', 5)), [])
  })

  test('a stream longer than a page is read whole and in order', async (t, log) => {
    for (let part = 0; part < 3; part++) await log.append('movie-a', part === 0 ? 'absent' : part * 500 - 1, someEvents(500))
    const revisions = (await all(log.read('movie-a'))).map((event) => event.revision)
    t.strictSame(
      revisions,
      Array.from({ length: 1500 }, (_, index) => index),
    )
  })

  test('streams do not see each other', async (t, log) => {
    await log.append('movie-a', 'absent', someEvents(2))
    const other = someEvent()
    await log.append('movie-A', 'absent', [other])
    t.strictSame((await all(log.read('movie-A'))).map(bare), [other])
  })

  test('an append of the largest size is taken whole', async (t, log) => {
    t.equal((await log.append('movie-a', 'absent', someEvents(MAX_APPEND_EVENTS))).revision, MAX_APPEND_EVENTS - 1)
    t.equal((await log.append('movie-b', 'absent', [sized(MAX_APPEND_BYTES)])).revision, 0)
    t.equal((await all(log.read('movie-a'))).length, MAX_APPEND_EVENTS)
  })
}

function repeating(test: Tests): void {
  test('the same append again is answered as the first time and stores nothing', async (t, log) => {
    const events = someEvents(3)
    const first = await log.append('movie-a', 'absent', events)
    sameAnswer(t, await log.append('movie-a', 'absent', events), first)
    t.equal((await all(log.read('movie-a'))).length, 3)
  })

  test('a repeat is answered as the first time whatever came after', async (t, log) => {
    await log.append('movie-a', 'absent', someEvents(2))
    const events = someEvents(2)
    const first = await log.append('movie-a', 1, events)
    await log.append('movie-a', 3, someEvents(4))
    await log.append('movie-b', 'absent', someEvents(1))
    sameAnswer(t, await log.append('movie-a', 1, events), first)
    t.equal((await all(log.read('movie-a'))).length, 8)
  })

  test('two racers with the same append both get its answer', async (t, log) => {
    const events = someEvents(2)
    const [one, two] = await Promise.all([log.append('movie-a', 'absent', events), log.append('movie-a', 'absent', events)])
    t.equal(one.revision, 1)
    t.equal(two.revision, 1)
    t.equal((await all(log.read('movie-a'))).length, 2)
  })

  test('the same ids with another expected revision that is not the head conflict', async (t, log) => {
    const events = someEvents(1)
    await log.append('movie-a', 'absent', someEvents(1))
    await log.append('movie-a', 0, events)
    await t.rejects(log.append('movie-a', 'absent', events), { code: 'conflict', actual: 1 })
    await t.rejects(log.append('movie-a', 7, events), { code: 'conflict', actual: 1 })
  })

  test('more events than the first time, or ids from its middle, conflict', async (t, log) => {
    const events = someEvents(3)
    await log.append('movie-a', 'absent', events)
    await t.rejects(log.append('movie-a', 'absent', [...events, someEvent()]), { code: 'conflict', actual: 2 })
    await t.rejects(log.append('movie-a', 'absent', events.slice(1)), { code: 'conflict', actual: 2 })
  })
}

function refusing(test: Tests): void {
  test('another revision than the expected one conflicts, names the actual one and stores nothing', async (t, log) => {
    const conflict = (expected: Expected) => log.append('movie-a', expected, [someEvent()])
    await t.rejects(conflict(0), { code: 'conflict', actual: 'absent' })
    await log.append('movie-a', 'absent', someEvents(2))
    for (const expected of ['absent', 0, 2] as const) await t.rejects(conflict(expected), { code: 'conflict', actual: 1 })
    t.equal((await all(log.read('movie-a'))).length, 2)
  })

  test('what no engine can store is refused and stores nothing', async (t, log) => {
    const event = someEvent()
    const refused: readonly (readonly [string, Expected, readonly EncodedEvent[]])[] = [
      ['movie-a', 'absent', []],
      ['movie-a', 'absent', someEvents(MAX_APPEND_EVENTS + 1)],
      ['movie-a', 'absent', [sized(MAX_APPEND_BYTES + 1)]],
      ['movie-a', 'absent', [event, event]],
      ['movie-a', 'absent', [someEvent({}, 'no-uuid')]],
      ['movie-a', -1, [event]],
      ['movie-a', 0.5, [event]],
      ['', 'absent', [event]],
      ['$movie-a', 'absent', [event]],
      ['movie-a', 'absent', [{ ...event, type: '$Happened' }]],
    ]
    for (const append of refused) await t.rejects(log.append(...append), AppendRefused)
    t.equal(await log.head(), START)
  })
}

function refusingKnownIds(test: Tests): void {
  test('an id that stands elsewhere in the log is refused', async (t, log) => {
    const event = someEvent()
    await log.append('movie-a', 'absent', [event])
    await t.rejects(log.append('movie-a', 0, [event]), AppendRefused)
    await t.rejects(log.append('movie-b', 'absent', [someEvent(), event]), AppendRefused)
    t.strictSame(await all(log.read('movie-b')), [])
    t.equal((await all(log.read('movie-a'))).length, 1)
  })
}

function racing(test: Tests): void {
  test('of racing appends with the same expected revision exactly one wins', async (t, log) => {
    for (let revision = -1; revision < 5; revision++) {
      const expected = revision < 0 ? 'absent' : revision
      const racers = await Promise.allSettled(Array.from({ length: 20 }, () => log.append('movie-a', expected, [someEvent()])))
      const losers = racers.filter((racer) => racer.status === 'rejected')
      t.equal(racers.length - losers.length, 1)
      t.ok(losers.every(({ reason }) => reason instanceof Conflict && reason.actual === revision + 1))
    }
  })

  test('with 16 parallel appenders the order is that of the positions, which are the acknowledged ones, each once', async (t, log) => {
    const acknowledged = (
      await Promise.all(Array.from({ length: 16 }, (_, appender) => appendOneByOne(log, `movie-${appender}`, 20)))
    ).flat()
    const followed = await take(log, START, acknowledged.length)
    const positions = followed.map((event) => event.position)
    t.strictSame(positions, [...new Set(acknowledged.map(({ position }) => position ?? START))].sort())
    for (const { id, revision, position } of acknowledged) {
      const event = followed.find((one) => one.position === position)
      t.ok(event?.id === id && event.revision === revision)
    }
  })
}

function following(test: Tests): void {
  test('follow yields the whole log in commit order in batches of 1 to 500', async (t, log) => {
    for (let stream = 0; stream < 12; stream++) await log.append(`movie-${stream}`, 'absent', someEvents(100))
    const batches = await takeBatches(log, START, 1200)
    t.ok(batches.every((batch) => batch.length >= 1 && batch.length <= 500))
    const positions = batches.flat().map((event) => event.position)
    t.strictSame(positions, [...new Set(positions)].sort())
  })

  test('follow from any position goes on after it', async (t, log) => {
    for (let stream = 0; stream < 4; stream++) await log.append(`movie-${stream}`, 'absent', someEvents(3))
    const events = await take(log, START, 12)
    for (const [index, { position }] of events.slice(0, -1).entries()) {
      t.strictSame(await take(log, position, 11 - index), events.slice(index + 1))
    }
  })

  test('follow goes on with what is appended while it waits', async (t, log) => {
    await log.append('movie-a', 'absent', someEvents(1))
    const following = take(log, START, 4)
    await log.append('movie-a', 0, someEvents(1))
    await log.append('movie-b', 'absent', someEvents(2))
    const places = (await following).map(({ stream, revision }) => `${stream} ${revision}`)
    t.strictSame(places, ['movie-a 0', 'movie-a 1', 'movie-b 0', 'movie-b 1'])
  })

  test('followers at different places each get every event once while appenders race', async (t, log) => {
    await log.append('movie-before', 'absent', someEvents(10))
    const head = await log.head()
    const whole = [take(log, START, 170), take(log, START, 170)]
    const rest = [take(log, head, 160), take(log, head, 160), take(log, head, 160)]
    await Promise.all(Array.from({ length: 8 }, (_, appender) => appendOneByOne(log, `movie-${appender}`, 20)))
    const [first, ...others] = await Promise.all(whole)
    const positions = first?.map((event) => event.position) ?? []
    t.strictSame(positions, [...new Set(positions)].sort())
    for (const other of others) t.strictSame(other, first)
    for (const other of await Promise.all(rest)) t.strictSame(other, first?.slice(10))
  })

  test('an acknowledged event is at or before the head', async (t, log) => {
    for (let number = 0; number < 20; number++) {
      const { position = START } = await log.append(`movie-${number}`, 'absent', [someEvent()])
      t.ok((await log.head()) >= position)
    }
  })

  test('follow ends quietly by its signal, before it starts, while it waits and between batches', async (t, log) => {
    t.strictSame(await all(log.follow(START, AbortSignal.abort())), [])
    const waiting = new AbortController()
    const nothing = all(log.follow(START, waiting.signal))
    await log.head()
    waiting.abort()
    t.strictSame(await nothing, [])
    await log.append('movie-a', 'absent', someEvents(2))
    const working = new AbortController()
    let batches = 0
    for await (const batch of log.follow(START, working.signal)) {
      batches += batch.length > 0 ? 1 : 0
      working.abort()
    }
    t.equal(batches, 1)
  })

  test('a follower that comes from a longer log waits instead of failing', async (t, log) => {
    await log.append('movie-a', 'absent', someEvents(2))
    const ending = new AbortController()
    const nothing = all(log.follow(toPosition(10n ** 18n), ending.signal))
    await log.append('movie-a', 1, someEvents(1))
    ending.abort()
    t.strictSame(await nothing, [])
  })
}

function closing(test: Tests): void {
  test('an append after close is refused, and closing twice is no harm', async (t, log) => {
    await log.append('movie-a', 'absent', someEvents(1))
    await log.close()
    await t.rejects(log.append('movie-a', 0, someEvents(1)), AppendRefused)
    await log.close()
  })

  test('a follower of a log that is closed fails instead of waiting for ever', async (t, log) => {
    const following = all(log.follow(START, new AbortController().signal))
    await log.head()
    await log.close()
    await t.rejects(following)
  })
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

/** The next so many events after a position. */
export async function take(log: EventLog, after: Position, count: number): Promise<StoredEvent[]> {
  return (await takeBatches(log, after, count)).flat()
}

async function takeBatches(log: EventLog, after: Position, count: number): Promise<(readonly StoredEvent[])[]> {
  const batches: (readonly StoredEvent[])[] = []
  let taken = 0
  for await (const batch of log.follow(after, AbortSignal.timeout(20_000))) {
    batches.push(batch)
    taken += batch.length
    if (taken >= count) break
  }
  return batches
}

async function appendOneByOne(log: EventLog, stream: string, count: number): Promise<(Appended & { id: string })[]> {
  const appended: (Appended & { id: string })[] = []
  for (let revision = 0; revision < count; revision++) {
    const event = someEvent({ revision })
    appended.push({ ...(await log.append(stream, revision === 0 ? 'absent' : revision - 1, [event])), id: event.id })
  }
  return appended
}

/** The position may be missing when an append is repeated; when it is there it is the first one. */
function sameAnswer(t: Test, again: Appended, first: Appended): void {
  t.equal(again.revision, first.revision)
  t.equal(again.position ?? first.position, first.position)
}

const bare = ({ id, type, data, metadata }: StoredEvent): EncodedEvent => ({ id, type, data, metadata })

/** An event whose data takes so many bytes as JSON. */
const sized = (bytes: number): EncodedEvent => someEvent({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
