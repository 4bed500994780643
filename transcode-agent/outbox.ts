/**
 * Outbox: records of one job on their way to the owner. At most a window of them is unanswered; each answer says how far the agent
 * may go on. An owner that is gone, silent for too long or done with this epoch ends the job.
 */
import { NoResponder, type Bus } from '../src/ports/bus.ts'
import type { Clock } from '../src/ports/clock.ts'
import { BEAT_MS, isRecordReply, OWNER_SILENT_MS, WINDOW_RECORDS, type JobRecord } from '../src/app/streaming/protocol.ts'

export interface OutboxOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly inbox: string
  readonly epoch: number
  readonly creditMs: number
  /** Ends the job. */
  readonly abort: AbortController
}

/** A record without its epoch, which all records of the job share. */
export type Content = JobRecord extends infer One ? (One extends JobRecord ? Omit<One, 'epoch'> : never) : never

export interface Outbox {
  /** Settles when the window has room and the record is on its way. @throws the reason of the job's end */
  send(content: Content, body?: Uint8Array): Promise<void>
  /** Settles when segments that begin at this time may be made. @throws the reason of the job's end */
  credit(ms: number): Promise<void>
  grant(creditMs: number): void
  /** Settles when everything sent was answered. @throws the reason of the job's end */
  drained(): Promise<void>
  close(): void
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { bus, clock, inbox, epoch, abort } = options
  let creditMs = options.creditMs
  let inFlight = 0
  let heardAt = clock.monotonic()
  const wakers = new Set<() => void>()
  const stopBeats = clock.every(BEAT_MS, beat)
  abort.signal.addEventListener('abort', wake)

  function wake(): void {
    const woken = [...wakers]
    wakers.clear()
    for (const waker of woken) waker()
  }

  async function until(holds: () => boolean): Promise<void> {
    abort.signal.throwIfAborted()
    while (!holds()) {
      await new Promise<void>((resolve) => void wakers.add(resolve))
      abort.signal.throwIfAborted()
    }
  }

  async function post(content: Content, body?: Uint8Array): Promise<void> {
    inFlight++
    try {
      const message = { head: { ...content, epoch }, ...(body && { body }) }
      const { head } = await bus.request(inbox, message, { timeoutMs: OWNER_SILENT_MS, signal: abort.signal })
      heardAt = clock.monotonic()
      if (isRecordReply(head) && head.type === 'go') creditMs = head.creditMs
      else abort.abort(new Error('The owner wants no more of this job'))
    } catch (error) {
      abort.abort(new Error(error instanceof NoResponder ? 'The owner is gone' : 'The owner does not answer', { cause: error }))
    } finally {
      inFlight--
      wake()
    }
  }

  function beat(): void {
    if (clock.monotonic() - heardAt > OWNER_SILENT_MS) abort.abort(new Error('The owner is silent'))
    else if (inFlight === 0) void post({ type: 'beat' })
  }

  return {
    async send(content, body) {
      await until(() => inFlight < WINDOW_RECORDS)
      void post(content, body)
    },
    credit: (ms) => until(() => ms < creditMs),
    grant(granted) {
      creditMs = granted
      wake()
    },
    drained: () => until(() => inFlight === 0),
    close() {
      stopBeats()
      abort.signal.removeEventListener('abort', wake)
    },
  }
}
