/**
 * Shares one subscription among all followers of a process. A subscription is a call, and the server takes 100 of them over a connection.
 * The feed buffers the latest events for followers close to the end; the others read page by page.
 */
import { setImmediate } from 'node:timers/promises'
import { BACKWARDS, END, START as SERVER_START } from '@eventstore/db-client'
import { createAppendNotifier } from '../shared/append-notifier.ts'
import { BUFFERED, createSubscriptionReader, type SubscriptionReader } from './subscription-reader.ts'
import type { Connection } from './connection.ts'
import { logPage } from './reading.ts'
import { isTooSlow } from './refusals.ts'
import type { Reports } from './reports.ts'
import { commitOf, serverPosition, storedEvents, type Resolved } from './stored-event.ts'

export interface Feed {
  /** Runs the subscription as long as any follower has joined; the returned function leaves. */
  join(): () => void
  /** Number of the current subscription: another one may be to another log. 0 while there is none. */
  number(): number
  /** The events after a place in the server's log; undefined if they are not buffered. */
  after(place: bigint): Latest | undefined
  /** Settles when an event arrives, when the subscription begins or is lost, or by the signal. */
  changed(signal: AbortSignal): Promise<void>
  /** Settles when it has ended, after the last follower has left or the log is closed. */
  ended(): Promise<void>
}

/** Events, possibly none, complete up to a place. */
interface Latest {
  readonly events: ReturnType<typeof storedEvents>
  readonly upTo: bigint
}

interface State {
  readonly connection: Connection
  readonly reports: Reports
  readonly appended: ReturnType<typeof createAppendNotifier>
  /** Oldest first; undefined while there is no subscription. */
  kept: { from: bigint; upTo: bigint; items: Resolved[] } | undefined
  subscriptions: number
}

const BATCH = 500
const BATCH_BYTES = 4n * 1024n * 1024n
/** Limits of the buffer: items, and bytes of the server's log. */
const KEPT_MAX = 2_000
const KEPT_BYTES = 8n * 1024n * 1024n
const SHORTEST_MS = 100
const LONGEST_MS = 10_000
/** After this long without an event, check whether the node still answers. */
const SILENCE_MS = 3_000

export function createFeed(connection: Connection, reports: Reports): Feed {
  const state: State = { connection, reports, appended: createAppendNotifier(), kept: undefined, subscriptions: 0 }
  let joined = 0
  let leaving = new AbortController()
  let running = Promise.resolve()
  return {
    join() {
      if (joined++ === 0) {
        leaving = new AbortController()
        const ends = AbortSignal.any([leaving.signal, connection.closing])
        running = running.then(() => run(state, ends))
      }
      return () => {
        if (--joined === 0) leaving.abort()
      }
    },
    number: () => (state.kept ? state.subscriptions : 0),
    after(place) {
      const { kept } = state
      if (!kept || place < kept.from) return undefined
      const first = kept.items.findLastIndex((item) => commitOf(item) <= place) + 1
      const items = kept.items.slice(first, first + BATCH)
      const last = items.at(-1)
      return { events: storedEvents(items), upTo: items.length === BATCH && last ? commitOf(last) : later(place, kept.upTo) }
    },
    changed: (signal) => state.appended.next(signal),
    ended: () => running,
  }
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)

async function run(state: State, ends: AbortSignal): Promise<void> {
  const { outage, leader } = state.connection
  for (let failures = 0; !ends.aborted;) {
    const moved = leader.moved()
    try {
      await subscribe(state, AbortSignal.any([ends, moved]), () => (failures = 0))
    } catch (error) {
      if (ends.aborted) break
      // Another node may lead, or the reader was too slow: subscribe again at once.
      if (state.kept && (moved.aborted || isTooSlow(error))) continue
      state.reports.dropped(error)
      outage.began()
      await outage.wait(pauseMs(failures++), ends)
    } finally {
      state.kept = undefined
      state.appended.notify()
    }
  }
}

/** Exponential backoff, with jitter so that processes do not all retry at once. */
function pauseMs(failures: number): number {
  const longestMs = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failures)
  return longestMs * (0.5 + Math.random() / 2)
}

/** Starts at the end, at an event that existed a moment ago: after an event that was scavenged the server leaves out another. */
async function subscribe(state: State, ends: AbortSignal, confirmed: () => void): Promise<void> {
  const { connection, reports } = state
  const { client, clock, outage, leader } = connection
  const [end] = await logPage(connection, { fromPosition: END, direction: BACKWARDS, maxCount: 1 }, ends)
  const from = end ? commitOf(end) : 0n
  const fromPosition = end ? serverPosition(from) : SERVER_START
  const source = client.subscribeToAll({ fromPosition, requiresLeader: true }, BUFFERED)
  source.once('confirmation', () => {
    state.kept = { from, upTo: from, items: [] }
    state.subscriptions += 1
    outage.ended()
    reports.confirmed()
    confirmed()
    state.appended.notify()
  })
  const patienceMs = (): number | undefined => (state.kept ? undefined : connection.answerMs)
  const reader = createSubscriptionReader<Resolved>(source, { clock, signal: ends, patienceMs })
  let heard = clock.after(SILENCE_MS, silent)
  function silent(): void {
    leader.doubt()
    heard = clock.after(SILENCE_MS, silent)
  }
  try {
    for (let first = await reader.next(BATCH); first; first = await reader.next(BATCH)) {
      heard()
      heard = clock.after(SILENCE_MS, silent)
      keep(state, await together(first, reader))
    }
    throw new Error('The subscription has ended')
  } finally {
    heard()
    reader.stop()
  }
}

function keep({ kept, appended }: State, items: readonly Resolved[]): void {
  if (!kept) return
  kept.items.push(...items)
  const [oldest, last] = [kept.items.at(-KEPT_MAX), kept.items.at(-1)]
  if (last) kept.upTo = commitOf(last)
  const least = kept.upTo - KEPT_BYTES
  const first = kept.items.findIndex((item) => commitOf(item) >= (oldest ? later(commitOf(oldest), least) : least))
  const gone = kept.items.splice(0, Math.max(0, first)).at(-1)
  if (gone) kept.from = commitOf(gone)
  appended.notify()
}

/** The driver delivers one by one the events that came in one chunk: continue as long as each turn of the event loop brings more. */
async function together(first: readonly Resolved[], reader: SubscriptionReader<Resolved>): Promise<readonly Resolved[]> {
  const items = [...first]
  for (let more = first; more.length > 0 && items.length < BATCH && sizeOf(items) < BATCH_BYTES;) {
    await setImmediate()
    more = reader.more(BATCH - items.length)
    items.push(...more)
  }
  return items
}

/** Bytes of these items in the server's log: positions count bytes. */
function sizeOf(items: readonly Resolved[]): bigint {
  const [first, last] = [items[0], items.at(-1)]
  return first && last ? commitOf(last) - commitOf(first) : 0n
}
