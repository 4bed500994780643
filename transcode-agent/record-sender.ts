/**
 * Sends the records of one job to the owner. At most a window of them is unconfirmed; each reply grants credit. Heartbeats run in parallel,
 * so that the owner knows that the agent is alive even if the network is slow. The job ends if the owner is gone, silent for too long, or
 * has left this epoch.
 */
import { NoResponder, type Bus } from '../src/ports/bus.ts'
import type { Clock } from '../src/ports/clock.ts'
import {
  BEAT_MS,
  isRecordReply,
  OWNER_SILENT_MS,
  subjects,
  WINDOW_RECORDS,
  type JobRecord,
} from '../src/app/streaming/agents/agent-protocol.ts'

export interface RecordSenderOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly jobId: string
  readonly inbox: string
  readonly epoch: number
  readonly creditMs: number
  /** Ends the job. */
  readonly abort: AbortController
}

/** A record without its epoch, which all records of the job share. */
export type Content = JobRecord extends infer One ? (One extends JobRecord ? Omit<One, 'epoch'> : never) : never

export interface RecordSender {
  /** Settles when the window has room and the record is on its way. @throws the reason of the job's end */
  send(content: Content, body?: Uint8Array): Promise<void>
  /** Settles when segments that start at this time may be made. @throws the reason of the job's end */
  credit(ms: number): Promise<void>
  grant(creditMs: number): void
  /** Settles when everything sent has been answered. @throws the reason of the job's end */
  drained(): Promise<void>
  /** Notifies the owner that the agent is leaving, after the current segment or after this time, and ends the job. */
  leave(withinMs: number): Promise<void>
  close(): void
}

/** A full window at little more than 1 Mbit/s: over a slower link no film could be watched. */
const RECORD_MS = 30_000
const LEFT_MS = 1_500
const STOPPING = 'The transcoder is stopping'

interface State extends RecordSenderOptions {
  readonly wakers: Set<() => void>
  creditMs: number
  inFlight: number
  /** When the owner last answered. */
  heardAt: number
  isBeating: boolean
  isLeaving: boolean
  /** No work in progress: the job waits for credit, or has finished the segment after which it leaves. */
  isAtRest: boolean
  closed: boolean
}

export function createRecordSender(options: RecordSenderOptions): RecordSender {
  const { clock, abort } = options
  const state: State = {
    ...options,
    wakers: new Set(),
    inFlight: 0,
    heardAt: clock.monotonic(),
    isBeating: false,
    isLeaving: false,
    isAtRest: false,
    closed: false,
  }
  const woken = (): void => wake(state)
  const stopBeats = clock.every(BEAT_MS, () => void beat(state))
  abort.signal.addEventListener('abort', woken)
  // Sent at once: if the owner has stopped waiting for this agent, the job need not start.
  void beat(state)

  return {
    send: (content, body) => send(state, content, body),
    credit: (ms) => awaitCredit(state, ms),
    grant(granted) {
      state.creditMs = granted
      wake(state)
    },
    drained: () => until(state, () => state.inFlight === 0),
    leave: (withinMs) => leave(state, withinMs),
    close() {
      state.closed = true
      stopBeats()
      abort.signal.removeEventListener('abort', woken)
      wake(state)
    },
  }
}

function wake({ wakers }: State): void {
  const woken = [...wakers]
  wakers.clear()
  for (const waker of woken) waker()
}

async function until({ abort, wakers }: State, holds: () => boolean): Promise<void> {
  abort.signal.throwIfAborted()
  while (!holds()) {
    await new Promise<void>((resolve) => void wakers.add(resolve))
    abort.signal.throwIfAborted()
  }
}

async function send(state: State, content: Content, body?: Uint8Array): Promise<void> {
  const mayGo = (): boolean => !(state.isLeaving && state.isAtRest) && state.inFlight < WINDOW_RECORDS
  await until(state, mayGo)
  void post(state, content, body)
  if (state.isLeaving && content.type === 'segment' && content.part + 1 === content.parts) state.isAtRest = true
}

async function awaitCredit(state: State, ms: number): Promise<void> {
  if (state.isLeaving && state.isAtRest) await until(state, () => false)
  if (ms < state.creditMs) return
  state.isAtRest = true
  wake(state)
  await until(state, () => !state.isLeaving && ms < state.creditMs)
  state.isAtRest = false
}

async function post(state: State, content: Content, body?: Uint8Array): Promise<void> {
  const { bus, inbox, epoch, abort } = state
  state.inFlight++
  try {
    const message = { head: { ...content, epoch }, ...(body && { body }) }
    const { head } = await bus.request(inbox, message, { timeoutMs: RECORD_MS, signal: abort.signal })
    hear(state, head)
  } catch (error) {
    abort.abort(new Error(error instanceof NoResponder ? 'The owner is gone' : 'The owner does not answer', { cause: error }))
  } finally {
    state.inFlight--
    wake(state)
  }
}

function hear(state: State, head: Parameters<typeof isRecordReply>[0]): void {
  state.heardAt = state.clock.monotonic()
  if (!isRecordReply(head) || head.type === 'stop') return state.abort.abort(new Error('The owner wants no more of this job'))
  state.creditMs = head.creditMs
  wake(state)
}

async function beat(state: State): Promise<void> {
  const { bus, jobId, epoch, clock, abort } = state
  if (clock.monotonic() - state.heardAt > OWNER_SILENT_MS) abort.abort(new Error('The owner is silent'))
  if (state.isBeating || state.closed || abort.signal.aborted) return
  state.isBeating = true
  try {
    const message = { head: { type: 'beat', epoch } }
    const { head } = await bus.request(subjects.beat(jobId), message, { timeoutMs: BEAT_MS, signal: abort.signal })
    hear(state, head)
  } catch (error) {
    // A lost heartbeat is followed by others.
    if (error instanceof NoResponder && !state.closed) abort.abort(new Error('The owner is gone', { cause: error }))
  } finally {
    state.isBeating = false
  }
}

async function leave(state: State, withinMs: number): Promise<void> {
  const { bus, clock, jobId, epoch, abort } = state
  let isLate = false
  const disarm = clock.after(withinMs, () => {
    isLate = true
    wake(state)
  })
  state.isLeaving = true
  wake(state)
  await until(state, () => isLate || state.closed || (state.isAtRest && state.inFlight === 0)).catch(() => undefined)
  disarm()
  if (state.closed || abort.signal.aborted) return
  const left = { head: { type: 'ended', epoch, outcome: 'left', reason: STOPPING } }
  // An owner that misses this message soon asks for the job and gets no reply.
  await bus.request(subjects.beat(jobId), left, { timeoutMs: LEFT_MS, signal: abort.signal }).catch(() => undefined)
  abort.abort(new Error(STOPPING))
}
