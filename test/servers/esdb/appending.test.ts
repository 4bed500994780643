import t from 'tap'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { AppendRefused, OutcomeUnknown } from '../../../src/ports/event-log.ts'
import { all } from '../../fixtures/event-log-contract.ts'
import { someEvent, someEvents } from '../../fixtures/events.ts'
import { until, withServer } from './esdb.ts'
import { layWire } from './wire.ts'

withServer(t, 'an answer that is lost leaves the outcome unknown, and the same append again is told its first place', async (t, esdb) => {
  const wire = await layWire(esdb.url)
  t.teardown(() => wire.close())
  const [log, direct] = [esdb.log(t, { url: wire.url }), esdb.log(t)]
  await log.append('movie-a', 'absent', someEvents(1))
  const events = someEvents(3)
  wire.mute()
  const appending = log.append('movie-a', 0, events)
  appending.catch(() => {})
  await until(async () => (await all(direct.read('movie-a'))).length === 4)
  wire.cut()
  await t.rejects(appending, OutcomeUnknown)
  await direct.append('movie-a', 3, someEvents(2))
  const again = await log.append('movie-a', 0, events)
  const stored = await all(log.read('movie-a'))
  t.equal(stored.length, 6)
  t.strictSame(again, { revision: 3, position: stored[3]?.position })
})

withServer(t, 'a server that says nothing leaves the outcome unknown when the time is over, however it went', async (t, esdb) => {
  const wire = await layWire(esdb.url)
  t.teardown(() => wire.close())
  const [log, direct] = [esdb.log(t, { url: wire.url, timeoutMs: 300 }), esdb.log(t)]
  await direct.append('movie-a', 'absent', someEvents(1))
  await until(() => log.head())
  wire.mute()
  const events = someEvents(1)
  const sinceMs = performance.now()
  await t.rejects(log.append('movie-a', 0, events), OutcomeUnknown)
  const tookMs = performance.now() - sinceMs
  t.ok(tookMs >= 290 && tookMs < 3_000, `${tookMs} ms`)
  await until(async () => (await all(direct.read('movie-a'))).length === 2)
  wire.cut()
  await until(async () => (await log.append('movie-a', 0, events)).revision === 1)
  t.equal((await all(direct.read('movie-a'))).length, 2)
})

withServer(t, 'a connection that breaks before the server hears the append leaves the outcome unknown too', async (t, esdb) => {
  const log = esdb.log(t)
  await log.append('movie-a', 'absent', someEvents(1))
  await esdb.setFaults({ 'append-lost': 1 })
  const events = someEvents(1)
  await t.rejects(log.append('movie-a', 0, events), OutcomeUnknown)
  t.equal((await all(log.read('movie-a'))).length, 1)
  t.equal((await log.append('movie-a', 0, events)).revision, 1)
})

withServer(t, 'with several appends on the way a lost connection fails each of them, and each can be repeated', async (t, esdb) => {
  const log = esdb.log(t)
  await log.head()
  const appends = Array.from({ length: 40 }, (_, n) => [`movie-${n}`, 'absent', [someEvent({ text: 'x'.repeat(20_000) })]] as const)
  await esdb.setFaults({ 'answer-lost': 3 })
  const idempotencyStore = await Promise.allSettled(appends.map((append) => log.append(...append)))
  const failed = idempotencyStore.filter((outcome) => outcome.status === 'rejected')
  t.ok(failed.length > 0)
  t.ok(failed.every(({ reason }) => reason instanceof OutcomeUnknown))
  await esdb.setFaults({ 'answer-lost': 0 })
  for (const append of appends) t.equal((await log.append(...append)).revision, 0)
  for (const [stream] of appends) t.equal((await all(log.read(stream))).length, 1)
})

withServer(t, 'the repeat of an append whose events have been hidden since has no position', async (t, esdb) => {
  const log = esdb.log(t)
  const events = someEvents(2)
  t.ok((await log.append('movie-a', 'absent', events)).position)
  await esdb.client.deleteStream('movie-a')
  t.strictSame(await log.append('movie-a', 'absent', events), { revision: 1 })
})

withServer(t, 'a stream that was deleted for good has no events and takes none', async (t, esdb) => {
  const log = esdb.log(t)
  await log.append('movie-a', 'absent', someEvents(2))
  await esdb.client.tombstoneStream('movie-a')
  t.strictSame(await all(log.read('movie-a')), [])
  for (const expected of ['absent', 1] as const) await t.rejects(log.append('movie-a', expected, someEvents(1)), AppendRefused)
})

withServer(t, 'more appends than may wait are not kept', async (t, esdb) => {
  const log = esdb.log(t, { timeoutMs: 30_000 })
  const idempotencyStore = await Promise.allSettled(
    Array.from({ length: 1_200 }, (_, n) => log.append(`movie-${n}`, 'absent', someEvents(1))),
  )
  const refused = idempotencyStore.filter((outcome) => outcome.status === 'rejected')
  t.equal(refused.length, 200)
  t.ok(refused.every(({ reason }) => reason instanceof ServerUnavailable))
  t.equal((await log.append('movie-after', 'absent', someEvents(1))).revision, 0)
})

withServer(t, 'closing waits for the appends that are on their way', async (t, esdb) => {
  const log = esdb.log(t)
  await log.head()
  await esdb.setFaults({ delay: 200 })
  const appending = log.append('movie-a', 'absent', someEvents(1))
  await log.close()
  t.equal((await appending).revision, 0)
})

withServer(t, 'the same append twice at once is one call, and both hear of its one place', async (t, esdb) => {
  const log = esdb.log(t)
  await esdb.setFaults({ 'commit-timeout': 60_000 })
  const events = someEvents(2)
  const [one, two] = await Promise.all([log.append('movie-a', 'absent', events), log.append('movie-a', 'absent', events)])
  t.strictSame(one, two)
  t.equal((await all(log.read('movie-a'))).length, 2)
})

withServer(t, 'the same append from two nodes at once is answered to both, though the server drops the second one', async (t, esdb) => {
  const [one, two] = [esdb.log(t), esdb.log(t)]
  await Promise.all([one.head(), two.head()])
  // Longer than an append may take: a caller that waited for its end would not know the outcome. The delay makes them overlap.
  await esdb.setFaults({ 'commit-timeout': 60_000, delay: 300 })
  const events = someEvents(1)
  const answers = await Promise.all([one.append('movie-a', 'absent', events), two.append('movie-a', 'absent', events)])
  t.strictSame(
    answers.map(({ revision }) => revision),
    [0, 0],
  )
  t.equal((await all(one.read('movie-a'))).length, 1)
})

withServer(t, 'an append that the server gave up is sent again at once', async (t, esdb) => {
  const [one, two] = [esdb.log(t), esdb.log(t)]
  await Promise.all([one.head(), two.head()])
  await esdb.setFaults({ 'commit-timeout': 200, delay: 100 })
  const events = someEvents(1)
  const answers = await Promise.all([one.append('movie-a', 'absent', events), two.append('movie-a', 'absent', events)])
  t.strictSame(
    answers.map(({ revision }) => revision),
    [0, 0],
  )
})

for (const fault of ['unauthenticated', 'denied'] as const) {
  withServer(t, `a server that refuses the call (${fault}) has surely stored nothing, and the cause is told`, async (t, esdb) => {
    const log = esdb.log(t)
    await esdb.setFaults({ [fault]: true })
    const events = someEvents(1)
    await t.rejects(log.append('movie-a', 'absent', events), { code: 'engine-away', cause: { message: /UNAUTHENTICATED|Access Denied/ } })
    await t.rejects(log.head(), { code: 'engine-away', cause: { message: /UNAUTHENTICATED|Access Denied/ } })
    await esdb.setFaults({ [fault]: false })
    t.equal((await log.append('movie-a', 'absent', events)).revision, 0)
  })
}
