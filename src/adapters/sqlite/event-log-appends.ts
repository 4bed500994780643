/**
 * Queues appends for the writer thread: sends them, waits for the answers, and restarts the thread if it has died. The thread ends after
 * some time without an append, and the next append starts another. Bounded in number, in bytes and in time.
 */
import type { Worker } from 'node:worker_threads'
import { toPosition } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable, StorageTrouble } from '../../ports/server.ts'
import { AppendRefused, Conflict, OutcomeUnknown, type Appended, type Expected } from '../../ports/event-log.ts'
import type { EventText } from '../shared/append-limits.ts'
import type { AppendAnswer, AppendOrder, FromWriter, ToWriter } from './event-log-messages.ts'

export interface AppendsOptions {
  readonly clock: Clock
  /** Path of the log, for errors. */
  readonly file: string
  readonly startWriter: () => Worker
  /** Called with each append that was stored just now, in the order of the log; undefined: something may have been stored. */
  readonly stored: (append: StoredAppend | undefined) => void
  /** Called after these, once for each commit that stored something. */
  readonly committed: () => void
  /** Time after which the outcome of an append counts as unknown. */
  readonly timeoutMs: number
}

export interface StoredAppend {
  readonly stream: string
  readonly events: readonly EventText[]
  /** Of the last event. */
  readonly revision: number
  readonly position: number
}

export interface Appends {
  append(stream: string, expected: Expected, events: readonly EventText[]): Promise<Appended>
  /** Waits for the queued appends, then ends the thread. */
  close(): Promise<void>
}

interface Waiting {
  readonly append: AppendOrder
  readonly length: number
  readonly sinceMs: number
  readonly resolve: (appended: Appended) => void
  readonly reject: (error: Error) => void
}

interface State extends AppendsOptions {
  /** Oldest first. */
  readonly waiting: Map<number, Waiting>
  readonly outbox: AppendOrder[]
  length: number
  orders: number
  writer: Worker | undefined
  /** Settles when the thread that had nothing to do has ended: until then no other one starts. */
  retired: Promise<void> | undefined
  /** When the thread last had an answer, and whether a timer will look at that. */
  answeredMs: number
  resting: boolean
  watching: boolean
  closed: boolean
}

const MAX_WAITING = 10_000
/** Characters of data and metadata. */
const MAX_WAITING_LENGTH = 64 * 1024 * 1024
/** The thread holds some 15 MB. During playback an append comes every few seconds. */
const IDLE_MS = 60_000

export function createAppends(options: AppendsOptions): Appends {
  const state: State = {
    ...options,
    waiting: new Map(),
    outbox: [],
    length: 0,
    orders: 0,
    writer: undefined,
    retired: undefined,
    answeredMs: 0,
    resting: false,
    watching: false,
    closed: false,
  }
  return {
    append: (stream, expected, events) => append(state, stream, expected, events),
    close: () => close(state),
  }
}

function append(state: State, stream: string, expected: Expected, events: readonly EventText[]): Promise<Appended> {
  const length = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)
  if (state.closed) throw new AppendRefused('The event log is closed')
  if (state.waiting.size >= MAX_WAITING || state.length + length > MAX_WAITING_LENGTH) throw tooMany()
  const { promise, resolve, reject } = Promise.withResolvers<Appended>()
  const order: AppendOrder = { order: state.orders++, stream, expected, events }
  state.waiting.set(order.order, { append: order, length, sinceMs: state.clock.monotonic(), resolve, reject })
  state.length += length
  // Orders of one turn of the event loop travel as one message.
  if (state.outbox.push(order) === 1) queueMicrotask(() => send(state))
  watch(state)
  return promise
}

function send(state: State): void {
  if (state.outbox.length === 0 || state.retired) return
  const orders: ToWriter = state.outbox.splice(0)
  state.writer ??= start(state)
  state.writer.ref()
  state.writer.postMessage(orders, [])
}

function start(state: State): Worker {
  const writer = state.startWriter()
  let cause: unknown
  writer.on('message', (answers: FromWriter) => receive(state, answers))
  writer.on('error', (error) => (cause = error))
  writer.on('exit', () => {
    if (state.writer !== writer) return
    state.writer = undefined
    state.outbox.length = 0
    state.stored(undefined)
    for (const order of state.waiting.keys()) fail(state, order, new OutcomeUnknown('The writer of the event log has ended', { cause }))
  })
  return writer
}

function receive(state: State, answers: FromWriter): void {
  for (const answer of answers) {
    note(state, answer)
    settle(state, answer)
  }
  if (state.waiting.size === 0 && !state.closed) rest(state)
  if (answers.some((answer) => answer.outcome === 'stored')) state.committed()
}

function rest(state: State): void {
  state.writer?.unref()
  state.answeredMs = state.clock.monotonic()
  if (!state.resting) retireAfter(state, IDLE_MS)
}

/** One timer for all appends: it is set again if there were some meanwhile. */
function retireAfter(state: State, ms: number): void {
  state.resting = true
  state.clock.after(ms, () => {
    state.resting = false
    const leftMs = state.answeredMs + IDLE_MS - state.clock.monotonic()
    if (leftMs > 0) retireAfter(state, leftMs)
    else retire(state)
  })
}

/** If appends wait, the next answer sets the timer again. */
function retire(state: State): void {
  const { writer } = state
  if (!writer || state.waiting.size > 0 || state.closed) return
  state.writer = undefined
  state.retired = goOnAfter(state, writer)
}

async function goOnAfter(state: State, writer: Worker): Promise<void> {
  await end(state, writer)
  state.retired = undefined
  send(state)
}

function note({ stored, waiting }: State, answer: AppendAnswer): void {
  if (answer.outcome === 'unknown') return stored(undefined)
  if (answer.outcome !== 'stored' || answer.isRepeated) return
  const append = waiting.get(answer.order)?.append
  stored(append && { ...append, ...answer })
}

function settle(state: State, answer: AppendAnswer): void {
  const waiting = take(state, answer.order)
  if (!waiting) return
  const { stream, expected } = waiting.append
  if (answer.outcome === 'stored') waiting.resolve({ revision: answer.revision, position: toPosition(answer.position) })
  else if (answer.outcome === 'conflict') waiting.reject(new Conflict(stream, expected, answer.actual))
  else if (answer.outcome === 'refused') waiting.reject(new AppendRefused(answer.message))
  else if (answer.outcome === 'trouble')
    waiting.reject(new StorageTrouble(answer.trouble, state.file, { cause: new Error(answer.message) }))
  else waiting.reject(new OutcomeUnknown(answer.message))
}

function take(state: State, order: number): Waiting | undefined {
  const waiting = state.waiting.get(order)
  state.waiting.delete(order)
  state.length -= waiting?.length ?? 0
  return waiting
}

const fail = (state: State, order: number, error: Error): void => take(state, order)?.reject(error)

/** Watches the oldest append: one timer serves all of them. */
function watch(state: State): void {
  const [oldest] = state.waiting.values()
  if (state.watching || !oldest) return
  state.watching = true
  state.clock.after(oldest.sinceMs + state.timeoutMs - state.clock.monotonic(), () => {
    state.watching = false
    for (const [order, { sinceMs }] of state.waiting) {
      if (sinceMs + state.timeoutMs > state.clock.monotonic()) break
      fail(state, order, new OutcomeUnknown(`The event log has not answered for ${state.timeoutMs} ms`))
    }
    watch(state)
  })
}

async function close(state: State): Promise<void> {
  state.closed = true
  await state.retired
  send(state)
  const { writer } = state
  if (writer) await end(state, writer)
}

/** What was sent before is still written. */
async function end({ clock, timeoutMs }: State, writer: Worker): Promise<void> {
  writer.ref()
  const exited = new Promise((resolve) => writer.once('exit', resolve))
  const order: ToWriter = 'close'
  writer.postMessage(order, [])
  const disarm = clock.after(timeoutMs, () => void writer.terminate())
  await exited
  disarm()
}

/** Not a refusal: the append itself is valid and may be retried. */
const tooMany = () => new ServerUnavailable('the event log', { cause: new Error('Too many appends wait') })
