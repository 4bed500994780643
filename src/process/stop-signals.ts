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

export function listenForStop({ clock, insist }: StopSignalOptions): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let firstAtMs: number | undefined
  const take = (signal: NodeJS.Signals) => {
    if (firstAtMs !== undefined && clock.monotonic() - firstAtMs > SAME_SIGNAL_MS) insist(signal)
    firstAtMs ??= clock.monotonic()
    resolve(signal)
  }
  process.on('SIGTERM', take).on('SIGINT', take)
  return { asked: promise }
}
