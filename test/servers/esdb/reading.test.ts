import { binaryEvent, jsonEvent } from '@eventstore/db-client'
import t from 'tap'
import { createReadableLog } from '../../../src/app/consistency/readable-log.ts'
import { verifyLog } from '../../../src/app/operator/verification.ts'
import { START } from '../../../src/events/position.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { all, take } from '../../fixtures/event-log-contract.ts'
import { someEvent, someEvents } from '../../fixtures/events.ts'
import { freePort } from '../../fakes/server.ts'
import { until, withServer } from './esdb.ts'
import { layWire } from './wire.ts'

withServer(t, 'the head is the last event of ours, whatever the server has written of its own since', async (t, esdb) => {
  const log = esdb.log(t)
  await esdb.client.setStreamMetadata('movie-a', { maxCount: 10 })
  t.equal(await log.head(), START)
  const { position = START } = await log.append('movie-a', 'absent', someEvents(1))
  for (let n = 0; n < 600; n += 30) {
    await Promise.all(Array.from({ length: 30 }, (_, k) => esdb.client.setStreamMetadata(`other-${n + k}`, { maxCount: 1 })))
  }
  t.equal(await log.head(), position)
  const next = await log.append('movie-a', 0, someEvents(2))
  t.equal(await log.head(), next.position)
})

withServer(t, 'the head is not moved by tombstones, nor by streams of the server', async (t, esdb) => {
  const log = esdb.log(t)
  await log.append('movie-gone', 'absent', someEvents(1))
  const { position } = await log.append('movie-a', 'absent', someEvents(1))
  await esdb.client.tombstoneStream('movie-gone')
  await esdb.scavenge()
  t.equal(await log.head(), position)
})

withServer(t, 'nobody there: reads, head and check say so, quickly', async (t, esdb) => {
  const log = esdb.log(t, { url: `esdb://127.0.0.1:${await freePort()}?tls=false` })
  const sinceMs = performance.now()
  for (const asked of [() => all(log.read('movie-a')), () => log.head(), () => log.check()])
    await t.rejects(Promise.resolve<unknown>(asked()), ServerUnavailable)
  t.ok(performance.now() - sinceMs < 3_000)
})

withServer(t, 'a server that says nothing counts as away in time', async (t, esdb) => {
  const wire = await layWire(esdb.url)
  t.teardown(() => wire.close())
  const log = esdb.log(t, { url: wire.url, answerMs: 300 })
  await log.append('movie-a', 'absent', someEvents(1))
  await until(() => log.check())
  wire.mute()
  for (const [asked, leastMs, mostMs] of [
    [() => all(log.read('movie-a')), 300, 3_000],
    [() => log.head(), 300, 3_000],
    // By then the earlier late replies may have led to a new connection, which ends its wait.
    [() => log.check(), 300, 4_000],
  ] as const) {
    const sinceMs = performance.now()
    await t.rejects(Promise.resolve<unknown>(asked()), ServerUnavailable)
    const tookMs = performance.now() - sinceMs
    t.ok(tookMs > leastMs - 10 && tookMs < mostMs, `${tookMs} ms`)
  }
  wire.cut()
  await until(async () => (await all(log.read('movie-a'))).length === 1)
})

withServer(t, 'a read that is left early asks the server for no more', async (t, esdb) => {
  const wire = await layWire(esdb.url)
  t.teardown(() => wire.close())
  const [log, direct] = [esdb.log(t, { url: wire.url }), esdb.log(t)]
  const text = 'x'.repeat(20_000)
  for (let n = 0; n < 40; n++) {
    await direct.append(
      'movie-a',
      n === 0 ? 'absent' : n * 10 - 1,
      someEvents(10).map((event) => ({ ...event, data: { text } })),
    )
  }
  const before = wire.heardBytes()
  for await (const event of log.read('movie-a')) if (event.revision === 3) break
  await log.check()
  // Of 8 MB: the bytes in flight, and the driver's buffers.
  t.ok(wire.heardBytes() - before < 6_500_000, `${wire.heardBytes() - before} bytes`)
})

withServer(t, 'an event whose body is broken is named, and does not hide those before and after it', async (t, esdb) => {
  const log = esdb.log(t)
  await log.append('movie-a', 'absent', someEvents(1))
  const metadata = someEvent().metadata
  const broken = binaryEvent({ type: 'MovieDiscovered', data: Buffer.from('{'), metadata })
  await esdb.client.appendToStream('movie-a', broken, { expectedRevision: 0n })
  const { position: last } = await log.append('movie-b', 'absent', someEvents(1))
  await esdb.client.appendToStream('seal-log', broken, { expectedRevision: 'no_stream' })
  t.equal(await log.head(), last, 'nobody waits for the last one, which never comes')
  const said: string[] = []
  const readable = createReadableLog(log, (line) => said.push(line))
  for (let round = 0; round < 2; round++) {
    t.strictSame(
      (await take(readable, START, 2)).map(({ stream }) => stream),
      ['movie-a', 'movie-b'],
    )
  }
  const { position } = await log.append('claim-x', 'absent', someEvents(1))
  t.equal((await take(readable, last ?? START, 1))[0]?.position, position)
  const broke = said.filter((line) => line.includes('MovieDiscovered'))
  for (const place of ['stream movie-a, revision 1', 'stream seal-log, revision 0']) {
    const line = `(${place}, MovieDiscovered) cannot be read: its data or metadata is not a JSON object`
    t.ok(
      broke.some((said) => said.includes(line)),
      line,
    )
  }
  t.equal(broke.length, 2)
  await t.rejects(all(log.read('movie-a')), { code: 'unreadable-event' }, 'so that no command decides by half a stream')
  const { problems } = await verifyLog(log, { step: () => {}, signal: new AbortController().signal })
  t.ok(problems.some(({ stream, reason }) => stream === 'seal-log' && /cannot be read/.test(reason)))
  t.ok(problems.some(({ stream, revision }) => stream === 'movie-a' && revision === 1))
})

withServer(t, "events of other programs on the same server are nobody's concern", async (t, esdb) => {
  const log = esdb.log(t)
  const said: string[] = []
  const other = binaryEvent({ type: 'OrderPlaced', data: Buffer.from('{') })
  await esdb.client.appendToStream('order-1', [other, jsonEvent({ type: 'OrderPaid', data: {}, metadata: {} })])
  const { position } = await log.append('movie-a', 'absent', someEvents(1))
  const got = await take(
    createReadableLog(log, (line) => said.push(line)),
    START,
    2,
  )
  t.equal(got.at(-1)?.position, position)
  t.strictSame(
    said.filter((line) => line.includes('Order')),
    [],
  )
})
