/**
 * Sends live events to the listeners of this node once the views have passed them, so that a client that reads again sees the change. One
 * feed serves all listeners; events that a listener has missed are replayed from the log.
 */
import { isFor, liveEventsOf } from '../../domain/feed/live-events.ts'
import type { LoginId } from '../../vocabulary/id.ts'
import { START, later, type Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Access } from '../access/access.ts'
import { actsAsAdmin, type Caller } from '../access/caller.ts'
import { ViewsBehind, type ReadYourWrites } from '../consistency/read-your-writes.ts'
import { completed, type DetailsDependencies, type DetailedEvent } from './live-event-details.ts'
import { thinned } from './live-event-thinning.ts'
import type { Feedable } from '../access/in-memory-views.ts'
import type { LogPages } from './log-pages.ts'
import { abortable } from '../../concurrency/timeout.ts'
import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'

/** Receives events in order; null after an overflow: events were dropped, and the client must read everything again. */
export type LiveListener = (events: readonly DetailedEvent[] | null) => void

interface Listener {
  readonly userId: string
  /** Aborts when the listener has disconnected. */
  readonly signal: AbortSignal
}

export interface LiveEvents {
  /** Position up to which all events were sent. */
  position(this: void): Position
  listen(listener: LiveListener): () => void
  /** Whether a client may have received this position: it is not beyond the newest event. */
  isKnown(position: Position): Promise<boolean>
  /**
   * Events after a position, up to `position()`, filtered by `wanted`; null if that is too long ago or too many.
   * @throws QueueFull if too many listeners wait for it, Late if the log does not answer, or the signal's reason
   */
  missed(
    after: Position,
    wanted: (event: DetailedEvent) => boolean,
    listener: Listener,
  ): Promise<{ readonly events: readonly DetailedEvent[]; readonly upTo: Position } | null>
  /** Whether the caller may see the event, by current grants. `everyone`: an admin who asked for all players. */
  isFor(caller: Caller, event: DetailedEvent, everyone: boolean): boolean
  callerOf(loginId: LoginId): Caller | undefined
  readonly feed: Feedable
  /** Sends events until the signal. */
  run(signal: AbortSignal): Promise<void>
}

export interface LiveEventsDependencies extends DetailsDependencies {
  readonly access: Pick<Access, 'library' | 'callerByLogin'>
  readonly clock: Clock
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly log: Pick<EventLog, 'head'>
  readonly pages: LogPages
}

/** Most events in a replay, and their greatest age. */
const MISSED_MAX = 10_000
const MISSED_MS = 24 * 3_600_000
/** Most events that wait for the views. */
const WAITING_MAX = 10_000
/** Concurrent replays from the log. */
const READERS = { width: 2, widthEach: 1, waitingMax: 64, waitingEach: 10 }

interface State extends LiveEventsDependencies {
  readonly listeners: Set<LiveListener>
  readonly progress: Map<string, number>
  waiting: RecordedEvent[]
  /** Waiting events were dropped: there were too many, or sending failed. */
  lost: boolean
  seen: Position | undefined
  sentUpTo: Position
  wake: () => void
}

export function createLiveEvents(deps: LiveEventsDependencies): LiveEvents {
  const { access, log } = deps
  const listeners = new Set<LiveListener>()
  const state: State = {
    ...deps,
    listeners,
    progress: new Map(),
    waiting: [],
    lost: false,
    seen: undefined,
    sentUpTo: START,
    wake: () => {},
  }
  const semaphore = createFairSemaphore(READERS)

  return {
    position: () => state.sentUpTo,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isKnown: async (position) => position <= state.sentUpTo || position <= (await log.head()),
    missed: (after, wanted, listener) => semaphore(listener.userId, () => readMissed(state, after, wanted, listener), listener.signal),
    isFor(caller, event, everyone) {
      const visible = event.libraryId !== null && access.library(caller, event.libraryId) !== undefined
      return isFor(caller, event, { visible, admin: actsAsAdmin(caller), everyone })
    },
    callerOf: (loginId) => access.callerByLogin(loginId),
    feed: {
      name: 'live events',
      async load() {
        state.seen ??= await log.head()
        state.sentUpTo = later(state.sentUpTo, START)
        state.wake()
        return state.seen
      },
      apply(event) {
        if (state.seen !== undefined && event.position <= state.seen) return
        state.seen = event.position
        if (!state.lost) state.waiting.push(event)
        if (state.waiting.length > WAITING_MAX) {
          state.lost = true
          state.waiting = []
        }
        state.wake()
      },
    },
    run: (signal) => run(state, signal),
  }
}

const details = (state: State, events: readonly RecordedEvent[]) =>
  completed(
    state,
    events.flatMap((event) => liveEventsOf(event).map((live) => ({ event, live }))),
  )

/** Waits as long as the views need. False if the signal aborted first. */
async function visible({ readYourWrites }: State, position: Position, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const behind = await abortable(readYourWrites.waitFor(position), signal).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (behind === undefined) return true
    if (signal.aborted) return false
    if (!(behind instanceof ViewsBehind)) throw behind
  }
  return false
}

async function sendWaiting(state: State, signal: AbortSignal): Promise<void> {
  const { listeners, progress } = state
  const upTo = state.seen ?? START
  const taken = state.lost ? null : state.waiting
  state.waiting = []
  state.lost = false
  try {
    if (!(await visible(state, upTo, signal))) return
    const events = taken && (listeners.size === 0 ? [] : thinned(await details(state, taken), progress))
    state.sentUpTo = upTo
    // Call the listeners even without events: a login may have ended.
    for (const listener of listeners) listener(events)
  } catch (cause) {
    state.lost = true
    throw cause
  }
}

async function readMissed(state: State, after: Position, wanted: (event: DetailedEvent) => boolean, { userId, signal }: Listener) {
  const { clock, pages } = state
  const upTo = later(state.sentUpTo, after)
  const since = new Date(clock.now() - MISSED_MS).toISOString()
  const events: DetailedEvent[] = []
  const progressThen = new Map<string, number>()
  let count = 0
  for await (const page of pages.read({ after, upTo }, userId, signal)) {
    if (count === 0 && (page.events[0]?.at ?? since) < since) return null
    count += page.events.length
    if (count > MISSED_MAX) return null
    events.push(...thinned(await details(state, page.events), progressThen).filter(wanted))
    signal.throwIfAborted()
  }
  return { events, upTo }
}

async function run(state: State, signal: AbortSignal): Promise<void> {
  signal.addEventListener('abort', () => state.wake(), { once: true })
  while (!signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>()
    state.wake = resolve
    if ((state.seen ?? START) === state.sentUpTo) await promise
    if (!signal.aborted && (state.seen ?? START) > state.sentUpTo) await sendWaiting(state, signal)
  }
}
