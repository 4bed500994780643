/**
 * Keeps deliveries and how far each webhook has read the log, in the read store: the deliveries first, so a crash loses no event.
 * If the read models are deleted, the events of the last days are delivered again, with the same ids.
 */
import type { JsonObject } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import type { WebhookEvent } from '../../domain/webhooks/webhook-message.ts'
import type { DeliveryId, WebhookId } from '../../vocabulary/id.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Commit, CollectionSpec, Filter, Key, ReadStore, StoredDocument } from '../../ports/read-store.ts'
import { createMutex } from '../../concurrency/semaphore.ts'

export type DeliveryState = 'pending' | 'delivered' | 'parked'

/** One event on its way to one webhook. */
export interface Delivery {
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  readonly state: DeliveryState
  /** Sorts as the log does: the position, then the kind. */
  readonly order: string
  readonly subject: string
  readonly position: Position
  readonly event: WebhookEvent
  readonly tries: number
  readonly firstTriedAt: string | null
  readonly lastTriedAt: string | null
  /** Time of the next try; null once it is delivered or parked. */
  readonly nextAt: string | null
  /** Status of the last answer; null: there was none. */
  readonly status: number | null
  /** Why the last try failed. */
  readonly reason: string | null
}

export const DELIVERIES: CollectionSpec = {
  name: 'webhook_deliveries_g1',
  fields: { webhookId: 'text', state: 'text', order: 'text' },
  indexes: [
    ['webhookId', 'state', 'order'],
    ['webhookId', 'order'],
  ],
}
export const CURSORS: CollectionSpec = { name: 'webhook_cursors_g1', fields: {}, indexes: [] }

type Kept = Readonly<Record<'delivered' | 'parked', number>>

/** Settled deliveries that are kept for each webhook, to be shown. */
const KEPT: Kept = { delivered: 100, parked: 1_000 }
const PAGE = 500
/** Deliveries in one commit: more of them may take longer than an engine's timeout. */
const WRITES = 50

/** A place up to which the log was read. */
export interface LogPlace {
  readonly upTo: Position
  /** Whether the webhook was enabled there. Events that happened while it was disabled are skipped. */
  readonly enabled: boolean
}

/** How far a webhook has read the log. */
export interface WebhookCursor extends LogPlace {
  /** Older events are skipped: they were settled before the read models were deleted. */
  readonly notBefore: string
  /** Subjects that were read less far, because too many of their deliveries wait; absent: none. */
  readonly behind?: Readonly<Record<string, LogPlace>>
  /** The last enabling that its worker has seen. Cursors of earlier versions lack it: they skip everything before that enabling. */
  readonly enabledSince?: Position
}

export interface DeliveryStore {
  /** Undefined if the webhook has never read the log, or if the read models were deleted. */
  cursor(webhookId: WebhookId): Promise<WebhookCursor | undefined>
  /** All webhooks that have read the log. */
  webhookIds(): Promise<readonly WebhookId[]>
  /** All that wait, in order. */
  pending(webhookId: WebhookId): Promise<readonly Delivery[]>
  get(webhookId: WebhookId, id: string): Promise<Delivery | undefined>
  /** Those of the ids that are stored. */
  known(ids: readonly DeliveryId[]): Promise<ReadonlySet<string>>
  /** Stores deliveries, and then how far the log was read for them. */
  take(webhookId: WebhookId, cursor: WebhookCursor, deliveries: readonly Delivery[]): Promise<void>
  put(delivery: Delivery): Promise<void>
  /** Removes the oldest of those that are only kept to be shown. */
  prune(webhookId: WebhookId): Promise<void>
  removeAll(webhookId: WebhookId): Promise<void>
}

export interface DeliveryStoreDependencies {
  readonly store: Pick<ReadStore, 'get' | 'getMany' | 'find' | 'commit'>
  /** Fencing token: that of the lease under which deliveries are made. */
  readonly epoch: number
  /** Settled deliveries that are kept; default: 100 and 1,000. */
  readonly kept?: Kept
}

type Part = Pick<Commit, 'collection' | 'puts' | 'removes'>

/** One commit at a time: workers of several webhooks share the collections. */
function createCommit({ store, epoch }: DeliveryStoreDependencies): (...parts: readonly Part[]) => Promise<void> {
  const turn = createMutex()
  return async (...parts) => {
    const { wait, done } = turn()
    await wait
    try {
      const commits = parts.map((part): Commit => ({ ...part, epoch, from: START, to: START }))
      if ((await store.commit(...commits)) === 'fenced') throw new Error('The webhooks of another node have taken over')
    } finally {
      done()
    }
  }
}

/** Every write throws if another node has taken over. */
export function createDeliveryStore({ store, epoch, kept = KEPT }: DeliveryStoreDependencies): DeliveryStore {
  const commit = createCommit({ store, epoch })
  const put = (...deliveries: readonly Delivery[]) => ({ collection: DELIVERIES.name, puts: deliveries.map(stored), removes: [] })

  /** Removes them from the newest on, or only those that are older than `after`. */
  async function remove(where: readonly Filter[], after?: Key): Promise<void> {
    const page = await store.find(DELIVERIES.name, { where, sort: NEWEST_FIRST, limit: WRITES, ...omitUndefined({ after }) })
    await commit({ collection: DELIVERIES.name, puts: [], removes: page.documents.map(({ id, at }) => ({ id, at })) })
    if (page.next) await remove(where, page.next)
  }

  async function prune(webhookId: WebhookId, state: keyof Kept): Promise<void> {
    const where = ofWebhook(webhookId, state)
    const { next } = await store.find(DELIVERIES.name, { where, sort: NEWEST_FIRST, limit: kept[state] })
    if (next) await remove(where, next)
  }

  return {
    async cursor(webhookId) {
      return (await store.get(CURSORS.name, webhookId))?.body as WebhookCursor | undefined
    },
    async webhookIds() {
      // There are few webhooks, and a cursor for each.
      const { documents } = await store.find(CURSORS.name, { limit: PAGE })
      return documents.map(({ id }) => id as WebhookId)
    },
    pending: (webhookId) => all(store, ofWebhook(webhookId, 'pending')),
    async get(webhookId, id) {
      const found = await store.get(DELIVERIES.name, id)
      const delivery = found && deliveryOf(found)
      return delivery?.webhookId === webhookId ? delivery : undefined
    },
    async known(ids) {
      const found = new Set<string>()
      for (let n = 0; n < ids.length; n += PAGE) {
        for (const { id } of await store.getMany(DELIVERIES.name, ids.slice(n, n + PAGE))) found.add(id)
      }
      return found
    },
    async take(webhookId, cursor, deliveries) {
      let n = 0
      for (; deliveries.length - n > WRITES; n += WRITES) await commit(put(...deliveries.slice(n, n + WRITES)))
      // The cursor comes last: after a crash the log is read again from the position before these deliveries.
      await commit(put(...deliveries.slice(n)), {
        collection: CURSORS.name,
        puts: [{ id: webhookId, at: cursor.upTo, body: cursor as unknown as JsonObject }],
        removes: [],
      })
    },
    put: (delivery) => commit(put(delivery)),
    async prune(webhookId) {
      await prune(webhookId, 'delivered')
      await prune(webhookId, 'parked')
    },
    async removeAll(webhookId) {
      await remove(ofWebhook(webhookId))
      const at = (await store.get(CURSORS.name, webhookId))?.at
      if (at) await commit({ collection: CURSORS.name, puts: [], removes: [{ id: webhookId, at }] })
    },
  }
}

export const NEWEST_FIRST = { field: 'order', direction: 'desc' } as const

/** Those in a state, or all. */
export const ofWebhook = (webhookId: string, state?: DeliveryState): readonly Filter[] => [
  { field: 'webhookId', op: 'eq', value: webhookId },
  ...(state === undefined ? [] : [{ field: 'state', op: 'eq', value: state } as const]),
]

/** In order. */
async function all(store: Pick<ReadStore, 'find'>, where: readonly Filter[]): Promise<readonly Delivery[]> {
  const query = { where, sort: { field: 'order', direction: 'asc' }, limit: PAGE } as const
  let page = await store.find(DELIVERIES.name, query)
  const found = [...page.documents]
  while (page.next) {
    page = await store.find(DELIVERIES.name, { ...query, after: page.next })
    found.push(...page.documents)
  }
  return found.map(deliveryOf)
}

const stored = (delivery: Delivery): StoredDocument => ({ id: delivery.id, at: delivery.position, body: delivery as unknown as JsonObject })

export const deliveryOf = ({ body }: StoredDocument): Delivery => body as unknown as Delivery
