/** Reads of streams and of `$all`, through the real client: the behaviour described in docs/eventstoredb.md. */
import { randomUUID } from 'node:crypto'
import { BACKWARDS, binaryEvent, END, FORWARDS, jsonEvent, START } from '@eventstore/db-client'
import t from 'tap'
import { overEventStore } from '../../fakes/event-store.ts'
import { all, allOfAll, clientOf, errorOf, happened, newStream, PLAIN, several } from '../../fakes/event-store/given.ts'

await overEventStore(t, async (t, eventStore) => {
  const client = clientOf(t, eventStore)

  async function filled(count: number) {
    const stream = newStream()
    const before = (await allOfAll(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })))[0]
    await client.appendToStream(stream, several(count), PLAIN)
    return { stream, before, events: await all(client.readStream(stream)) }
  }
  const numbers = (events: readonly { revision: bigint }[]) => events.map(({ revision }) => Number(revision))

  t.test('an event comes back as it was, with its place', async (t) => {
    const [stream, id, before] = [newStream(), randomUUID(), Date.now()]
    await client.appendToStream(stream, jsonEvent({ id, type: 'Named', data: { name: 'Ärger' }, metadata: { v: '2' } }), PLAIN)
    await client.appendToStream(stream, binaryEvent({ type: 'Drawn', data: Uint8Array.of(0, 255) }), PLAIN)
    const [json, binary] = await all(client.readStream(stream))
    t.match(json, { streamId: stream, id, revision: 0n, type: 'Named', data: { name: 'Ärger' }, metadata: { v: '2' }, isJson: true })
    t.match(json?.position, { commit: BigInt, prepare: BigInt })
    t.ok(json?.created instanceof Date && json.created.getTime() >= before && json.created.getTime() <= Date.now())
    t.match(binary, { type: 'Drawn', revision: 1n, isJson: false })
    t.strictSame(Buffer.from(binary?.data as Uint8Array).toString('hex'), '00ff')
  })

  t.test('a stream is read from a revision, which is included, both ways', async (t) => {
    const { stream } = await filled(5)
    const read = async (direction: 'forwards' | 'backwards', fromRevision: bigint | 'start' | 'end', maxCount = 100) =>
      numbers(await all(client.readStream(stream, { direction, fromRevision, maxCount })))
    t.strictSame(await read(FORWARDS, 2n), [2, 3, 4])
    t.strictSame(await read(BACKWARDS, 2n), [2, 1, 0])
    t.strictSame(await read(FORWARDS, START, 2), [0, 1])
    t.strictSame(await read(BACKWARDS, END, 2), [4, 3])
    t.strictSame(await read(FORWARDS, 5n), [], 'past the end there is nothing')
    t.strictSame(await read(BACKWARDS, 99n), [4, 3, 2, 1, 0], 'backwards from beyond the end begins at the end')
  })

  t.test('a stream that was never written to is not found', async (t) => {
    const stream = newStream()
    t.match(await errorOf(all(client.readStream(stream))), { type: 'stream-not-found', streamName: stream })
  })

  t.test('$all is read from a position, which forwards includes and backwards does not', async (t) => {
    const { before, events } = await filled(4)
    const position = events[1]?.position ?? START
    const forwards = await allOfAll(client.readAll({ fromPosition: position, maxCount: 3 }))
    const backwards = await allOfAll(client.readAll({ direction: BACKWARDS, fromPosition: position, maxCount: 2 }))
    t.strictSame(
      forwards.map(({ id }) => id),
      events.slice(1).map(({ id }) => id),
    )
    t.strictSame(
      backwards.map(({ id }) => id),
      [events[0]?.id, before?.id],
    )
    const beyond = { commit: 1n << 60n, prepare: 1n << 60n }
    t.strictSame(await allOfAll(client.readAll({ fromPosition: beyond })), [], 'beyond the end there is nothing')
    const last = await allOfAll(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }))
    t.equal(last[0]?.id, events[3]?.id)
  })

  t.test('a position inside a record can neither be read from nor subscribed to', async (t) => {
    const { events } = await filled(3)
    const inside = (events[0]?.position?.commit ?? 0n) + 1n
    const fromPosition = { commit: inside, prepare: inside }
    for (const direction of [FORWARDS, BACKWARDS] as const) {
      const onError = await errorOf(allOfAll(client.readAll({ fromPosition, direction, maxCount: 1 })))
      t.match(onError, { type: 'unknown', code: 2, message: /Unexpected ReadAllResult: Error/ })
    }
    const onError = await errorOf(allOfAll(client.subscribeToAll({ fromPosition })))
    t.match(onError, { type: 'unknown', code: 2, message: /Exception was thrown by handler/ })
  })

  t.test('a count of none is refused', async (t) => {
    const { stream } = await filled(1)
    t.match(await errorOf(allOfAll(client.readAll({ maxCount: 0 }))), { type: 'unknown', code: 2 })
    t.match(await errorOf(all(client.readStream(stream, { maxCount: 0 }))), { type: 'unknown', code: 2 })
  })

  t.test("$all holds everybody's events in the order of their positions, those of the system as well", async (t) => {
    const { events } = await filled(600)
    await client.setStreamMetadata(events[0]?.streamId ?? '', { maxCount: 1_000 }, PLAIN)
    await client.appendToStream(newStream(), happened(), PLAIN)
    const forwards = await allOfAll(client.readAll())
    const positions = forwards.map(({ position }) => position.commit)
    t.strictSame(
      positions,
      positions.toSorted((a, b) => Number(a - b)),
    )
    t.ok(forwards.some(({ type, streamId }) => type === '$metadata' && streamId === `$$${events[0]?.streamId}`))
    const backwards = await allOfAll(client.readAll({ direction: BACKWARDS, fromPosition: END }))
    t.strictSame(
      backwards.reverse().map(({ id }) => id),
      forwards.map(({ id }) => id),
    )
  })

  t.test('your own write is there at once', async (t) => {
    for (let n = 0; n < 50; n += 1) {
      const stream = newStream()
      await client.appendToStream(stream, happened(n), PLAIN)
      if ((await all(client.readStream(stream))).length !== 1) t.fail(`${stream} was not there`)
    }
    t.pass('fifty times')
  })

  t.test('many clients share one server', async (t) => {
    const stream = newStream()
    for (const _ of [1, 2, 3]) await clientOf(t, eventStore).appendToStream(stream, happened(), PLAIN)
    t.equal((await all(clientOf(t, eventStore).readStream(stream))).length, 3)
  })
})
