/** Deliveries over real sockets, on a clock that the test advances. */
import t, { type Test } from 'tap'
import { Webhook } from 'standardwebhooks'
import { createWebhookSender } from '../../../src/adapters/node/webhook-sender.ts'
import type { WebhookAnswer } from '../../../src/ports/webhook-sender.ts'
import { createRandom } from '../../fixtures/random.ts'
import { allowed, ORIGIN } from '../../fixtures/node-fixture.ts'
import { admin } from '../../fixtures/samples.ts'
import { NAMES, openWebhookFixture } from './webhook-fixture.ts'
import { dataOf, openReceiver, type Behaviour, type Received } from './receiver.ts'

const HOUR_MS = 3_600_000
const openFixture = (t: Test) => openWebhookFixture(t, { sender: (clock) => createWebhookSender({ clock, allow: ['127.0.0.1'] }) })

/** The first time that each id was taken in. */
const firsts = (received: readonly Received[]): readonly Received[] =>
  [...new Map(received.toReversed().map((one) => [one.id, one])).values()].toReversed()

function inOrder(t: Test, received: readonly Received[]): void {
  const last = new Map<string, number>()
  const late = received.filter((one) => {
    const { seq, userId = '' } = dataOf(one)
    const isLate = Number(seq) <= (last.get(userId) ?? 0)
    last.set(userId, Number(seq))
    return isLate
  })
  t.strictSame(late.map(dataOf), [], 'each subject in order')
}

t.test(
  '1,000 events reach a receiver that fails, hangs, lies, goes away and comes back, in order for each subject, over restarts',
  async (t) => {
    const random = createRandom(11)
    const bad: readonly Behaviour[] = ['fail', 'busy', 'hang', 'redirect', 'garbage', 'process-and-break']
    const receiver = await openReceiver(t, () => (random.chance(0.7) ? 'accept' : random.pick(bad)))
    const fixture = await openFixture(t)
    const { secret, id } = await fixture.add({ url: receiver.url })
    const taken = () => new Set(receiver.processed.map((one) => one.id)).size
    const reached = (count: number) => fixture.until(() => taken() >= count, receiver.requests)

    for (let n = 0; n < 400; n++) await fixture.happen(random.pick(NAMES))
    await reached(150)
    await fixture.restart()
    for (let n = 0; n < 300; n++) await fixture.happen(random.pick(NAMES))
    await reached(350)
    await receiver.goAway()
    for (let n = 0; n < 300; n++) await fixture.happen(random.pick(NAMES))
    await fixture.clock.advance(HOUR_MS)
    await fixture.restart()
    await receiver.comeBack()
    await reached(700)
    await fixture.stop()
    fixture.start()
    await fixture.until(async () => (await fixture.all(id, 'pending')).length === 0 && taken() >= 1000, receiver.requests)

    t.equal(taken(), 1000, 'none is lost, and none is made up')
    t.ok(receiver.processed.length > 1000, 'some came twice, with the same id')
    inOrder(t, firsts(receiver.processed))
    const webhook = new Webhook(secret)
    const wrong = receiver.processed.filter(({ headers, body }) => {
      const time = new Date(Number(headers['webhook-timestamp']) * 1000)
      return webhook.sign(headers['webhook-id'] ?? '', time, body) !== headers['webhook-signature']
    })
    t.strictSame(wrong, [], 'each is signed')
    t.equal(fixture.outcomes.parked, 0)
    t.ok(fixture.outcomes.failed > 100, `${fixture.outcomes.failed} tries failed`)
    t.strictSame(fixture.problems, [])
  },
)

t.test('a receiver verifies the signature with the library of Standard Webhooks, and a changed body is rejected', async (t) => {
  const receiver = await openReceiver(t, () => 'accept')
  const fixture = await openFixture(t)
  fixture.clock.setNow(Date.now())
  const { id, secret } = await fixture.add({ url: receiver.url })
  t.match(await fixture.webhooks.test(id, new AbortController().signal), { delivered: true, status: 204, reason: null })
  const [received] = receiver.processed
  if (!received) throw new Error('Nothing came')
  t.match(new Webhook(secret).verify(received.body, received.headers), { type: 'webhook.test' })
  t.throws(() => new Webhook(secret).verify(`${received.body} `, received.headers))
})

t.test('a delivery that fails holds up only its subject, and a receiver that hangs only its own webhook', async (t) => {
  const [stuck, ...others] = NAMES.slice(0, 5)
  const failing = await openReceiver(t, (one) => (dataOf(one).userId === stuck ? 'fail' : 'accept'))
  const hanging = await openReceiver(t, () => 'hang')
  const fixture = await openFixture(t)
  const slow = await fixture.add({ url: hanging.url })
  const fast = await fixture.add({ url: failing.url })
  for (const name of [stuck, ...others, stuck, ...others]) await fixture.happen(name!)
  const waiting = async () => (await fixture.all(fast.id, 'pending')).map(({ subject }) => subject)
  await fixture.until(async () => (await waiting()).length === 2, failing.requests)
  t.strictSame(new Set(failing.processed.map((one) => dataOf(one).userId)), new Set(others))
  t.strictSame(await waiting(), [`user ${stuck}`, `user ${stuck}`])
  t.equal(failing.processed.length, 8)
  t.equal((await fixture.all(slow.id, 'delivered')).length, 0)
})

t.test('a receiver that fails for three days gets a delivery no more, until somebody has it tried again', async (t) => {
  let behaviour: Behaviour = 'fail'
  const receiver = await openReceiver(t, () => behaviour)
  const fixture = await openFixture(t)
  const { id } = await fixture.add({ url: receiver.url })
  await fixture.happen(NAMES[0]!)
  await fixture.until(async () => (await fixture.all(id, 'parked')).length === 1, receiver.requests)
  const [parked] = await fixture.all(id)
  t.match(parked, { state: 'parked', status: 500, reason: 'answered 500', nextAt: null })
  t.equal(Date.parse(parked?.lastTriedAt ?? '') - Date.parse(parked?.firstTriedAt ?? ''), 72 * HOUR_MS)
  t.equal(receiver.requests(), parked?.tries)
  t.equal(fixture.outcomes.parked, 1)
  behaviour = 'accept'
  await fixture.clock.advance(24 * HOUR_MS)
  t.equal(receiver.requests(), parked?.tries, 'it is not tried any more')
  await fixture.webhooks.retry(admin, { id, deliveryId: parked?.id ?? '' }, ORIGIN)
  await fixture.until(async () => (await fixture.all(id, 'delivered')).length === 1, receiver.requests)
  t.equal(receiver.processed[0]?.id, parked?.id, 'with the same id')
  t.match(await fixture.webhooks.retry(admin, { id, deliveryId: parked?.id ?? '' }, ORIGIN), { refusal: 'conflict' })
})

t.test('a receiver that asks for a pause gets nothing until it is over', async (t) => {
  let behaviour: Behaviour = 'busy'
  const receiver = await openReceiver(t, () => behaviour)
  const fixture = await openFixture(t)
  await fixture.add({ url: receiver.url })
  await fixture.happen(NAMES[0]!)
  await fixture.until(() => fixture.outcomes.failed === 1)
  const sinceMs = fixture.clock.now()
  behaviour = 'accept'
  await fixture.happen(NAMES[1]!)
  await fixture.until(() => receiver.processed.length > 0, receiver.requests)
  t.ok(fixture.clock.now() - sinceMs >= 2_500, `${fixture.clock.now() - sinceMs} ms`)
})

t.test('410 disables the webhook; enabled again it gets what waited, and nothing of the time between', async (t) => {
  let behaviour: Behaviour = 'gone'
  const receiver = await openReceiver(t, () => behaviour)
  const fixture = await openFixture(t)
  const { id } = await fixture.add({ url: receiver.url })
  await fixture.happen(NAMES[0]!)
  await fixture.until(() => fixture.live.documents.get(id)?.enabled === false)
  t.match(allowed(await fixture.webhooks.get(id)), { enabled: false, disabledBecause: 'gone' })
  await fixture.happen(NAMES[1]!)
  const requests = receiver.requests()
  await fixture.clock.advance(HOUR_MS)
  t.equal(receiver.requests(), requests)
  behaviour = 'accept'
  await fixture.change(id, { enabled: true })
  await fixture.happen(NAMES[2]!)
  await fixture.until(() => receiver.processed.length === 2, receiver.requests)
  t.strictSame(new Set(receiver.processed.map((one) => dataOf(one).userId)), new Set([NAMES[0], NAMES[2]]))
})

t.test('once enabled again a webhook gets what waits at once, however long its last pause was to be', async (t) => {
  let behaviour: Behaviour = 'fail'
  const receiver = await openReceiver(t, () => behaviour)
  const fixture = await openFixture(t)
  const { id } = await fixture.add({ url: receiver.url })
  await fixture.happen(NAMES[0]!)
  await fixture.until(() => fixture.outcomes.failed === 5, receiver.requests)
  behaviour = 'gone'
  await fixture.until(() => fixture.live.documents.get(id)?.enabled === false, receiver.requests)
  behaviour = 'accept'
  const sinceMs = fixture.clock.now()
  await fixture.change(id, { enabled: true })
  await fixture.until(() => receiver.processed.length === 1, receiver.requests)
  t.ok(fixture.clock.now() - sinceMs < 60_000, `${fixture.clock.now() - sinceMs} ms`)
})

t.test('a new webhook begins with what happens after it was added', async (t) => {
  const receiver = await openReceiver(t, () => 'accept')
  const fixture = await openFixture(t)
  for (const name of NAMES.slice(0, 5)) await fixture.happen(name)
  await fixture.add({ url: receiver.url })
  await fixture.happen(NAMES[7]!)
  await fixture.until(() => receiver.processed.length > 0, receiver.requests)
  await fixture.clock.advance(HOUR_MS)
  t.strictSame(
    receiver.processed.map((one) => dataOf(one).userId),
    [NAMES[7]],
  )
})

t.test('with another URL everything that waits is sent at once', async (t) => {
  const receiver = await openReceiver(t, () => 'accept')
  const away = await openReceiver(t, () => 'accept')
  await away.goAway()
  const fixture = await openFixture(t)
  const { id } = await fixture.add({ url: away.url })
  await fixture.happen(NAMES[0]!)
  await fixture.until(() => fixture.outcomes.failed === 5)
  const sinceMs = fixture.clock.now()
  await fixture.change(id, { url: receiver.url })
  await fixture.until(() => receiver.processed.length === 1, receiver.requests)
  t.ok(fixture.clock.now() - sinceMs < 60_000, `${fixture.clock.now() - sinceMs} ms`)
})

t.test('a former receiver that answers 410 after the URL has changed does not disable the webhook', async (t) => {
  const urls: string[] = []
  const former = Promise.withResolvers<WebhookAnswer>()
  const fixture = await openWebhookFixture(t, {
    sender: () => ({
      fault: () => undefined,
      send: async ({ url }) => (urls.push(url) === 1 ? former.promise : { type: 'answered', status: 204, pauseMs: undefined }),
    }),
  })
  const { id } = await fixture.add({ url: 'https://former.example.org/' })
  await fixture.happen(NAMES[0]!)
  await fixture.until(() => urls.length === 1)
  await fixture.change(id, { url: 'https://new.example.org/' })
  const sinceMs = fixture.clock.now()
  former.resolve({ type: 'answered', status: 410, pauseMs: undefined })
  await fixture.until(() => fixture.outcomes.delivered === 1)
  t.ok(fixture.clock.now() - sinceMs < 60_000, `${fixture.clock.now() - sinceMs} ms`)
  t.strictSame(urls, ['https://former.example.org/', 'https://new.example.org/'])
  t.match(await fixture.webhooks.get(id), { enabled: true })
})

t.test('a removed webhook gets nothing more, and leaves neither deliveries nor its key', async (t) => {
  const receiver = await openReceiver(t, () => 'fail')
  const fixture = await openFixture(t)
  const { id } = await fixture.add({ url: receiver.url })
  await fixture.happen(NAMES[0]!)
  await fixture.until(() => fixture.outcomes.failed === 1)
  t.equal(await fixture.webhooks.remove(admin, id, ORIGIN), undefined)
  await fixture.clock.advance(HOUR_MS)
  const requests = receiver.requests()
  await fixture.happen(NAMES[0]!)
  await fixture.clock.advance(24 * HOUR_MS)
  t.equal(receiver.requests(), requests)
  t.match(await fixture.webhooks.deliveries(id, undefined, { limit: 10 }), { refusal: 'not-found' })
  const { documents } = await fixture.store.find('webhook_deliveries_g1', { limit: 10 })
  t.strictSame(documents, [])
  t.equal(await fixture.vault.key(id), undefined)
  t.strictSame(fixture.problems, [])
})

t.test('while a receiver is away only a bounded number waits in the read models, and the rest in the log', async (t) => {
  const receiver = await openReceiver(t, () => 'accept')
  await receiver.goAway()
  const fixture = await openFixture(t)
  const { id } = await fixture.add({ url: receiver.url })
  for (let n = 0; n < 2_000; n++) await fixture.happen(NAMES[n % NAMES.length]!)
  await fixture.clock.advance(HOUR_MS)
  const waiting = await fixture.store.count('webhook_deliveries_g1', [{ field: 'webhookId', op: 'eq', value: id }])
  t.ok(waiting >= 1_000 && waiting <= 1_500, `${waiting} wait`)
  await receiver.comeBack()
  await fixture.until(() => receiver.processed.length === 2_000, receiver.requests)
  inOrder(t, receiver.processed)
  await fixture.until(async () => (await fixture.store.count('webhook_deliveries_g1', [])) === 100, receiver.requests)
  t.equal((await fixture.all(id, 'delivered')).length, 100, 'of those that were delivered the last ones are kept')
})

t.test('a webhook from a clock that was a month ahead gets what happens once the clock is right, and what waits', async (t) => {
  let behaviour: Behaviour = 'fail'
  const receiver = await openReceiver(t, () => behaviour)
  const fixture = await openFixture(t)
  const rightMs = fixture.clock.now()
  fixture.clock.setNow(rightMs + 30 * 24 * HOUR_MS)
  await fixture.add({ url: receiver.url })
  await fixture.happen(NAMES[0]!)
  await fixture.until(() => fixture.outcomes.failed === 2, receiver.requests)
  await fixture.stop()
  fixture.clock.setNow(rightMs)
  behaviour = 'accept'
  fixture.start()
  await fixture.happen(NAMES[1]!)
  await fixture.until(() => receiver.processed.length === 2, receiver.requests)
  t.strictSame(new Set(receiver.processed.map((one) => dataOf(one).userId)), new Set([NAMES[0], NAMES[1]]))
  t.ok(fixture.clock.now() - rightMs < HOUR_MS)
})
