/** Manages webhooks for administrators: adding, changing, removing, testing, and what became of deliveries. */
import { webhookStream } from '../../events/streams.ts'
import type { WebhookTemplate } from '../../events/webhook-events.ts'
import { parseId, type WebhookId } from '../../vocabulary/id.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { WebhookDocument } from '../../../projections/views/webhooks.ts'
import {
  addWebhook,
  changeWebhook,
  NO_SUCH_WEBHOOK,
  removeWebhook,
  requestRetry,
  webhook as decider,
  type WebhookState,
} from '../../domain/webhooks/webhook.ts'
import type { Decision } from '../../domain/decider.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { ReadStore } from '../../ports/read-store.ts'
import type { Vault } from '../../ports/vault.ts'
import type { WebhookSender } from '../../ports/webhook-sender.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type Author, type CommandHandler } from '../commands/command-handler.ts'
import { newId } from '../commands/new-id.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { totalOf, type ListPage, type PageRequest } from '../read-models/page.ts'
import { DELIVERIES, deliveryOf, NEWEST_FIRST, ofWebhook, type Delivery, type DeliveryState } from './delivery-store.ts'
import type { LiveWebhooks } from './live-webhooks.ts'
import { isDelivered, reasonOf, sendTo } from './sending.ts'
import { isWebhookSecret, newWebhookSecret } from './webhook-signature.ts'

/** A webhook with its URL, and without its secret. */
export interface OpenedWebhook extends Pick<
  WebhookDocument,
  'id' | 'events' | 'template' | 'enabled' | 'disabledBecause' | 'createdAt' | 'updatedAt'
> {
  /** Null if its key is destroyed. */
  readonly url: string | null
}

export interface NewWebhook {
  readonly url: string
  readonly events: readonly string[]
  readonly template: WebhookTemplate
  /** Default: a new one. */
  readonly secret?: string | undefined
}

export interface WebhookEdit {
  readonly url?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly template?: WebhookTemplate | undefined
  readonly secret?: string | undefined
  readonly enabled?: boolean | undefined
}

export interface TestResult {
  readonly delivered: boolean
  /** Null: the receiver gave no answer. */
  readonly status: number | null
  /** Null if it was delivered. */
  readonly reason: string | null
}

export interface Webhooks {
  /** Oldest first; there are at most 32. */
  list(this: void): Promise<readonly OpenedWebhook[]>
  /** Refusal: `not-found`. */
  get(this: void, id: string): Promise<OpenedWebhook | Refusal>
  /** The only answer with the secret. Refusals: `invalid` (`url`, `secret`), `conflict` (too many). */
  add(
    this: void,
    caller: Caller,
    wanted: NewWebhook,
    origin: RequestOrigin,
  ): Promise<(OpenedWebhook & { readonly secret: string }) | Refusal>
  /** Refusals: `not-found`, `invalid`. */
  change(this: void, caller: Caller, id: string, edit: WebhookEdit, origin: RequestOrigin): Promise<OpenedWebhook | Refusal>
  remove(this: void, caller: Caller, id: string, origin: RequestOrigin): Promise<void | Refusal>
  /** Sends a test event now, once. The signal aborts when the client has disconnected. */
  test(this: void, id: string, signal: AbortSignal): Promise<TestResult | Refusal>
  /** Newest first; without a state: all. */
  deliveries(this: void, id: string, state: DeliveryState | undefined, page: PageRequest): Promise<ListPage<Delivery> | Refusal>
  /** Asks for another try of a parked delivery. Refusals: `not-found`, `conflict` (it is not parked, or the webhook is disabled). */
  retry(this: void, caller: Caller, ids: RetryIds, origin: RequestOrigin): Promise<void | Refusal>
}

interface RetryIds {
  readonly id: string
  readonly deliveryId: string
}

export interface WebhooksDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly commandHandler: CommandHandler
  readonly ids: Ids
  readonly live: LiveWebhooks
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly sealer: Sealer
  readonly sender: WebhookSender
  readonly store: Pick<ReadStore, 'get' | 'find' | 'count'>
  readonly vault: Pick<Vault, 'destroyKey'>
}

type State = WebhooksDependencies

const WEBHOOKS_MAX = 32
const NO_SUCH_DELIVERY = refuse('not-found', 'There is no such delivery')

export function createWebhooks(state: WebhooksDependencies): Webhooks {
  const { live, sealer, vault } = state
  return {
    async list() {
      const sorted = [...live.documents.values()].toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))
      return Promise.all(sorted.map((document) => open(state, document)))
    },
    get: async (id) => opened(state, id),
    add: (caller, wanted, origin) => add(state, wanted, byUser(caller.userId, 'addWebhook', origin)),
    change: (caller, id, edit, origin) => change(state, id, edit, byUser(caller.userId, 'changeWebhook', origin)),
    async remove({ userId }, id, origin) {
      const done = await execute(state, id, removeWebhook, byUser(userId, 'removeWebhook', origin))
      if (isRefusal(done)) return done
      await vault.destroyKey(id)
      sealer.forget(id)
      return undefined
    },
    test: (id, signal) => test(state, id, signal),
    deliveries: (id, wanted, page) => deliveriesOf(state, id, wanted, page),
    retry: ({ userId }, ids, origin) => retry(state, ids, byUser(userId, 'retryDelivery', origin)),
  }
}

async function open({ sealer }: State, document: WebhookDocument): Promise<OpenedWebhook> {
  const { id, events, template, enabled, disabledBecause, createdAt, updatedAt } = document
  return { id, url: (await sealer.open(document.url)) ?? null, events, template, enabled, disabledBecause, createdAt, updatedAt }
}

async function opened(state: State, id: string): Promise<OpenedWebhook | Refusal> {
  const document = state.live.documents.get(id)
  return document ? open(state, document) : NO_SUCH_WEBHOOK
}

async function execute(state: State, id: string, decide: (state: WebhookState) => Decision, author: Author): Promise<void | Refusal> {
  const webhookId = parseId<'webhook'>(id)
  if (!webhookId) return NO_SUCH_WEBHOOK
  const done = await state.commandHandler.execute({ stream: webhookStream(webhookId), decider }, decide, author)
  return isRefusal(done) ? done : state.readYourWrites.waitFor(done.position)
}

function faultOf({ sender }: State, { url, secret }: { readonly url?: string | undefined; readonly secret?: string | undefined }) {
  const fault = url === undefined ? undefined : sender.fault(url)
  if (fault !== undefined) return refuse('invalid', fault, { path: 'url' })
  if (secret === undefined || isWebhookSecret(secret)) return undefined
  return refuse('invalid', 'is not `whsec_` and the base64 of 24 to 64 bytes', { path: 'secret' })
}

async function add(state: State, wanted: NewWebhook, author: Author) {
  const { ids, live, sealer } = state
  const fault = faultOf(state, wanted)
  if (fault) return fault
  const webhookId: WebhookId = newId('webhook', ids, author.origin)
  if (live.documents.size >= WEBHOOKS_MAX && !live.documents.has(webhookId))
    return refuse('conflict', `There are ${WEBHOOKS_MAX} webhooks already: remove one first`)
  const { url, events, template, secret = newWebhookSecret(ids) } = wanted
  const sealed = { url: await sealer.seal(webhookId, url), secret: await sealer.seal(webhookId, secret) }
  const done = await execute(state, webhookId, addWebhook({ webhookId, origin: originOf(url), ...sealed, events, template }), author)
  if (isRefusal(done)) return done
  const document = live.documents.get(webhookId)
  // A repeated request may have been carried out before, with another secret.
  const kept = document && (await sealer.open(document.secret))
  return document && kept !== undefined ? { ...(await open(state, document)), secret: kept } : NO_SUCH_WEBHOOK
}

const originOf = (url: string): string => new URL(url).origin

async function change(state: State, id: string, edit: WebhookEdit, author: Author): Promise<OpenedWebhook | Refusal> {
  const { live, sealer } = state
  const document = live.documents.get(id)
  if (!document) return NO_SUCH_WEBHOOK
  const fault = faultOf(state, edit)
  if (fault) return fault
  const { url, secret, ...rest } = edit
  const isOther = async (text: string, before: WebhookDocument['url']) => text !== (await sealer.open(before))
  const address =
    url !== undefined && (await isOther(url, document.url)) ? { origin: originOf(url), url: await sealer.seal(id, url) } : undefined
  const sealed = secret !== undefined && (await isOther(secret, document.secret)) ? await sealer.seal(id, secret) : undefined
  const done = await execute(state, id, changeWebhook({ ...rest, address, secret: sealed }), author)
  return isRefusal(done) ? done : opened(state, id)
}

async function test(state: State, id: string, signal: AbortSignal): Promise<TestResult | Refusal> {
  const document = state.live.documents.get(id)
  if (!document) return NO_SUCH_WEBHOOK
  const at = new Date(state.clock.now()).toISOString()
  const event = { kind: 'webhook.test', at, data: { at }, film: null }
  const answer = await sendTo(state, document, { id: state.ids.next<'delivery'>(), event }, signal)
  const delivered = isDelivered(answer)
  return { delivered, status: answer.type === 'answered' ? answer.status : null, reason: delivered ? null : reasonOf(answer) }
}

async function deliveriesOf({ live, store }: State, id: string, state: DeliveryState | undefined, page: PageRequest) {
  if (!live.documents.has(id)) return NO_SUCH_WEBHOOK
  const { after, limit } = page
  const where = ofWebhook(id, state)
  const { documents, next } = await store.find(DELIVERIES.name, { where, sort: NEWEST_FIRST, limit, ...omitUndefined({ after }) })
  return { items: documents.map(deliveryOf), next, ...(await totalOf(page, () => store.count(DELIVERIES.name, where))) }
}

async function retry(state: State, { id, deliveryId }: RetryIds, author: Author): Promise<void | Refusal> {
  if (!state.live.documents.has(id)) return NO_SUCH_WEBHOOK
  const stored = await state.store.get(DELIVERIES.name, deliveryId)
  const delivery = stored && deliveryOf(stored)
  if (delivery?.webhookId !== id) return NO_SUCH_DELIVERY
  if (delivery.state !== 'parked') return refuse('conflict', 'Only a parked delivery can be tried again')
  return execute(state, id, requestRetry(delivery.id), author)
}
