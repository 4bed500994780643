import t from 'tap'
import { START } from '../../../src/events/position.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { all } from '../../fixtures/event-log-contract.ts'
import { someEvents } from '../../fixtures/events.ts'
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
    // By then the late answers before it may have led to a new connection, which ends its wait.
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
  // Of 8 MB: what was on the way, and what the driver buffers.
  t.ok(wire.heardBytes() - before < 6_500_000, `${wire.heardBytes() - before} bytes`)
})
