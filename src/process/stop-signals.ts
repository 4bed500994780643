/** Handles signals that end the process: the first one requests a stop, a second one forces it, unless it is a hang-up. */
import type { Clock } from '../ports/clock.ts'

export interface StopSignals {
  /** Settles at the first SIGTERM, SIGINT or SIGHUP (its terminal is closed). */
  readonly asked: Promise<NodeJS.Signals>
}

export interface StopSignalOptions {
  readonly clock: Clock
  /** Called at the second signal. */
  readonly insist: (signal: NodeJS.Signals) => void
}

/**
 * npm forwards signals that the terminal has already sent to the whole process group: the same signal arrives twice within milliseconds.
 */
const SAME_SIGNAL_MS = 500
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER

export function listenForStop({ clock, insist }: StopSignalOptions): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  const awake = new AbortController()
  let firstAtMs: number | undefined
  const take = (signal: NodeJS.Signals) => {
    // The shell of a closed terminal and the kernel both send SIGHUP, at any distance: a second one is nobody's impatience.
    if (signal !== 'SIGHUP' && firstAtMs !== undefined && clock.monotonic() - firstAtMs > SAME_SIGNAL_MS) insist(signal)
    firstAtMs ??= clock.monotonic()
    awake.abort()
    resolve(signal)
  }
  process.on('SIGTERM', take).on('SIGINT', take).on('SIGHUP', take)
  // Keeps the event loop alive until a stop signal: while waiting for a server, nothing else does.
  clock.sleep(FOR_EVER_MS, awake.signal).catch(() => {})
  return { asked: promise }
}
