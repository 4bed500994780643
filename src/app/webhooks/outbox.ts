/** The deliveries of one webhook that wait: sends the first of each subject when it is due, a few at the same time. */
import type { WebhookDocument } from '../../../projections/views/webhooks.ts'
import { boundedPauseMs, PAUSE_MAX_MS } from '../../domain/webhooks/retries.ts'
import { abortable } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import type { WebhookAnswer } from '../../ports/webhook-sender.ts'
import type { Delivery, DeliveryStore } from './delivery-store.ts'
import { afterTry, isGone, sendTo, type SendingDependencies } from './sending.ts'

export type DeliveryOutcome = 'delivered' | 'failed' | 'parked'

export interface OutboxDependencies extends SendingDependencies {
  readonly clock: Clock
  readonly webhook: () => WebhookDocument
  readonly deliveries: Pick<DeliveryStore, 'put' | 'prune'>
  /** The receiver wants no further events. */
  readonly gone: (webhook: WebhookDocument) => Promise<void>
  readonly settled: (outcome: DeliveryOutcome) => void
}

export interface Outbox {
  add(deliveries: readonly Delivery[]): void
  size(): number
  /** Deliveries of one subject. */
  waitingOf(subject: string): number
  /** Settles as soon as it holds: it is asked after each change. @throws the signal's reason */
  until(holds: () => boolean, signal: AbortSignal): Promise<void>
  /** Everything is due now, for example because the URL has changed. */
  retryNow(this: void): void
  /** Sends until the signal. */
  run(signal: AbortSignal): Promise<void>
}

/** Requests to one receiver at the same time. */
const WIDTH = 4
const PRUNE_EVERY = 100

interface State extends OutboxDependencies {
  /** Waiting deliveries by subject, in order. */
  readonly queues: Map<string, Delivery[]>
  /** Subjects whose first delivery is being sent. */
  readonly running: Map<string, Promise<void>>
  /** The receiver asked for a pause until then. */
  pausedUntilMs: number
  size: number
  unpruned: number
  failure: { readonly cause: unknown } | undefined
  /** Wakes the waiters for a change. */
  wake: () => void
  changed: Promise<void>
}

export function createOutbox(deps: OutboxDependencies, waiting: readonly Delivery[]): Outbox {
  const state: State = {
    ...deps,
    queues: new Map(),
    running: new Map(),
    pausedUntilMs: 0,
    size: 0,
    unpruned: 0,
    failure: undefined,
    wake: () => {},
    changed: Promise.resolve(),
  }
  renew(state)
  add(state, waiting)
  return {
    add: (deliveries) => add(state, deliveries),
    size: () => state.size,
    waitingOf: (subject) => state.queues.get(subject)?.length ?? 0,
    async until(holds, signal) {
      while (!holds()) await abortable(state.changed, signal)
    },
    retryNow: () => retryNow(state),
    run: (signal) => run(state, signal),
  }
}

function renew(state: State): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  state.changed = promise
  state.wake = resolve
}

function wake(state: State): void {
  const { wake } = state
  renew(state)
  wake()
}

function add(state: State, deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries) {
    const queue = state.queues.get(delivery.subject) ?? []
    // A delivery that was parked comes before those of its subject that happened after it.
    const place = queue.findLastIndex(({ order }) => order < delivery.order) + 1
    queue.splice(state.running.has(delivery.subject) ? Math.max(1, place) : place, 0, delivery)
    state.queues.set(delivery.subject, queue)
    state.size++
  }
  if (deliveries.length > 0) wake(state)
}

function retryNow(state: State): void {
  const nextAt = new Date(state.clock.now()).toISOString()
  for (const [subject, queue] of state.queues)
    state.queues.set(
      subject,
      queue.map((delivery) => ({ ...delivery, nextAt })),
    )
  state.pausedUntilMs = 0
  wake(state)
}

async function run(state: State, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      if (state.failure) throw state.failure.cause
      startDue(state, signal)
      await nextTurn(state, signal)
    }
  } finally {
    await Promise.all(state.running.values())
  }
}

const dueMs = (state: State, { nextAt }: Delivery): number => Math.max(state.pausedUntilMs, pauseEndMs(state, Date.parse(nextAt ?? '')))

/** No pause is that long: the clock was ahead when it began. */
const pauseEndMs = ({ clock }: State, endMs: number): number => (endMs > clock.now() + 2 * PAUSE_MAX_MS ? 0 : endMs)

/** The first delivery of each subject that none is being sent of. */
const firsts = ({ queues, running }: State): readonly Delivery[] =>
  [...queues].flatMap(([subject, [first]]) => (first && !running.has(subject) ? [first] : []))

function startDue(state: State, signal: AbortSignal): void {
  const nowMs = state.clock.now()
  for (const delivery of firsts(state)) {
    if (state.running.size >= WIDTH) return
    if (dueMs(state, delivery) > nowMs) continue
    const { subject } = delivery
    const sending = send(state, delivery, signal)
      .catch((cause: unknown) => void (state.failure ??= { cause }))
      .finally(() => {
        state.running.delete(subject)
        wake(state)
      })
    state.running.set(subject, sending)
  }
}

/** Until something has changed, or the next delivery is due. */
async function nextTurn(state: State, signal: AbortSignal): Promise<void> {
  const { clock, changed } = state
  const soonestMs = state.running.size >= WIDTH ? Infinity : Math.min(...firsts(state).map((one) => dueMs(state, one)), Infinity)
  const due = Promise.withResolvers<void>()
  const disarm = soonestMs === Infinity ? () => {} : clock.after(Math.max(0, soonestMs - clock.now()), due.resolve)
  try {
    await abortable(Promise.race([changed, due.promise]), signal)
  } finally {
    disarm()
  }
}

async function send(state: State, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const webhook = state.webhook()
  const answer = await sendTo(state, webhook, delivery, signal)
  const tried = afterTry(delivery, answer, state.clock.now())
  await state.deliveries.put(tried)
  state.settled(tried.state === 'pending' ? 'failed' : tried.state)
  replaceFirst(state, tried)
  // If the URL has changed meanwhile, what the former receiver asks for does not hold.
  if (state.webhook().addressSince !== webhook.addressSince) retryNow(state)
  else {
    notePause(state, answer)
    if (isGone(answer)) await state.gone(webhook)
  }
  if (tried.state !== 'pending' && ++state.unpruned % PRUNE_EVERY === 0) await state.deliveries.prune(webhook.id)
}

function replaceFirst(state: State, tried: Delivery): void {
  const { queues } = state
  const queue = queues.get(tried.subject) ?? []
  if (tried.state === 'pending') queue[0] = tried
  else {
    queue.shift()
    state.size--
  }
  if (queue.length === 0) queues.delete(tried.subject)
}

/** A pause that the receiver asks for holds for all deliveries to it. */
function notePause(state: State, answer: WebhookAnswer): void {
  if (isGone(answer)) state.pausedUntilMs = Infinity
  else if (answer.type === 'answered' && answer.status >= 300 && answer.pauseMs !== undefined)
    state.pausedUntilMs = state.clock.now() + boundedPauseMs(answer.pauseMs)
}
