/** Deliveries over real sockets, on a clock that the test advances. */
import t, { type Test } from 'tap'
import { Webhook } from 'standardwebhooks'
import { createWebhookSender } from '../../../src/adapters/node/webhook-sender.ts'
import { createRandom } from '../../fixtures/random.ts'
import { allowed, ORIGIN } from '../../fixtures/node-fixture.ts'
import { admin } from '../../fixtures/fake-services.ts'
import { NAMES, openHookTown } from './hook-town.ts'
import { dataOf, openReceiver, type Behaviour, type Received } from './receiver.ts'

const HOUR_MS = 3_600_000
const openTown = (t: Test) => openHookTown(t, { sender: (clock) => createWebhookSender({ clock, allow: ['127.0.0.1'] }) })

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
    const town = await openTown(t)
    const { secret, id } = await town.add({ url: receiver.url })
    const taken = () => new Set(receiver.processed.map((one) => one.id)).size
    const reached = (count: number) => town.until(() => taken() >= count, receiver.requests)

    for (let n = 0; n < 400; n++) await town.happen(random.pick(NAMES))
    await reached(150)
    await town.restart()
    for (let n = 0; n < 300; n++) await town.happen(random.pick(NAMES))
    await reached(350)
    await receiver.goAway()
    for (let n = 0; n < 300; n++) await town.happen(random.pick(NAMES))
    await town.clock.advance(HOUR_MS)
    await town.restart()
    await receiver.comeBack()
    await reached(700)
    await town.stop()
    town.start()
    await town.until(async () => (await town.all(id, 'pending')).length === 0 && taken() >= 1000, receiver.requests)

    t.equal(taken(), 1000, 'none is lost, and none is made up')
    t.ok(receiver.processed.length > 1000, 'some came twice, with the same id')
    inOrder(t, firsts(receiver.processed))
    const webhook = new Webhook(secret)
    const wrong = receiver.processed.filter(({ headers, body }) => {
      const time = new Date(Number(headers['webhook-timestamp']) * 1000)
      return webhook.sign(headers['webhook-id'] ?? '', time, body) !== headers['webhook-signature']
    })
    t.strictSame(wrong, [], 'each is signed')
    t.equal(town.outcomes.parked, 0)
    t.ok(town.outcomes.failed > 100, `${town.outcomes.failed} tries failed`)
    t.strictSame(town.problems, [])
  },
)

t.test('a receiver verifies the signature with the library of Standard Webhooks, and a changed body is rejected', async (t) => {
  const receiver = await openReceiver(t, () => 'accept')
  const town = await openTown(t)
  town.clock.setNow(Date.now())
  const { id, secret } = await town.add({ url: receiver.url })
  t.match(await town.webhooks.test(id, new AbortController().signal), { delivered: true, status: 204, reason: null })
  const [received] = receiver.processed
  if (!received) throw new Error('Nothing came')
  t.match(new Webhook(secret).verify(received.body, received.headers), { type: 'webhook.test' })
  t.throws(() => new Webhook(secret).verify(`${received.body} `, received.headers))
})

t.test('a delivery that fails holds up only its subject, and a receiver that hangs only its own webhook', async (t) => {
  const [stuck, ...others] = NAMES.slice(0, 5)
  const failing = await openReceiver(t, (one) => (dataOf(one).userId === stuck ? 'fail' : 'accept'))
  const hanging = await openReceiver(t, () => 'hang')
  const town = await openTown(t)
  const slow = await town.add({ url: hanging.url })
  const fast = await town.add({ url: failing.url })
  for (const name of [stuck, ...others, stuck, ...others]) await town.happen(name!)
  const waiting = async () => (await town.all(fast.id, 'pending')).map(({ subject }) => subject)
  await town.until(async () => (await waiting()).length === 2, failing.requests)
  t.strictSame(new Set(failing.processed.map((one) => dataOf(one).userId)), new Set(others))
  t.strictSame(await waiting(), [`user ${stuck}`, `user ${stuck}`])
  t.equal(failing.processed.length, 8)
  t.equal((await town.all(slow.id, 'delivered')).length, 0)
})

t.test('a receiver that fails for three days gets a delivery no more, until somebody has it tried again', async (t) => {
  let behaviour: Behaviour = 'fail'
  const receiver = await openReceiver(t, () => behaviour)
  const town = await openTown(t)
  const { id } = await town.add({ url: receiver.url })
  await town.happen(NAMES[0]!)
  await town.until(async () => (await town.all(id, 'parked')).length === 1, receiver.requests)
  const [parked] = await town.all(id)
  t.match(parked, { state: 'parked', status: 500, reason: 'answered 500', nextAt: null })
  t.equal(Date.parse(parked?.lastTriedAt ?? '') - Date.parse(parked?.firstTriedAt ?? ''), 72 * HOUR_MS)
  t.equal(receiver.requests(), parked?.tries)
  t.equal(town.outcomes.parked, 1)
  behaviour = 'accept'
  await town.clock.advance(24 * HOUR_MS)
  t.equal(receiver.requests(), parked?.tries, 'it is not tried any more')
  await town.webhooks.retry(admin, { id, deliveryId: parked?.id ?? '' }, ORIGIN)
  await town.until(async () => (await town.all(id, 'delivered')).length === 1, receiver.requests)
  t.equal(receiver.processed[0]?.id, parked?.id, 'with the same id')
  t.match(await town.webhooks.retry(admin, { id, deliveryId: parked?.id ?? '' }, ORIGIN), { refusal: 'conflict' })
})

t.test('a receiver that asks for a pause gets nothing until it is over', async (t) => {
  let behaviour: Behaviour = 'busy'
  const receiver = await openReceiver(t, () => behaviour)
  const town = await openTown(t)
  await town.add({ url: receiver.url })
  await town.happen(NAMES[0]!)
  await town.until(() => town.outcomes.failed === 1)
  const sinceMs = town.clock.now()
  behaviour = 'accept'
  await town.happen(NAMES[1]!)
  await town.until(() => receiver.processed.length > 0, receiver.requests)
  t.ok(town.clock.now() - sinceMs >= 2_500, `${town.clock.now() - sinceMs} ms`)
})

t.test('410 disables the webhook; enabled again it gets what waited, and nothing of the time between', async (t) => {
  let behaviour: Behaviour = 'gone'
  const receiver = await openReceiver(t, () => behaviour)
  const town = await openTown(t)
  const { id } = await town.add({ url: receiver.url })
  await town.happen(NAMES[0]!)
  await town.until(() => town.live.documents.get(id)?.enabled === false)
  t.match(allowed(await town.webhooks.get(id)), { enabled: false, disabledBecause: 'gone' })
  await town.happen(NAMES[1]!)
  const requests = receiver.requests()
  await town.clock.advance(HOUR_MS)
  t.equal(receiver.requests(), requests)
  behaviour = 'accept'
  await town.change(id, { enabled: true })
  await town.happen(NAMES[2]!)
  await town.until(() => receiver.processed.length === 2, receiver.requests)
  t.strictSame(new Set(receiver.processed.map((one) => dataOf(one).userId)), new Set([NAMES[0], NAMES[2]]))
})

t.test('a new webhook begins with what happens after it was added', async (t) => {
  const receiver = await openReceiver(t, () => 'accept')
  const town = await openTown(t)
  for (const name of NAMES.slice(0, 5)) await town.happen(name)
  await town.add({ url: receiver.url })
  await town.happen(NAMES[7]!)
  await town.until(() => receiver.processed.length > 0, receiver.requests)
  await town.clock.advance(HOUR_MS)
  t.strictSame(
    receiver.processed.map((one) => dataOf(one).userId),
    [NAMES[7]],
  )
})

t.test('with another URL everything that waits is sent at once', async (t) => {
  const receiver = await openReceiver(t, () => 'accept')
  const away = await openReceiver(t, () => 'accept')
  await away.goAway()
  const town = await openTown(t)
  const { id } = await town.add({ url: away.url })
  await town.happen(NAMES[0]!)
  await town.until(() => town.outcomes.failed === 5)
  const sinceMs = town.clock.now()
  await town.change(id, { url: receiver.url })
  await town.until(() => receiver.processed.length === 1, receiver.requests)
  t.ok(town.clock.now() - sinceMs < 60_000, `${town.clock.now() - sinceMs} ms`)
})

t.test('a removed webhook gets nothing more, and leaves neither deliveries nor its key', async (t) => {
  const receiver = await openReceiver(t, () => 'fail')
  const town = await openTown(t)
  const { id } = await town.add({ url: receiver.url })
  await town.happen(NAMES[0]!)
  await town.until(() => town.outcomes.failed === 1)
  t.equal(await town.webhooks.remove(admin, id, ORIGIN), undefined)
  await town.clock.advance(HOUR_MS)
  const requests = receiver.requests()
  await town.happen(NAMES[0]!)
  await town.clock.advance(24 * HOUR_MS)
  t.equal(receiver.requests(), requests)
  t.match(await town.webhooks.deliveries(id, undefined, { limit: 10 }), { refusal: 'not-found' })
  const { documents } = await town.store.find('webhook_deliveries_g1', { limit: 10 })
  t.strictSame(documents, [])
  t.equal(await town.vault.key(id), undefined)
  t.strictSame(town.problems, [])
})

t.test('while a receiver is away only a bounded number waits in the read models, and the rest in the log', async (t) => {
  const receiver = await openReceiver(t, () => 'accept')
  await receiver.goAway()
  const town = await openTown(t)
  const { id } = await town.add({ url: receiver.url })
  for (let n = 0; n < 2_000; n++) await town.happen(NAMES[n % NAMES.length]!)
  await town.clock.advance(HOUR_MS)
  const waiting = await town.store.count('webhook_deliveries_g1', [{ field: 'webhookId', op: 'eq', value: id }])
  t.ok(waiting >= 1_000 && waiting <= 1_500, `${waiting} wait`)
  await receiver.comeBack()
  await town.until(() => receiver.processed.length === 2_000, receiver.requests)
  inOrder(t, receiver.processed)
  await town.until(async () => (await town.store.count('webhook_deliveries_g1', [])) === 100, receiver.requests)
  t.equal((await town.all(id, 'delivered')).length, 100, 'of those that were delivered the last ones are kept')
})
