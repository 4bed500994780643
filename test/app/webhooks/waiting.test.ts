/** Events that wait in the log for their webhook: none is lost and none is delivered out of order, whatever happens meanwhile. */
import t, { type Test } from 'tap'
import { createWebhookSender } from '../../../src/adapters/node/webhook-sender.ts'
import { START } from '../../../src/events/position.ts'
import { NAMES, openWebhookFixture } from './webhook-fixture.ts'
import { dataOf, openReceiver, type Behaviour, type Received } from './receiver.ts'

const HOUR_MS = 3_600_000
const [STUCK, ...OTHERS] = NAMES as [(typeof NAMES)[number], ...typeof NAMES]
const openFixture = (t: Test) => openWebhookFixture(t, { sender: (clock) => createWebhookSender({ clock, allow: ['127.0.0.1'] }) })
type Fixture = Awaited<ReturnType<typeof openFixture>>

async function happen(fixture: Fixture, names: readonly (typeof NAMES)[number][], times: number): Promise<void> {
  for (let n = 0; n < times; n++) await fixture.happen(names[n % names.length] ?? STUCK)
}

const waiting = (fixture: Fixture) => fixture.store.count('webhook_deliveries_g1', [{ field: 'state', op: 'eq', value: 'pending' }])
const seqsOf = (received: readonly Received[], userId: string) =>
  received.map(dataOf).flatMap((data) => (data.userId === userId ? [Number(data.seq)] : []))

function ascending(t: Test, seqs: readonly number[], count: number): void {
  t.equal(seqs.length, count)
  t.strictSame(
    seqs,
    [...new Set(seqs)].toSorted((a, b) => a - b),
    'each once and in order',
  )
}

for (const how of ['410', 'an administrator'] as const) {
  t.test(`a webhook that ${how} has disabled gets everything from before once it is enabled, and nothing from between`, async (t) => {
    let behaviour: Behaviour = 'fail'
    const receiver = await openReceiver(t, () => behaviour)
    const fixture = await openFixture(t)
    const { id } = await fixture.add({ url: receiver.url })
    const [between, ...rest] = OTHERS as [(typeof NAMES)[number], ...typeof NAMES]
    await happen(fixture, rest, 1_200)
    await fixture.clock.advance(HOUR_MS)
    if (how === '410') {
      behaviour = 'gone'
      await fixture.until(() => fixture.live.documents.get(id)?.enabled === false, receiver.requests)
    } else await fixture.change(id, { enabled: false })
    await happen(fixture, [between], 20)
    await fixture.change(id, { enabled: true })
    await happen(fixture, rest, 10)
    await fixture.change(id, { enabled: false })
    await happen(fixture, [between], 20)
    await fixture.restart()
    behaviour = 'accept'
    await fixture.change(id, { enabled: true })
    await happen(fixture, rest, 10)
    await fixture.until(() => receiver.processed.length >= 1_220, receiver.requests)
    await fixture.clock.advance(HOUR_MS)
    t.equal(receiver.processed.length, 1_220)
    t.strictSame(seqsOf(receiver.processed, between), [])
    for (const name of rest) {
      const seqs = seqsOf(receiver.processed, name)
      ascending(t, seqs, seqs.length)
    }
    t.strictSame(fixture.problems, [])
  })
}

t.test('a webhook that was disabled where its read models were deleted gets what happened before and after, not between', async (t) => {
  let behaviour: Behaviour = 'fail'
  const receiver = await openReceiver(t, () => behaviour)
  const fixture = await openFixture(t)
  const { id } = await fixture.add({ url: receiver.url })
  await happen(fixture, [STUCK], 3)
  await fixture.change(id, { enabled: false })
  await happen(fixture, [OTHERS[0]!], 3)
  await fixture.change(id, { enabled: true })
  await fixture.until(async () => (await waiting(fixture)) === 3, receiver.requests)
  await fixture.stop()
  for (const collection of ['webhook_deliveries_g1', 'webhook_cursors_g1']) {
    const { documents } = await fixture.store.find(collection, { limit: 100 })
    const removes = documents.map((document) => ({ id: document.id, at: document.at }))
    await fixture.store.commit({ collection, epoch: 1, from: START, to: START, puts: [], removes })
  }
  behaviour = 'accept'
  fixture.start()
  await fixture.until(() => receiver.processed.length >= 3, receiver.requests)
  await fixture.clock.advance(HOUR_MS)
  ascending(t, seqsOf(receiver.processed, STUCK), 3)
  t.equal(receiver.processed.length, 3)
})

t.test('a subject with thousands of events that fail holds up no other, and gets all of them in order later', async (t) => {
  let isWell = false
  const receiver = await openReceiver(t, (one) => (isWell || dataOf(one).userId !== STUCK ? 'accept' : 'fail'))
  const fixture = await openFixture(t)
  const { id } = await fixture.add({ url: receiver.url })
  await happen(fixture, [STUCK], 1_500)
  await happen(fixture, OTHERS, 200)
  await fixture.until(() => receiver.processed.length >= 200, receiver.requests)
  t.ok((await waiting(fixture)) <= 100, `${await waiting(fixture)} wait`)
  await fixture.restart()
  await happen(fixture, [STUCK], 200)
  await happen(fixture, OTHERS, 200)
  await fixture.until(() => receiver.processed.length >= 400, receiver.requests)
  await fixture.change(id, { enabled: false })
  await happen(fixture, [STUCK], 50)
  await fixture.change(id, { enabled: true })
  await happen(fixture, [STUCK], 200)
  isWell = true
  await fixture.until(() => receiver.processed.length >= 1_000, receiver.requests)
  await fixture.restart()
  await happen(fixture, [STUCK], 200)
  await fixture.until(async () => receiver.processed.length >= 2_500 && (await waiting(fixture)) === 0, receiver.requests)
  await fixture.clock.advance(HOUR_MS)
  ascending(t, [...new Set(seqsOf(receiver.processed, STUCK))], 2_100)
  t.strictSame(fixture.problems, [])
})
