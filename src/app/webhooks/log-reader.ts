/**
 * Reads the log for one webhook, and hands the deliveries to its outbox. If too many events of one subject wait, the rest of that subject
 * stays in the log, with a position of its own, and is read again when some have been sent: all other subjects go on.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { StoredEvent } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { WebhookDocument } from '../../../projections/views/webhooks.ts'
import { RETRY_FOR_MS } from '../../domain/webhooks/retries.ts'
import { enabledBy } from '../../domain/webhooks/webhook.ts'
import type { Semaphore } from '../../concurrency/semaphore.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { waitForViews } from '../consistency/wait-for-views.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { Delivery, DeliveryStore, LogPlace, WebhookCursor } from './delivery-store.ts'
import { concerns, deliveriesOf, type IntakeDependencies } from './intake.ts'
import type { Outbox } from './outbox.ts'

export interface ReaderDependencies extends IntakeDependencies {
  readonly clock: Clock
  readonly log: Pick<EventLog, 'follow'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
}

/** Deliveries that wait here; the log is not read any further for this webhook until some are settled. */
const WAITING_MAX = 1_000
/** Deliveries of one subject that wait here. */
const SUBJECT_MAX = 100
/** With fewer the log is read again for a subject whose rest waits there. */
const SUBJECT_LOW = 50
/** Events without a delivery after which the cursor is stored. */
const NOTE_EVERY = 500

export interface LogReader extends ReaderDependencies {
  readonly deliveries: DeliveryStore
  readonly webhook: () => WebhookDocument
  readonly outbox: Outbox
  readonly progress: Map<string, number>
  cursor: WebhookCursor
  /** Subjects whose rest waits in the log, and the place up to which each was read. */
  readonly behind: Map<string, LogPlace>
  /** Events since the cursor was stored. */
  unnoted: number
  /** One batch at a time: a subject must not be read at two places. */
  readonly inTurn: Semaphore
}

/** Events before that time were settled, if the read models were deleted. */
export const firstSettled = (clock: Clock): string => new Date(clock.now() - RETRY_FOR_MS).toISOString()

/** Reads all subjects, except those that are behind. Until the signal. */
export async function readLog(reader: LogReader, signal: AbortSignal): Promise<void> {
  const { log, outbox } = reader
  const isFull = (): boolean => outbox.size() >= WAITING_MAX
  while (!signal.aborted) {
    await outbox.until(() => !isFull(), signal)
    // A subscription that nobody reads could be dropped by its server: it ends while the outbox is full.
    for await (const batch of log.follow(reader.cursor.upTo, signal)) {
      await reader.inTurn(() => takeBatch(reader, batch, signal))
      if (isFull()) break
    }
  }
}

async function takeBatch(reader: LogReader, batch: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
  const { cursor, progress } = reader
  const upTo = batch.at(-1)?.position ?? cursor.upTo
  const { events, enabled } = toDeliver(reader, cursor, batch)
  const retried = await retriedIn(reader, events)
  const found = withinBounds(reader, cursor, await readyDeliveries(reader, { events, upTo, progress }, signal))
  reader.unnoted += batch.length
  reader.cursor = { ...cursor, upTo, enabled }
  if (found.length + retried.length > 0 || reader.unnoted >= NOTE_EVERY) await store(reader, [...retried, ...found])
}

/** Reads again for the subjects that are behind, as soon as few of their deliveries wait. Until the signal. */
export async function readSubjects(reader: LogReader, signal: AbortSignal): Promise<void> {
  const { behind, outbox } = reader
  const next = () => [...behind].find(([subject]) => outbox.waitingOf(subject) < SUBJECT_LOW)
  while (!signal.aborted) {
    await outbox.until(() => next() !== undefined, signal)
    const [subject, from] = next() ?? []
    if (subject !== undefined && from) await readSubject(reader, { subject, from }, signal)
  }
}

interface Behind {
  readonly subject: string
  readonly from: LogPlace
}

/** Until enough of its deliveries wait, or until it is no longer behind. */
async function readSubject(reader: LogReader, { subject, from }: Behind, signal: AbortSignal): Promise<void> {
  const { behind, log, outbox } = reader
  const progress = new Map<string, number>()
  for await (const batch of log.follow(from.upTo, signal)) {
    await reader.inTurn(() => takeOfSubject(reader, { subject, batch, progress }, signal))
    if (!behind.has(subject) || outbox.waitingOf(subject) >= SUBJECT_MAX) return
  }
}

interface BatchOfSubject {
  readonly subject: string
  readonly batch: readonly StoredEvent[]
  readonly progress: Map<string, number>
}

async function takeOfSubject(reader: LogReader, { subject, batch, progress }: BatchOfSubject, signal: AbortSignal): Promise<void> {
  const { behind, cursor } = reader
  const from = behind.get(subject)
  const read = batch.filter(({ position }) => position <= cursor.upTo)
  const upTo = read.at(-1)?.position
  if (!from || upTo === undefined) return
  const { events, enabled } = toDeliver(reader, from, read)
  const made = await readyDeliveries(reader, { events, upTo, progress }, signal)
  behind.delete(subject)
  const ofSubject = made.filter((delivery) => delivery.subject === subject)
  const found = withinBounds(reader, from, ofSubject)
  if (upTo < cursor.upTo && !behind.has(subject)) behind.set(subject, { upTo, enabled })
  if (found.length > 0 || !behind.has(subject)) await store(reader, found)
}

async function store(reader: LogReader, found: readonly Delivery[]): Promise<void> {
  const { behind, cursor, deliveries, outbox, webhook } = reader
  const notBefore = notBeforeOf(reader)
  await deliveries.take(webhook().id, { ...cursor, notBefore, behind: Object.fromEntries(behind) }, found)
  reader.unnoted = 0
  outbox.add(found)
}

/** The clock may have been ahead when it was noted: then it would skip what happens from now on. */
const notBeforeOf = ({ clock, cursor }: LogReader): string => [cursor.notBefore, firstSettled(clock)].toSorted()[0] ?? cursor.notBefore

/** The events of a batch that happened while the webhook was enabled, and whether it is enabled after the batch. */
function toDeliver(reader: LogReader, from: LogPlace, batch: readonly StoredEvent[]) {
  const { id } = reader.webhook()
  const notBefore = notBeforeOf(reader)
  let { enabled } = from
  const happened = batch
    .flatMap((stored) => decodeKnown(stored) ?? [])
    .filter((event) => {
      enabled = enabledBy(id, event) ?? enabled
      return enabled
    })
  return { events: happened.filter(({ at }) => at >= notBefore), enabled }
}

/** Without those of subjects that are behind. A subject of which enough wait is behind from there on. `from`: where the batch began. */
function withinBounds({ behind, outbox }: LogReader, from: LogPlace, made: readonly Delivery[]): readonly Delivery[] {
  const taken = new Map<string, { readonly count: number; readonly upTo: Position }>()
  return made.filter(({ subject, position }) => {
    if (behind.has(subject)) return false
    const before = taken.get(subject)
    const count = before?.count ?? outbox.waitingOf(subject)
    // One event may lead to several deliveries: its position is that of all of them.
    if (count >= SUBJECT_MAX && before?.upTo !== position) {
      behind.set(subject, before ? { upTo: before.upTo, enabled: true } : { upTo: from.upTo, enabled: from.enabled })
      return false
    }
    taken.set(subject, { count: count + 1, upTo: position })
    return true
  })
}

interface Ready {
  readonly events: readonly RecordedEvent[]
  readonly upTo: Position
  readonly progress: Map<string, number>
}

/** Without those that are stored already: the log may be read again after a crash. */
async function readyDeliveries(reader: LogReader, { events, upTo, progress }: Ready, signal: AbortSignal): Promise<readonly Delivery[]> {
  const webhook = reader.webhook()
  if (!concerns(webhook, events)) return []
  await waitForViews(reader.readYourWrites, upTo, signal)
  const made = await deliveriesOf(reader, webhook, { events, progress })
  const known = await reader.deliveries.known(made.map(({ id }) => id))
  return made.filter(({ id }) => !known.has(id))
}

/** Parked deliveries that are to be tried again, with as much time as new ones. */
async function retriedIn({ clock, deliveries, webhook }: LogReader, events: readonly RecordedEvent[]): Promise<readonly Delivery[]> {
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
