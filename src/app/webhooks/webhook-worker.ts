/**
 * Delivers to one webhook: reads the log from the webhook's own position on, and sends the due deliveries. Events of one subject are sent
 * one at a time and in order; a delivery that fails holds up only its subject. A bounded number waits here, the rest waits in the log.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { StoredEvent } from '../../events/envelope.ts'
import { later, type Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { WebhookDocument } from '../../../projections/views/webhooks.ts'
import { RETRY_FOR_MS } from '../../domain/webhooks/retries.ts'
import { enabledBy } from '../../domain/webhooks/webhook.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { waitForViews } from '../consistency/wait-for-views.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { Delivery, DeliveryStore, WebhookCursor } from './delivery-store.ts'
import { concerns, deliveriesOf, type IntakeDependencies } from './intake.ts'
import { createOutbox, type Outbox, type OutboxDependencies } from './outbox.ts'

export interface WorkerDependencies extends IntakeDependencies, Omit<OutboxDependencies, 'webhook' | 'deliveries'> {
  readonly clock: Clock
  readonly log: Pick<EventLog, 'follow'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
}

export interface WorkerOptions {
  readonly deliveries: DeliveryStore
  /** The webhook as it is now. */
  readonly webhook: () => WebhookDocument
  /** Receives the function that lets a webhook with a new URL try again at once. */
  readonly onStart: (retryNow: () => void) => void
}

/** Deliveries that wait here; the log is not read any further for this webhook until some are settled. */
const WAITING_MAX = 1_000
/** Events without a delivery after which the position is stored. */
const NOTE_EVERY = 500

interface State extends WorkerDependencies, WorkerOptions {
  readonly outbox: Outbox
  readonly progress: Map<string, number>
  cursor: WebhookCursor
  /** Events since the cursor was stored. */
  unnoted: number
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
  const state: State = { ...deps, ...options, outbox, progress: new Map(), cursor, unnoted: 0 }
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const both = [readLog(state, until), outbox.run(until)]
  try {
    await Promise.race(both)
  } finally {
    stop.abort()
    await Promise.allSettled(both)
  }
}

function cursorFrom(stored: WebhookCursor | undefined, { since, enabledSince }: WebhookDocument, clock: Clock): WebhookCursor {
  if (!stored) return { upTo: since, notBefore: firstSettled(clock), enabled: true }
  return stored.enabledSince === undefined ? { ...stored, upTo: later(stored.upTo, enabledSince), enabled: true } : stored
}

/** Until then the events were settled, if the read models were deleted. */
const firstSettled = (clock: Clock): string => new Date(clock.now() - RETRY_FOR_MS).toISOString()

async function readLog(state: State, signal: AbortSignal): Promise<void> {
  const { log, outbox } = state
  while (!signal.aborted) {
    await outbox.fewerThan(WAITING_MAX, signal)
    // A subscription that nobody reads could be dropped by its server: it ends while the outbox is full.
    for await (const batch of log.follow(state.cursor.upTo, signal)) {
      await takeBatch(state, batch, signal)
      if (outbox.size() >= WAITING_MAX) break
    }
  }
}

async function takeBatch(state: State, batch: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
  const { clock, deliveries, outbox } = state
  const webhook = state.webhook()
  // The clock may have been ahead when it was noted: then it would skip what happens from now on.
  const notBefore = [state.cursor.notBefore, firstSettled(clock)].toSorted()[0] ?? state.cursor.notBefore
  const upTo = batch.at(-1)?.position ?? state.cursor.upTo
  const { happened, enabled } = whileEnabled(state, batch)
  const events = happened.filter(({ at }) => at >= notBefore)
  const retried = await retriedIn(state, events)
  const found = concerns(webhook, events) ? await readyDeliveries(state, { webhook, events, upTo }, signal) : []
  state.unnoted += batch.length
  state.cursor = { ...state.cursor, upTo, enabled }
  if (found.length + retried.length === 0 && state.unnoted < NOTE_EVERY) return
  await deliveries.take(webhook.id, { ...state.cursor, notBefore }, [...retried, ...found])
  state.unnoted = 0
  outbox.add([...retried, ...found])
}

/** The events of a batch that happened while the webhook was enabled, and whether it is enabled after the batch. */
function whileEnabled({ cursor, webhook }: State, batch: readonly StoredEvent[]) {
  const { id } = webhook()
  let { enabled } = cursor
  const happened = batch
    .flatMap((stored) => decodeKnown(stored) ?? [])
    .filter((event) => {
      enabled = enabledBy(id, event) ?? enabled
      return enabled
    })
  return { happened, enabled }
}

interface Taking {
  readonly webhook: WebhookDocument
  readonly events: readonly RecordedEvent[]
  readonly upTo: Position
}

/** Without those that are stored already: the log may be read again after a crash. */
async function readyDeliveries(state: State, { webhook, events, upTo }: Taking, signal: AbortSignal) {
  await waitForViews(state.readYourWrites, upTo, signal)
  const made = await deliveriesOf(state, webhook, { events, progress: state.progress })
  const known = await state.deliveries.known(made.map(({ id }) => id))
  return made.filter(({ id }) => !known.has(id))
}

/** Parked deliveries that are to be tried again, with as much time as new ones. */
async function retriedIn({ clock, deliveries, webhook }: State, events: readonly RecordedEvent[]): Promise<readonly Delivery[]> {
  const { id } = webhook()
  const retried = new Map<string, Delivery>()
  for (const event of events) {
    if (event.type !== 'WebhookRetryRequested' || event.data.webhookId !== id) continue
    const delivery = await deliveries.get(id, event.data.deliveryId)
    if (delivery?.state !== 'parked') continue
    const nextAt = new Date(clock.now()).toISOString()
    retried.set(delivery.id, { ...delivery, state: 'pending', tries: 0, firstTriedAt: null, nextAt })
  }
  return [...retried.values()]
}
