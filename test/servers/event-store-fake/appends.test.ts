/** Appends by both methods, through the real client: the behaviour described in docs/eventstoredb.md. */
import { ANY, BACKWARDS, binaryEvent, jsonEvent, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { overEventStore } from '../../fakes/event-store.ts'
import { all, clientOf, errorOf, happened, newStream, several, WAYS } from '../../fakes/event-store/given.ts'

const KIB = 1024
const MIB = 1024 * KIB
const bytes = (size: number, metadataSize = 0) =>
  binaryEvent({
    type: 'Happened',
    data: Buffer.alloc(size),
    ...(metadataSize > 0 ? { metadata: new Uint8Array(metadataSize) } : {}),
  })

await overEventStore(t, async (t, eventStore) => {
  const client = clientOf(t, eventStore)
  const length = async (stream: string) => (await all(client.readStream(stream))).length

  for (const [way, options] of WAYS) {
    t.test(`${way} answers with the revision and position of the last event`, async (t) => {
      const stream = newStream()
      const first = await client.appendToStream(stream, several(3), { ...options, expectedRevision: NO_STREAM })
      const second = await client.appendToStream(stream, several(2), { ...options, expectedRevision: 2n })
      const events = await all(client.readStream(stream))
      const positions = events.map(({ position }) => position?.commit ?? 0n)
      t.strictSame([first.success, first.nextExpectedRevision, second.nextExpectedRevision], [true, 2n, 4n])
      t.strictSame([first.position?.commit, second.position?.commit], [positions[2], positions[4]])
      t.strictSame(
        positions,
        positions.toSorted((a, b) => Number(a - b)),
        'positions rise',
      )
      t.equal(new Set(positions).size, 5, 'and are each its own')
      t.ok((positions[0] ?? 0n) > 0n, 'the first is not 0')
      t.equal(first.position?.commit, first.position?.prepare)
    })

    t.test(`${way} refuses a revision that is not the stream's`, async (t) => {
      const stream = newStream()
      await client.appendToStream(stream, several(2), options)
      const refusal = (expectedRevision: bigint | 'no_stream' | 'stream_exists', name = stream) =>
        errorOf(client.appendToStream(name, happened(), { ...options, expectedRevision }))
      t.match(await refusal(0n), {
        type: 'wrong-expected-version',
        streamName: stream,
        expectedVersion: 0n,
        actualVersion: 1n,
        message: '',
      })
      t.match(await refusal(7n), { type: 'wrong-expected-version', expectedVersion: 7n, actualVersion: 1n })
      t.match(await refusal(NO_STREAM), { type: 'wrong-expected-version', expectedVersion: 'no_stream', actualVersion: 1n })
      t.match(await refusal(0n, newStream()), { type: 'wrong-expected-version', expectedVersion: 0n, actualVersion: 'no_stream' })
      t.match(await refusal(STREAM_EXISTS, newStream()), { expectedVersion: 'stream_exists', actualVersion: 'no_stream' })
      t.equal(await length(stream), 2, 'nothing was stored')
      t.ok((await client.appendToStream(stream, happened(), { ...options, expectedRevision: STREAM_EXISTS })).success)
    })

    t.test(`${way} answers the same append as the first time, whatever its data, and stores it once`, async (t) => {
      const stream = newStream()
      const events = several(3)
      const repeat = (expectedRevision: bigint | 'no_stream' | 'any', ids = events) =>
        client.appendToStream(
          stream,
          ids.map(({ id }) => happened(99, id)),
          { ...options, expectedRevision },
        )
      const first = await client.appendToStream(stream, events, { ...options, expectedRevision: NO_STREAM })
      t.strictSame(await repeat(NO_STREAM), first)
      await client.appendToStream(stream, several(2), { ...options, expectedRevision: 2n })
      t.strictSame(await repeat(NO_STREAM), first, 'also after other events')
      t.strictSame(await repeat(ANY), first, 'also with ANY')
      const stored = await all(client.readStream(stream))
      t.equal(stored.length, 5)
      t.strictSame((await repeat(NO_STREAM, events.slice(0, 2))).position, stored[1]?.position, 'the first ids alone have their own answer')
      t.equal((await repeat(NO_STREAM, events.slice(0, 2))).nextExpectedRevision, 1n)
      const superset = errorOf(repeat(NO_STREAM, [...events, happened()]))
      t.match(await superset, { type: 'wrong-expected-version', actualVersion: 4n }, 'a superset is refused')
      t.match(await errorOf(repeat(NO_STREAM, events.slice(1))), { type: 'wrong-expected-version' }, 'so are ids from the middle')
      t.equal(await length(stream), 5)
    })

    t.test(`${way} stores a known id again where the expected revision is another that holds`, async (t) => {
      const [stream, other] = [newStream(), newStream()]
      const event = happened()
      await client.appendToStream(stream, event, { ...options, expectedRevision: NO_STREAM })
      await client.appendToStream(stream, event, { ...options, expectedRevision: 0n })
      await client.appendToStream(other, [event, event], { ...options, expectedRevision: NO_STREAM })
      t.strictSame([await length(stream), await length(other)], [2, 2])
    })

    t.test(`${way} answers an empty append and stores nothing`, async (t) => {
      const stream = newStream()
      for (const _ of [1, 2]) {
        const answer = await client.appendToStream(stream, [], { ...options, expectedRevision: NO_STREAM })
        t.match(answer, { success: true, nextExpectedRevision: 0n, position: { commit: BigInt, prepare: BigInt } })
      }
      t.match(await errorOf(all(client.readStream(stream))), { type: 'stream-not-found' })
    })

    t.test(`${way} takes a mebibyte of data in one append, not counting metadata`, async (t) => {
      const stream = newStream()
      const refused = { type: 'maximum-append-size-exceeded', maxAppendSize: MIB }
      t.ok((await client.appendToStream(stream, bytes(MIB), options)).success)
      t.match(await errorOf(client.appendToStream(stream, bytes(MIB + 1), options)), refused)
      const many = Array.from({ length: 20 }, () => bytes(100 * KIB))
      t.match(await errorOf(client.appendToStream(stream, many, options)), refused)
      t.ok((await client.appendToStream(stream, bytes(10, 2 * MIB), options)).success)
      t.equal(await length(stream), 2)
    })

    t.test(`${way} fails a message that is larger than the server takes`, async (t) => {
      const onError = await errorOf(client.appendToStream(newStream(), bytes(20 * MIB), options))
      t.match(onError, { type: 'unknown', code: 8, message: /Received message exceeds the maximum configured message size/ })
      t.ok((await client.appendToStream(newStream(), happened(), options)).success, 'the connection still serves')
    })

    t.test(`${way} stores an append of fifty in one step`, async (t) => {
      const stream = newStream()
      await client.appendToStream(stream, several(50), options)
      const events = await all(client.readStream(stream))
      t.strictSame(
        events.map(({ revision, data }) => [revision, data]),
        several(50).map(({ data }, index) => [BigInt(index), data]),
      )
      t.equal((await all(client.readStream(stream, { direction: BACKWARDS, maxCount: 1 })))[0]?.revision, 0n)
    })

    t.test(`${way} lets anyone write to a stream of the system`, async (t) => {
      t.ok((await client.appendToStream(`$of-${randomUUID()}`, happened(), options)).success)
    })
  }

  t.test('a bad id and an empty stream name are refused by both ways, each in its words', async (t) => {
    const bad = jsonEvent({ id: 'no-uuid', type: 'Happened', data: {} })
    const [[, plain], [, batch]] = WAYS
    for (const [stream, event] of [
      [newStream(), bad],
      ['', happened()],
    ] as const) {
      const plainly = await errorOf(client.appendToStream(stream, event, plain))
      t.match(plainly, { type: 'unknown', code: 2, message: /Exception was thrown by handler/ })
      const batched = await errorOf(client.appendToStream(stream, event, batch))
      t.match(batched, { type: 'unknown', message: 'Could not recognize BadRequest' })
    }
  })
})
