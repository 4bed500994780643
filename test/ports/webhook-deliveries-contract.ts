/** Deliveries of webhooks are kept alike in every read store. */
import type { Test } from 'tap'
import { createDeliveryStore, CURSORS, DELIVERIES, type Delivery, type WebhookCursor } from '../../src/app/webhooks/delivery-store.ts'
import { toPosition } from '../../src/events/position.ts'
import type { DeliveryId, WebhookId } from '../../src/vocabulary/id.ts'
import type { StoreUnderTest } from './read-store-contract.ts'

const ONE = 'webhook1' as WebhookId
const TWO = 'webhook2' as WebhookId
const AT = '2026-01-02T12:00:00.000Z'

const delivery = (n: number, more: Partial<Delivery> = {}): Delivery => ({
  id: `delivery${n}` as DeliveryId,
  webhookId: ONE,
  state: 'pending',
  order: `${toPosition(n)} movie.added`,
  subject: `movie ${n % 3}`,
  position: toPosition(n),
  event: { kind: 'movie.added', at: AT, data: { seq: String(n), at: AT, scan: null }, film: 'Größe (1927)' },
  tries: 0,
  firstTriedAt: null,
  lastTriedAt: null,
  nextAt: AT,
  status: null,
  reason: null,
  ...more,
})

const upTo = (n: number): WebhookCursor => ({
  upTo: toPosition(n),
  notBefore: AT,
  enabled: true,
  enabledSince: toPosition(1),
  behind: { 'movie 1': { upTo: toPosition(1), enabled: false } },
})

const some = (from: number, to: number, more: Partial<Delivery> = {}) =>
  Array.from({ length: to - from }, (_, n) => delivery(from + n, more))

export function webhookDeliveriesContract(t: Test, make: () => Promise<StoreUnderTest>): void {
  async function opened(t: Test) {
    const { store, close } = await make()
    t.teardown(close)
    await store.open([DELIVERIES, CURSORS])
    return { store, at: (epoch: number) => createDeliveryStore({ store, epoch }) }
  }

  t.test('deliveries are stored with the position of their webhook, and what waits is read in order', async (t) => {
    const { at } = await opened(t)
    const deliveries = at(1)
    t.equal(await deliveries.cursor(ONE), undefined)
    await deliveries.take(ONE, upTo(600), some(1, 600).toReversed())
    await deliveries.take(TWO, upTo(7), [delivery(5_000, { webhookId: TWO })])
    t.strictSame(await deliveries.cursor(ONE), upTo(600))
    t.strictSame((await deliveries.webhookIds()).toSorted(), [ONE, TWO])
    t.strictSame(await at(2).pending(ONE), some(1, 600))
    t.strictSame(await deliveries.known(['delivery3', 'delivery9999'] as DeliveryId[]), new Set(['delivery3']))
  })

  t.test('what was delivered or parked waits no more, and is found only under its webhook', async (t) => {
    const { at } = await opened(t)
    const deliveries = at(1)
    await deliveries.take(ONE, upTo(3), some(1, 4))
    const parked = delivery(2, { state: 'parked', nextAt: null, tries: 20, reason: 'answered 500', status: 500 })
    await Promise.all([deliveries.put(parked), deliveries.put(delivery(3, { state: 'delivered', nextAt: null }))])
    t.strictSame(await deliveries.pending(ONE), [delivery(1)])
    t.strictSame(await deliveries.get(ONE, 'delivery2'), parked)
    t.equal(await deliveries.get(TWO, 'delivery2'), undefined)
    await deliveries.put(delivery(2))
    t.strictSame(await deliveries.pending(ONE), [delivery(1), delivery(2)], 'it is tried again')
  })

  t.test('of those that are only shown the oldest are removed, and none that waits', async (t) => {
    const { store } = await opened(t)
    const deliveries = createDeliveryStore({ store, epoch: 1, kept: { delivered: 5, parked: 20 } })
    await deliveries.take(ONE, upTo(300), [
      ...some(1, 10),
      ...some(20, 100, { state: 'delivered' }),
      ...some(100, 130, { state: 'parked' }),
    ])
    await deliveries.prune(ONE)
    t.equal((await deliveries.pending(ONE)).length, 9)
    t.equal(await deliveries.get(ONE, 'delivery94'), undefined)
    t.match(await deliveries.get(ONE, 'delivery95'), { state: 'delivered' }, 'five are left')
    t.equal(await deliveries.get(ONE, 'delivery109'), undefined)
    t.match(await deliveries.get(ONE, 'delivery110'), { state: 'parked' }, 'twenty are left')
  })

  t.test('a removed webhook leaves nothing, and others stay', async (t) => {
    const { at } = await opened(t)
    const deliveries = at(1)
    await deliveries.take(ONE, upTo(200), some(1, 130))
    await deliveries.take(TWO, upTo(7), [delivery(5_000, { webhookId: TWO })])
    await deliveries.removeAll(ONE)
    t.strictSame(await deliveries.pending(ONE), [])
    t.strictSame(await deliveries.webhookIds(), [TWO])
    t.equal((await deliveries.pending(TWO)).length, 1)
  })

  t.test('a node that was replaced can store nothing any more', async (t) => {
    const { at } = await opened(t)
    const [old, next] = [at(1), at(2)]
    await old.take(ONE, upTo(1), [delivery(1)])
    await next.take(ONE, upTo(2), [])
    await t.rejects(old.put(delivery(1, { state: 'delivered' })), /taken over/)
    await t.rejects(old.take(ONE, upTo(9), []), /taken over/)
    t.strictSame(await next.cursor(ONE), upTo(2))
    t.strictSame(await next.pending(ONE), [delivery(1)])
  })
}
