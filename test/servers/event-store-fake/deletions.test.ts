/** The effects of deletions, stream metadata and scavenging, as described in docs/eventstoredb.md. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ANY, BACKWARDS, END, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import t from 'tap'
import { overOwnEventStore } from '../../fakes/event-store.ts'
import { all, allOfAll, clientOf, errorOf, happened, newStream, PLAIN, several } from '../../fakes/event-store/given.ts'

await overOwnEventStore(t, async (t, eventStore) => {
  const client = clientOf(t, eventStore)

  async function filled(count: number) {
    const stream = newStream()
    const events = several(count)
    await client.appendToStream(stream, events, { ...PLAIN, expectedRevision: NO_STREAM })
    return { stream, events }
  }
  const inAll = async (stream: string) => (await allOfAll(client.readAll())).filter(({ streamId }) => streamId === stream)
  const ofStream = async (stream: string) => (await all(client.readStream(stream))).map(({ revision }) => Number(revision))

  t.test('a tombstoned stream is gone forever, its events only after a scavenge', async (t) => {
    const { stream } = await filled(3)
    const { position } = await client.tombstoneStream(stream)
    const deleted = { type: 'stream-deleted', streamName: stream, code: 9 }
    t.match(await errorOf(all(client.readStream(stream))), deleted)
    t.match(await errorOf(client.appendToStream(stream, happened(), { ...PLAIN, expectedRevision: ANY })), deleted)
    t.match(await errorOf(client.appendToStream(stream, happened())), { type: 'stream-deleted', streamName: stream })
    t.match(await errorOf(client.tombstoneStream(stream)), deleted)
    const before = await inAll(stream)
    t.strictSame(
      before.map(({ type }) => type),
      ['Happened', 'Happened', 'Happened', '$streamDeleted'],
    )
    t.match(before[3], { revision: 2n ** 63n - 1n, position })
    await eventStore.scavenge()
    t.strictSame(await inAll(stream), [before[3]], 'only its name is left')
    t.match(await errorOf(all(client.readStream(stream))), deleted)
  })

  t.test('the bytes of a tombstoned stream are in no file after a scavenge', async (t) => {
    const { stream } = await filled(1)
    const secret = jsonEvent({ type: 'Told', data: { secret: `found-${stream}` } })
    await client.appendToStream(stream, secret, PLAIN)
    t.ok(readFileSync(eventStore.logFile).includes(secret.data.secret))
    await client.tombstoneStream(stream)
    await eventStore.scavenge()
    t.notOk(readFileSync(eventStore.logFile).includes(secret.data.secret))
  })

  t.test('a softly deleted stream may begin again, with higher revisions', async (t) => {
    const { stream, events } = await filled(3)
    await client.deleteStream(stream)
    t.match(await errorOf(all(client.readStream(stream))), { type: 'stream-not-found' })
    t.equal((await inAll(stream)).length, 3)
    const repeat = await client.appendToStream(stream, events, { ...PLAIN, expectedRevision: NO_STREAM })
    t.match(repeat, { success: true, nextExpectedRevision: 2n })
    t.equal(repeat.position, undefined, 'a repeat of what cannot be read any more has no position')
    const again = await client.appendToStream(stream, happened(), { ...PLAIN, expectedRevision: NO_STREAM })
    t.equal(again.nextExpectedRevision, 3n)
    t.strictSame(await ofStream(stream), [3])
  })

  t.test('a scavenge leaves the last event of a softly deleted stream', async (t) => {
    const { stream, events } = await filled(3)
    await client.deleteStream(stream)
    await eventStore.scavenge()
    t.strictSame(
      (await inAll(stream)).map(({ id }) => id),
      [events[2]?.id],
    )
    const repeat = await client.appendToStream(stream, events, { ...PLAIN, expectedRevision: NO_STREAM })
    t.strictSame([repeat.success, repeat.nextExpectedRevision, repeat.position], [true, 2n, undefined])
    const again = await client.appendToStream(stream, happened(), { ...PLAIN, expectedRevision: NO_STREAM })
    t.equal(again.nextExpectedRevision, 3n)
  })

  t.test('metadata hides events of the stream, and a scavenge all of them but the last', async (t) => {
    for (const [metadata, seen] of [
      [{ maxCount: 1 }, [3]],
      [{ truncateBefore: 9 }, []],
      [{ truncateBefore: 2 }, [2, 3]],
      [{ maxAge: 1 }, []],
    ] as const) {
      const { stream } = await filled(4)
      await client.setStreamMetadata(stream, metadata, PLAIN)
      if ('maxAge' in metadata) await sleep(1_100)
      t.strictSame(await ofStream(stream), seen, JSON.stringify(metadata))
      t.match(await client.getStreamMetadata(stream), { streamName: stream, metadata })
      t.equal((await inAll(stream)).length, 4, '$all tells them all')
      await eventStore.scavenge()
      t.strictSame(
        (await inAll(stream)).map(({ revision }) => Number(revision)),
        seen.length > 0 ? seen : [3],
      )
    }
    const never = newStream()
    t.strictSame(await client.getStreamMetadata(never), { streamName: never }, 'a stream without metadata has none')
  })

  t.test('a deletion, too, expects a revision', async (t) => {
    const { stream } = await filled(2)
    const refused = { type: 'wrong-expected-version', streamName: stream, expectedVersion: 0n, actualVersion: 1n }
    t.match(await errorOf(client.tombstoneStream(stream, { expectedRevision: 0n })), refused)
    t.match(await errorOf(client.deleteStream(stream, { expectedRevision: 0n })), refused)
    t.match((await client.tombstoneStream(stream, { expectedRevision: 1n })).position, { commit: BigInt, prepare: BigInt })
  })

  t.test('a scavenged log keeps its positions, and a position in a hole can be read from', async (t) => {
    const [gone, stays] = [await filled(3), await filled(2)]
    const [hole, kept] = [await inAll(gone.stream), await inAll(stays.stream)]
    await client.tombstoneStream(gone.stream)
    await eventStore.scavenge()
    t.strictSame(await inAll(stays.stream), kept)
    const after = await allOfAll(client.readAll({ fromPosition: hole[1]?.position ?? END, maxCount: 1 }))
    t.equal(after[0]?.id, stays.events[0]?.id)
    await eventStore.server.kill()
    await eventStore.server.restart()
    const reader = clientOf(t, eventStore)
    const forwards = await allOfAll(reader.readAll())
    t.strictSame(
      forwards.filter(({ streamId }) => streamId === stays.stream),
      kept,
      'also after a restart',
    )
    await reader.appendToStream(newStream(), happened(), PLAIN)
    const [last] = await allOfAll(reader.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }))
    t.ok((last?.position.commit ?? 0n) > (forwards.at(-1)?.position.commit ?? 0n), 'the next event comes after all of them')
  })

  t.test('a scavenge records its end in a stream of its own', async (t) => {
    const reader = clientOf(t, eventStore)
    const { scavengeId } = await eventStore.startScavenge()
    const told = () => all(reader.readStream(`$scavenges-${scavengeId}`)).catch(() => [])
    for (let looks = 0; looks < 100 && (await told()).length < 2; looks += 1) await sleep(20)
    t.match((await told())[1], { type: '$scavengeCompleted', data: { result: 'Success' } })
  })
})
