/** The fake during stops, outages, restarts and injected faults. */
import { appendFileSync } from 'node:fs'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreDBClient, NO_STREAM } from '@eventstore/db-client'
import t from 'tap'
import { httpOf, overOwnEventStore, startEventStore } from '../../fakes/event-store.ts'
import { all, allOfAll, clientOf, errorOf, happened, newStream, PLAIN, several } from '../../fakes/event-store/given.ts'

await overOwnEventStore(t, async (t, eventStore) => {
  const { server } = eventStore
  const client = clientOf(t, eventStore)

  t.test('what was acknowledged is there after a kill, at the same place, and repeats of the rest succeed', async (t) => {
    const [answered, unanswered] = [new Map<string, unknown>(), new Map<string, ReturnType<typeof happened>>()]
    const append = async (stream: string, event: ReturnType<typeof happened>) => {
      const { nextExpectedRevision, position } = await client.appendToStream(stream, event, { ...PLAIN, expectedRevision: NO_STREAM })
      answered.set(stream, { revision: nextExpectedRevision, position, id: event.id })
    }
    const appender = async () => {
      for (;;) {
        const [stream, event] = [newStream(), happened()]
        unanswered.set(stream, event)
        await append(stream, event)
        unanswered.delete(stream)
      }
    }
    const appenders = Array.from({ length: 32 }, () => errorOf(appender()))
    while (answered.size < 500) await sleep(5)
    await server.kill()
    for (const onError of await Promise.all(appenders)) t.match(onError, { type: 'unavailable', code: 14 })
    await server.restart()
    t.ok(unanswered.size > 0)
    for (const [stream, event] of unanswered) await append(stream, event)
    const stored = await allOfAll(client.readAll())
    const places = stored.filter(({ streamId }) => answered.has(streamId))
    t.strictSame(new Map(places.map(({ streamId, revision, position, id }) => [streamId, { revision, position, id }])), answered)
    t.equal(places.length, answered.size, 'each once')
  })

  t.test('a record that was not written to its end is dropped', async (t) => {
    const stream = newStream()
    await client.appendToStream(stream, several(2), PLAIN)
    const before = await all(client.readStream(stream))
    await server.kill()
    appendFileSync(eventStore.logFile, Uint8Array.of(0, 0, 1, 0, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0))
    await server.restart()
    const { nextExpectedRevision } = await client.appendToStream(stream, happened(), { ...PLAIN, expectedRevision: 1n })
    t.equal(nextExpectedRevision, 2n)
    await server.kill()
    await server.restart()
    t.strictSame((await all(client.readStream(stream))).slice(0, 2), before)
    t.equal((await all(client.readStream(stream))).length, 3, 'and what follows it is read again')
  })

  t.test('a subscription ends with the error of its cause', async (t) => {
    for (const [signal, expected] of [
      ['SIGKILL', { type: 'unavailable', code: 14 }],
      ['SIGTERM', { type: 'unknown', code: 13, message: /Call ended without gRPC status/ }],
    ] as const) {
      const subscription = client.subscribeToAll()
      subscription.resume()
      await once(subscription, 'caughtUp')
      const failed = errorOf(once(subscription, 'end'))
      await server.kill(signal)
      t.match(await failed, expected, signal)
      t.match(
        await errorOf(allOfAll(client.subscribeToAll())),
        { type: 'unavailable', code: 14 },
        'one that begins meanwhile fails at once',
      )
      await server.restart()
    }
  })

  t.test('while it is down everything fails at once, and works again when it is back', async (t) => {
    await server.kill()
    const fresh = EventStoreDBClient.connectionString(eventStore.url)
    t.match(await errorOf(client.appendToStream(newStream(), happened(), PLAIN)), { type: 'unavailable', code: 14 })
    t.match(await errorOf(all(client.readStream(newStream()))), { type: 'unavailable', code: 14 })
    t.match(await errorOf(fresh.appendToStream(newStream(), happened())), { type: undefined, code: 14, isCommandError: false })
    await server.restart()
    t.ok((await client.appendToStream(newStream(), happened(), PLAIN)).success)
    t.ok((await fresh.appendToStream(newStream(), happened(), PLAIN)).success)
    await fresh.dispose()
  })

  t.test('an append whose deadline passes while it is stopped is not stored', async (t) => {
    const [plain, batched] = [newStream(), newStream()]
    await client.appendToStream(newStream(), happened())
    await server.suspend()
    const plainly = errorOf(client.appendToStream(plain, happened(), { ...PLAIN, deadline: 300 }))
    const batch = errorOf(client.appendToStream(batched, happened(), { deadline: 300 }))
    t.match(await plainly, { type: 'deadline-exceeded', code: 4 })
    // By then the client has cancelled the first, and the other's deadline has passed as well.
    await sleep(500)
    server.signal('SIGCONT')
    const late = await batch
    t.match(late, { type: 'deadline-exceeded' })
    t.equal(late['code'], undefined, 'this one is the server saying so')
    for (const stream of [plain, batched]) t.match(await errorOf(all(client.readStream(stream))), { type: 'stream-not-found' })
  })

  t.test('a short stop is only a delay', async (t) => {
    await server.suspend()
    const answer = client.appendToStream(newStream(), happened(), PLAIN)
    await sleep(300)
    server.signal('SIGCONT')
    t.ok((await answer).success)
  })

  t.test('it says over HTTP how it is', async (t) => {
    const base = httpOf(eventStore.url)
    t.equal((await fetch(`${base}/health/live`)).status, 204)
    t.match(await (await fetch(`${base}/info`)).json(), { esVersion: '23.10.6', state: 'leader', authentication: { type: 'insecure' } })
    t.match(await (await fetch(`${base}/gossip`)).json(), { members: [{ state: 'Leader', isAlive: true, lastCommitPosition: Number }] })
    t.equal((await fetch(`${base}/ping`)).status, 200)
    t.equal((await fetch(`${base}/nothing`)).status, 404)
  })

  t.test('a client that discovers its node finds it', async (t) => {
    const { host } = new URL(httpOf(eventStore.url))
    const discovering = EventStoreDBClient.connectionString(`esdb+discover://${host}?tls=false`)
    t.ok((await discovering.appendToStream(newStream(), happened(), PLAIN)).success)
    await discovering.dispose()
  })
})

t.test('faults that tests ask for', async (t) => {
  const eventStore = await startEventStore('')
  t.teardown(() => eventStore.server.stop())
  const client = clientOf(t, eventStore)
  const expected = { ...PLAIN, expectedRevision: NO_STREAM } as const

  t.test('an answer is lost: the append was stored, and its repeat is answered', async (t) => {
    const [stream, event] = [newStream(), happened()]
    await eventStore.setFaults({ 'answer-lost': 1 })
    t.match(await errorOf(client.appendToStream(stream, event, expected)), { type: 'unavailable', code: 14 })
    t.match(await client.appendToStream(stream, event, expected), { success: true, nextExpectedRevision: 0n, position: {} })
    t.equal((await all(client.readStream(stream))).length, 1)
  })

  t.test('an append is lost: nothing was stored', async (t) => {
    const stream = newStream()
    await eventStore.setFaults({ 'append-lost': 1 })
    t.match(await errorOf(client.appendToStream(stream, happened(), expected)), { type: 'unavailable', code: 14 })
    t.match(await errorOf(all(client.readStream(stream))), { type: 'stream-not-found' })
  })

  t.test('an answer is delayed beyond the deadline: the append was stored', async (t) => {
    const stream = newStream()
    await eventStore.setFaults({ delay: 1_000 })
    t.match(await errorOf(client.appendToStream(stream, happened(), { ...expected, deadline: 300 })), { code: 4 })
    await eventStore.setFaults({ delay: 0 })
    t.equal((await all(client.readStream(stream))).length, 1)
  })

  t.test('it refuses everything for as long as the test requires', async (t) => {
    await eventStore.setFaults({ refuse: true })
    t.match(await errorOf(client.appendToStream(newStream(), happened(), expected)), { type: 'unavailable', code: 14 })
    t.match(await errorOf(allOfAll(client.readAll())), { type: 'unavailable', code: 14 })
    await eventStore.setFaults({ refuse: false })
    t.ok((await client.appendToStream(newStream(), happened(), expected)).success)
  })

  t.test('its connections are cut: a subscription fails, and the next one works', async (t) => {
    const subscription = client.subscribeToAll()
    subscription.resume()
    await once(subscription, 'caughtUp')
    const failed = errorOf(once(subscription, 'end'))
    await eventStore.cut()
    t.match(await failed, { type: 'unavailable', code: 14 })
    const next = client.subscribeToAll()
    next.resume()
    await once(next, 'caughtUp')
    await next.unsubscribe()
  })

  t.test('a fault that there is not is refused', async (t) => {
    const wrong = { refuse: false, nonsense: true }
    await t.rejects(eventStore.setFaults(wrong), /There is no fault nonsense/)
  })
})
