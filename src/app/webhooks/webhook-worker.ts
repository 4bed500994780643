/**
 * Delivers to one webhook: reads the log from the webhook's own position on, and sends the due deliveries. Events of one subject are sent
 * one at a time and in order; a delivery that fails holds up only its subject. A bounded number waits here, the rest waits in the log.
 */
import { later } from '../../events/position.ts'
import type { WebhookDocument } from '../../../projections/views/webhooks.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeliveryStore, WebhookCursor } from './delivery-store.ts'
import { firstSettled, readLog, readSubjects, type ReaderDependencies } from './log-reader.ts'
import { createOutbox, type OutboxDependencies } from './outbox.ts'

export interface WorkerDependencies extends ReaderDependencies, Omit<OutboxDependencies, 'webhook' | 'deliveries'> {
  readonly clock: Clock
}

export interface WorkerOptions {
  readonly deliveries: DeliveryStore
  /** The webhook as it is now. */
  readonly webhook: () => WebhookDocument
  /** Receives the function that lets a webhook with a new URL try again at once. */
  readonly onStart: (retryNow: () => void) => void
}

/** Runs until the signal. */
export async function runWebhookWorker(deps: WorkerDependencies, options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { deliveries, webhook, onStart } = options
  const { id, enabledSince } = webhook()
  const stored = await deliveries.cursor(id)
  const cursor: WebhookCursor = { ...cursorFrom(stored, webhook(), deps.clock), enabledSince }
  const outbox = createOutbox({ ...deps, ...options }, await deliveries.pending(id))
  onStart(outbox.retryNow)
  // It was enabled again, perhaps with another URL: no pause from before holds.
  if (stored && stored.enabledSince !== enabledSince) outbox.retryNow()
  await deliveries.take(id, cursor, [])
  await deliveries.prune(id)
  const behind = new Map(Object.entries(cursor.behind ?? {}))
  const reader = { ...deps, ...options, outbox, progress: new Map(), cursor, behind, unnoted: 0, inTurn: createSemaphore(1) }
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const all = [readLog(reader, until), readSubjects(reader, until), outbox.run(until)]
  try {
    await Promise.race(all)
  } finally {
    stop.abort()
    await Promise.allSettled(all)
  }
}

function cursorFrom(stored: WebhookCursor | undefined, { since, enabledSince }: WebhookDocument, clock: Clock): WebhookCursor {
  if (!stored) return { upTo: since, notBefore: firstSettled(clock), enabled: true }
  return stored.enabledSince === undefined ? { ...stored, upTo: later(stored.upTo, enabledSince), enabled: true } : stored
}
