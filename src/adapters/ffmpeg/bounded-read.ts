/** A read of a film that ends once it is late, or not wanted any more, and begins again when an agent was lost. */
import type { Clock } from '../../ports/clock.ts'
import { MediaReadLost, type MediaReadOrder, type RunningMediaRead, type StartMediaRead } from '../../ports/film-reads.ts'

export interface Reading {
  readonly clock: Clock
  readonly start: StartMediaRead
}

export interface BoundedRead {
  readonly child: RunningMediaRead
  /** Kills it where it still runs: to be called whatever has come of it. */
  readonly end: () => void
}

/** Killed after the time, and when the signal is aborted. @throws the signal's reason where it is aborted already */
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
 * What the work gives, done again from its beginning where an agent was lost in the middle of it.
 * @throws MediaReadLost when agents died of it again and again, or none began in time
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
