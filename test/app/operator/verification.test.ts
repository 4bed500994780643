import t from 'tap'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { verifyLog } from '../../../src/app/operator/verification.ts'
import { encode } from '../../../src/events/codec.ts'
import type { StoredEvent } from '../../../src/events/envelope.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { named } from '../../fixtures/names.ts'

const data = { movieId: named<'movie'>('metropolis'), libraryId: named<'library'>('films') }
const origin = { at: '2026-01-02T12:00:00.000Z', actor: 'system' }
const forever = new AbortController().signal

/** A log with two streams of three events each. */
async function makeLog(): Promise<EventLog> {
  const log = createMemoryEventLog()
  for (const stream of ['movie-a', 'movie-b']) {
    let prev = ''
    for (let revision = 0; revision < 3; revision++) {
      const id = `00000000-0000-4000-8000-0000000000${stream.endsWith('a') ? 'a' : 'b'}${revision}`
      const event = encode(id, { type: 'MovieDiscovered', data }, origin, { stream, revision, prev })
      await log.append(stream, revision === 0 ? 'absent' : revision - 1, [event])
      prev = event.metadata.hash
    }
  }
  return log
}

/** The same log with changed results. */
function forged(log: EventLog, change: (event: StoredEvent) => StoredEvent | undefined): EventLog {
  return {
    ...log,
    async *follow(after, signal) {
      for await (const batch of log.follow(after, signal)) yield batch.flatMap((event) => change(event) ?? [])
    },
  }
}

const isMiddle = ({ stream, revision }: StoredEvent): boolean => stream === 'movie-a' && revision === 1

t.test('an untouched log holds, an empty one too', async (t) => {
  t.strictSame(await verifyLog(await makeLog(), { step: () => {}, signal: forever }), {
    streams: 2,
    events: 6,
    problems: [],
    faults: [],
    first: null,
    notes: { compared: 0, skipped: 0, torn: 0 },
  })
  t.strictSame(await verifyLog(createMemoryEventLog(), { step: () => {}, signal: forever }), {
    streams: 0,
    events: 0,
    problems: [],
    faults: [],
    first: null,
    notes: { compared: 0, skipped: 0, torn: 0 },
  })
})

t.test('an event that was changed is found, and only its stream is blamed', async (t) => {
  const log = forged(await makeLog(), (event) =>
    isMiddle(event) ? { ...event, data: { ...event.data, libraryId: named('other') } } : event,
  )
  t.match((await verifyLog(log, { step: () => {}, signal: forever })).problems, [{ stream: 'movie-a', revision: 1, reason: /hash/ }])
})

t.test('an event that was taken out is found', async (t) => {
  const log = forged(await makeLog(), (event) => (isMiddle(event) ? undefined : event))
  t.match((await verifyLog(log, { step: () => {}, signal: forever })).problems, [{ stream: 'movie-a', revision: 2, reason: /missing/ }])
})

t.test('an event whose hash was made again breaks the link to the one after it', async (t) => {
  const log = forged(await makeLog(), (event) => {
    if (!isMiddle(event)) return event
    const place = { stream: event.stream, revision: 1, prev: event.metadata.prev }
    const other = encode(event.id, { type: 'MovieDiscovered', data: { ...data, libraryId: named('other') } }, origin, place)
    return { ...event, ...other }
  })
  t.match((await verifyLog(log, { step: () => {}, signal: forever })).problems, [{ stream: 'movie-a', revision: 2 }])
})
