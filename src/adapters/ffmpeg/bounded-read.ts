/** Runs a read of a film with a timeout and cancellation, and restarts it if an agent was lost. */
import type { Clock } from '../../ports/clock.ts'
import { MediaReadLost, type MediaReadOrder, type RunningMediaRead, type StartMediaRead } from '../../ports/media-reads.ts'

export interface Reading {
  readonly clock: Clock
  readonly start: StartMediaRead
}

export interface BoundedRead {
  readonly child: RunningMediaRead
  /** Kills it if it still runs: must be called, whatever the outcome. */
  readonly end: () => void
}

/** Killed after the timeout, and when the signal is aborted. @throws the signal's reason if it is already aborted */
export function startBounded(
  { clock, start }: Reading,
  { signal, late, ...order }: MediaReadOrder & { readonly signal: AbortSignal; readonly late?: () => void },
): BoundedRead {
  signal.throwIfAborted()
  const child = start(order)
  const stop = (): void => child.kill()
  const limit: { disarm?: () => void; ended?: true } = {}
  const arm = (): void => {
    if (limit.ended) return
    limit.disarm = clock.after(order.timeoutMs, () => {
      late?.()
      stop()
    })
  }
  void child.begun.then(arm)
  signal.addEventListener('abort', stop, { once: true })
  return {
    child,
    end() {
      limit.ended = true
      limit.disarm?.()
      signal.removeEventListener('abort', stop)
      child.kill()
    },
  }
}

const MOST_DEATHS = 5
const REST_MS = 1_000

/**
 * The work's result; the work restarts from its beginning if an agent was lost in the middle of it. @throws MediaReadLost if agents died of
 * it repeatedly, or none started in time
 */
export async function untilRead<Value>(clock: Clock, work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  for (let deaths = 0; ;) {
    try {
      return await work()
    } catch (cause) {
      signal.throwIfAborted()
      if (!(cause instanceof MediaReadLost) || cause.of === 'patience') throw cause
      if (cause.of === 'agent' && ++deaths === MOST_DEATHS) throw cause
    }
    await clock.sleep(REST_MS, signal)
  }
}
