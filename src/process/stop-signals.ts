/** Signals that end the process: the first one asks, a later one does not ask any more. */
import type { Clock } from '../ports/clock.ts'

export interface StopSignals {
  /** Settles at the first SIGTERM or SIGINT. */
  readonly asked: Promise<NodeJS.Signals>
}

export interface StopSignalOptions {
  readonly clock: Clock
  /** Called at the second one. */
  readonly insist: (signal: NodeJS.Signals) => void
}

/** npm passes on what the terminal has sent to the whole group already: the same signal comes twice within milliseconds. */
const SAME_SIGNAL_MS = 500
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER

export function listenForStop({ clock, insist }: StopSignalOptions): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  const awake = new AbortController()
  let firstAtMs: number | undefined
  const take = (signal: NodeJS.Signals) => {
    if (firstAtMs !== undefined && clock.monotonic() - firstAtMs > SAME_SIGNAL_MS) insist(signal)
    firstAtMs ??= clock.monotonic()
    awake.abort()
    resolve(signal)
  }
  process.on('SIGTERM', take).on('SIGINT', take)
  // Who waits for a server that is away may hold nothing that keeps a process alive; this one lives until it is asked to end.
  clock.sleep(FOR_EVER_MS, awake.signal).catch(() => {})
  return { asked: promise }
}
