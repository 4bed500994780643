/** Fair semaphore: bounded parallel work in which no key (a user, an address) can starve the others. */
import { QueueFull } from './semaphore.ts'

export interface FairSemaphoreLimits {
  /** Work in progress at once. */
  readonly width: number
  /** Most work in progress for one key; default: `width`. */
  readonly widthEach?: number
  /** Most work that waits, for all keys together. */
  readonly waitingMax: number
  /** Most work that waits for one key; default: `waitingMax`. */
  readonly waitingEach?: number
  /** Longest wait. */
  readonly patience?: {
    /** The part of the clock port used here. */
    readonly clock: { after(ms: number, callback: () => void): () => void }
    readonly ms: number
  }
}

/** Runs the work when it is the key's turn. @throws QueueFull if the queue is full, or the signal's reason if it is aborted first */
export type FairSemaphore = <Value>(key: string, work: () => Promise<Value>, signal?: AbortSignal) => Promise<Value>

interface Waiting {
  readonly start: () => void
  readonly refuse: (why: string) => void
}

interface State {
  readonly width: number
  readonly widthEach: number
  readonly waitingMax: number
  readonly waitingEach: number
  readonly patience: FairSemaphoreLimits['patience'] | undefined
  /** Waiting work by key; the key that comes first in the map is served next. */
  readonly queues: Map<string, Set<Waiting>>
  readonly running: Map<string, number>
  readonly count: { running: number; waiting: number }
}

/**
 * Keys take turns, round robin; within a key the order is first in, first out. When the queue is full, the key with the most waiting work
 * gives up its newest piece for a key that has less.
 */
export function createFairSemaphore(limits: FairSemaphoreLimits): FairSemaphore {
  const { width, widthEach = width, waitingMax, waitingEach = waitingMax, patience } = limits
  /** Waiting work by key; the key that comes first in the map is served next. */
  const queues = new Map<string, Set<Waiting>>()
  const state: State = {
    width,
    widthEach,
    waitingMax,
    waitingEach,
    patience,
    queues,
    running: new Map(),
    count: { running: 0, waiting: 0 },
  }

  return async (key, work, signal) => {
    if (mayRun(state, key) && !queues.has(key)) begin(state, key)
    else await waitForTurn(state, key, signal)
    try {
      return await work()
    } finally {
      end(state, key)
    }
  }
}

function leave({ queues, count }: State, key: string, waiting: Waiting): void {
  const queue = queues.get(key)
  if (!queue?.delete(waiting)) return
  count.waiting--
  if (queue.size === 0) queues.delete(key)
}

const mayRun = ({ count, width, running, widthEach }: State, key: string) => count.running < width && (running.get(key) ?? 0) < widthEach

function begin({ count, running }: State, key: string): void {
  count.running++
  running.set(key, (running.get(key) ?? 0) + 1)
}

function end(state: State, key: string): void {
  const { count, running } = state
  count.running--
  const left = (running.get(key) ?? 1) - 1
  if (left > 0) running.set(key, left)
  else running.delete(key)
  startNext(state)
}

function startNext(state: State): void {
  const { queues } = state
  for (const [key, queue] of queues) {
    if (!mayRun(state, key)) continue
    const [first] = queue
    if (!first) continue
    leave(state, key, first)
    // The key's other work waits until every other key has had a turn.
    if (queues.delete(key)) queues.set(key, queue)
    begin(state, key)
    first.start()
    return
  }
}

/** Makes room for a key's next piece of work. @throws QueueFull */
function makeRoom(state: State, key: string): void {
  const { queues, waitingEach, count, waitingMax } = state
  const own = queues.get(key)?.size ?? 0
  if (own >= waitingEach) throw new QueueFull(`${own} wait for their turn already`)
  if (count.waiting < waitingMax) return
  const [longestKey, longest] = [...queues].reduce((a, b) => (b[1].size > a[1].size ? b : a), ['', new Set<Waiting>()])
  const newest = [...longest].at(-1)
  if (!newest || longest.size <= own + 1) throw new QueueFull(`${count.waiting} wait for their turn already`)
  leave(state, longestKey, newest)
  newest.refuse('Its place went to somebody who has fewer in the queue')
}

async function waitForTurn(state: State, key: string, signal: AbortSignal | undefined): Promise<void> {
  const { queues, count, patience } = state
  signal?.throwIfAborted()
  makeRoom(state, key)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const waiting: Waiting = { start: resolve, refuse: (why) => reject(new QueueFull(why)) }
  queues.set(key, (queues.get(key) ?? new Set()).add(waiting))
  count.waiting++
  const abort = (): void => {
    leave(state, key, waiting)
    reject(signal?.reason)
  }
  const disarm = patience?.clock.after(patience.ms, () => {
    leave(state, key, waiting)
    waiting.refuse(`No turn within ${patience.ms} ms`)
  })
  signal?.addEventListener('abort', abort, { once: true })
  try {
    await promise
  } finally {
    disarm?.()
    signal?.removeEventListener('abort', abort)
  }
}
