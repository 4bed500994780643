/**
 * Delivers to all webhooks, on one node of a site at a time: a worker for each that is enabled, so that a slow receiver holds up no other.
 */
import type { WebhookDocument } from '../../../projections/views/webhooks.ts'
import type { WebhookId } from '../../vocabulary/id.ts'
import { disableGone, webhook as decider } from '../../domain/webhooks/webhook.ts'
import { webhookStream } from '../../events/streams.ts'
import { abortable } from '../../concurrency/timeout.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadStore } from '../../ports/read-store.ts'
import type { Vault } from '../../ports/vault.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import { waitForViews } from '../consistency/wait-for-views.ts'
import { supervise } from '../tasks/supervise.ts'
import { createTrouble } from '../tasks/trouble.ts'
import { createDeliveryStore, type DeliveryStore } from './delivery-store.ts'
import type { LiveWebhooks } from './live-webhooks.ts'
import { runWebhookWorker, type WorkerDependencies } from './webhook-worker.ts'
import type { Report } from '../../ports/report.ts'

export interface DelivererDependencies extends Omit<WorkerDependencies, 'gone'> {
  readonly commandHandler: CommandHandler
  readonly live: LiveWebhooks
  readonly log: Pick<EventLog, 'follow' | 'head'>
  readonly store: ReadStore
  readonly vault: Pick<Vault, 'destroyKey'>
  readonly onError: Report
}

interface Worker {
  readonly enabledSince: string
  /** Position of the URL and secret that it began with, or was hurried for. */
  addressSince: string
  retryNow: () => void
  stop(): Promise<void>
}

interface State extends DelivererDependencies {
  readonly deliveries: DeliveryStore
  readonly workers: Map<WebhookId, Worker>
}

/** Runs until the signal. `epoch`: token of the lease that it runs under. */
export async function runWebhookDeliverer(deps: DelivererDependencies, epoch: number, signal: AbortSignal): Promise<void> {
  const { live, log, readYourWrites, store } = deps
  // A webhook that the view lacks counts as removed, so the view must know all of them.
  await waitForViews(readYourWrites, await log.head(), signal)
  const state: State = { ...deps, deliveries: createDeliveryStore({ store, epoch }), workers: new Map() }
  try {
    for (;;) {
      signal.throwIfAborted()
      const changed = live.whenChanged()
      await adjust(state, signal)
      await abortable(changed, signal)
    }
  } finally {
    await Promise.all([...state.workers.values()].map((worker) => worker.stop()))
  }
}

/** Starts and stops workers, and deletes the remaining data of removed webhooks. */
async function adjust(state: State, signal: AbortSignal): Promise<void> {
  const { live, workers } = state
  for (const [id, worker] of workers) {
    const webhook = live.documents.get(id)
    if (webhook?.enabled && webhook.enabledSince === worker.enabledSince) continue
    await worker.stop()
    workers.delete(id)
  }
  for (const webhook of live.documents.values()) {
    const worker = workers.get(webhook.id)
    if (!worker && webhook.enabled) workers.set(webhook.id, startWorker(state, webhook, signal))
    if (!worker || worker.addressSince === webhook.addressSince) continue
    worker.addressSince = webhook.addressSince
    worker.retryNow()
  }
  for (const id of await state.deliveries.webhookIds()) if (!live.documents.has(id)) await clean(state, id)
}

async function clean({ deliveries, vault }: State, id: WebhookId): Promise<void> {
  await vault.destroyKey(id)
  await deliveries.removeAll(id)
}

function startWorker(state: State, begun: WebhookDocument, signal: AbortSignal): Worker {
  const { clock, deliveries, live, onError } = state
  const stopping = new AbortController()
  let last = begun
  const options = {
    deliveries,
    // A removed webhook stays as it was until its worker has stopped.
    webhook: () => (last = live.documents.get(begun.id) ?? last),
    onStart: (retryNow: () => void) => void (worker.retryNow = retryNow),
  }
  const deps = { ...state, gone: (webhook: WebhookDocument) => disable(state, webhook) }
  const until = AbortSignal.any([signal, stopping.signal])
  const worker: Worker = {
    enabledSince: begun.enabledSince,
    addressSince: begun.addressSince,
    retryNow: () => {},
    async stop() {
      stopping.abort()
      await running
    },
  }
  const running = supervise((held) => runWebhookWorker(deps, options, held), {
    clock,
    signal: until,
    trouble: createTrouble(clock, onError),
  })
  return worker
}

async function disable({ commandHandler }: State, { id }: WebhookDocument): Promise<void> {
  await commandHandler.execute({ stream: webhookStream(id), decider }, disableGone, { actor: 'system', command: 'disableWebhook' })
}
