/** Asks the provider of online metadata for a caller who waits: with a timeout, and with refusals that name the remedy. */
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import { OnlineAway, OnlineRefused } from '../../ports/online-metadata.ts'

export const ONLINE_OFF = refuse('conflict', 'Online metadata is off: set MARQUEE_TMDB_KEY and restart the server')

/** Includes the wait for a turn at the provider, which the background task keeps busy. */
const PATIENCE_MS = 15_000
const AGAIN_SECONDS = 10

/** @throws the signal's reason once it is aborted; errors that are not the provider's */
export async function askProvider<Value>(
  clock: Pick<Clock, 'after'>,
  ask: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<Value | Refusal> {
  const over = new AbortController()
  const disarm = clock.after(PATIENCE_MS, () => over.abort())
  try {
    return await ask(AbortSignal.any([signal, over.signal]))
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof OnlineRefused) return refuse('conflict', `${cause.message}: set another key and restart the server`)
    if (cause instanceof OnlineAway) return away(`${cause.message}: try again later`, cause.retryAfterMs)
    if (over.signal.aborted) return away('The provider of online metadata did not answer in time: try again later')
    throw cause
  } finally {
    disarm()
  }
}

const away = (message: string, retryAfterMs?: number): Refusal =>
  refuse('unavailable', message, { retryAfterSeconds: retryAfterMs === undefined ? AGAIN_SECONDS : Math.ceil(retryAfterMs / 1000) })
