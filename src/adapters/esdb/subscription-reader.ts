/**
 * Pulls items from one of the driver's streams: returns the available ones, and waits only while there are none, for a bounded time. The
 * driver raises errors on its streams at any time, even after their end: the listeners are therefore never removed.
 */
import type { Clock } from '../../ports/clock.ts'
import { TimedOut } from '../../concurrency/timeout.ts'
import { createAppendNotifier } from '../shared/append-notifier.ts'

export interface SubscriptionReader<Item> {
  /**
   * At least one item and at most `max`; undefined after the last one. @throws the stream's error, once all earlier items are taken;
   * TimedOut; the signal's reason
   */
  next(max: number): Promise<readonly Item[] | undefined>
  /** The items that have arrived meanwhile, without waiting: at most `max`. */
  more(max: number): readonly Item[]
  /** Stops the stream on the server, too. */
  stop(): void
}

export interface SubscriptionReaderOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Current timeout; undefined: none. */
  readonly patienceMs: () => number | undefined
}

/** Items that the driver's stream buffers, once on arrival and once for the reader. */
export const BUFFERED = { highWaterMark: 128 }

/** A read or a subscription of the driver. */
export type Source = Stream & ({ cancel(): Promise<void> } | { unsubscribe(): Promise<void> })

interface Stream {
  read(): unknown
  destroy(): unknown
  on(name: string, listener: (...values: unknown[]) => void): unknown
}

export function createSubscriptionReader<Item>(
  source: Source,
  { clock, signal, patienceMs }: SubscriptionReaderOptions,
): SubscriptionReader<Item> {
  const notifier = createAppendNotifier()
  let ended = false
  let failure: { readonly error: unknown } | undefined

  source.on('readable', () => notifier.notify())
  source.on('confirmation', () => notifier.notify())
  source.on('error', (error) => {
    failure ??= { error }
    notifier.notify()
  })
  for (const name of ['end', 'close']) {
    source.on(name, () => {
      ended = true
      notifier.notify()
    })
  }

  /** @returns the error to fail with if nothing has come */
  async function change(): Promise<TimedOut | undefined> {
    const ms = patienceMs()
    let overdue: TimedOut | undefined
    const ring = (): void => {
      overdue = new TimedOut(`No answer for ${ms} ms`)
      notifier.notify()
    }
    const disarm = ms === undefined ? undefined : clock.after(ms, ring)
    await notifier.next(signal)
    disarm?.()
    return overdue
  }

  return {
    async next(max) {
      for (let overdue: TimedOut | undefined; ; overdue = await change()) {
        signal.throwIfAborted()
        const items = taken(source, max) as readonly Item[]
        if (items.length > 0) return items
        if (failure) throw failure.error
        if (ended) return undefined
        if (overdue) throw overdue
      }
    },
    more: (max) => taken(source, max) as readonly Item[],
    stop() {
      // Destroying it alone would leave the call open on the server.
      const stopped = 'cancel' in source ? source.cancel() : source.unsubscribe()
      stopped.catch(() => {})
      source.destroy()
    },
  }
}

function taken(source: Stream, max: number): readonly unknown[] {
  const items: unknown[] = []
  while (items.length < max) {
    const item = source.read()
    if (item === null) break
    items.push(item)
  }
  return items
}
