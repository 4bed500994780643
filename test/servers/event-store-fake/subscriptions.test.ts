/** Subscriptions through the real client: the behaviour described in docs/eventstoredb.md. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  BACKWARDS,
  END,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  START,
  streamNameFilter,
  type AllStreamSubscription,
  type SubscribeToAllOptions,
} from '@eventstore/db-client'
import type { Test } from 'tap'
import t from 'tap'
import { overEventStore, overOwnEventStore, startEventStore } from '../../fakes/event-store.ts'
import { all, allOfAll, clientOf, errorOf, happened, newStream, PLAIN, several } from '../../fakes/event-store/given.ts'

/** The messages of a subscription, in the order of arrival. */
function heard(t: Test, subscription: AllStreamSubscription) {
  const told: string[] = []
  const streams: string[] = []
  const waiting = new Set<() => void>()
  const note = (what: string) => {
    told.push(what)
    for (const check of waiting) check()
  }
  subscription.on('confirmation', () => note('confirmation')).on('caughtUp', () => note('caughtUp'))
  subscription.on('error', (error) => note(`error ${error.message}`))
  subscription.on('data', ({ event }) => {
    streams.push(event?.streamId ?? '')
    note(event?.id ?? '')
  })
  t.teardown(() => subscription.unsubscribe())
  const until = (holds: (told: readonly string[]) => boolean) =>
    new Promise<void>((settle) => {
      const check = () => void (holds(told) && waiting.delete(check) && settle())
      waiting.add(check)
      check()
    })
  return { told, streams, until, live: () => until((told) => told.includes('caughtUp')) }
}

await overEventStore(t, async (t, eventStore) => {
  const client = clientOf(t, eventStore)
  const append = (stream: string, count = 1) => client.appendToStream(stream, several(count), PLAIN)
  const idsOf = async (stream: string) => (await all(client.readStream(stream))).map(({ id }) => id)
  const subscribe = (t: Test, options: SubscribeToAllOptions) => heard(t, client.subscribeToAll(options))

  t.test('a subscription confirms, sends the existing events, then that it has caught up, then new events', async (t) => {
    const [before, after] = [newStream(), newStream()]
    await append(before, 3)
    const { told, until, live } = subscribe(t, { fromPosition: START, filter: excludeSystemEvents() })
    await live()
    await append(after, 2)
    const [old, fresh] = [await idsOf(before), await idsOf(after)]
    await until((told) => told.includes(fresh[1] ?? ''))
    t.equal(told[0], 'confirmation')
    t.strictSame(told.slice(-6), [...old, 'caughtUp', ...fresh])
  })

  t.test('it begins after the position asked for, and after the end for END', async (t) => {
    const stream = newStream()
    await append(stream, 4)
    const events = await all(client.readStream(stream))
    const filter = streamNameFilter({ prefixes: [stream] })
    const { told, live } = subscribe(t, { fromPosition: events[1]?.position ?? START, filter })
    await live()
    t.strictSame(told, ['confirmation', events[2]?.id, events[3]?.id, 'caughtUp'])
    const fromEnd = subscribe(t, { fromPosition: END, filter })
    await fromEnd.live()
    t.strictSame(fromEnd.told, ['confirmation', 'caughtUp'])
    const last = subscribe(t, { fromPosition: events[3]?.position ?? START, filter })
    await last.live()
    t.strictSame(last.told, ['confirmation', 'caughtUp'], 'from the last event nothing is left')
  })

  t.test('from far beyond the end it goes live all the same', async (t) => {
    const far = { commit: 1n << 60n, prepare: 1n << 60n }
    const { told, until, live } = subscribe(t, { fromPosition: far })
    await live()
    const stream = newStream()
    await append(stream)
    const [id = ''] = await idsOf(stream)
    await until((told) => told.includes(id))
    t.strictSame(told, ['confirmation', 'caughtUp', id])
  })

  t.test('filters judge the type or the stream', async (t) => {
    const [one, other, system] = [newStream('apple'), newStream('pear'), `$${newStream('apple')}`]
    const [last] = await allOfAll(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }))
    for (const stream of [one, other, system]) await append(stream)
    await client.setStreamMetadata(one, { maxCount: 5 }, PLAIN)
    await client.appendToStream(other, jsonEvent({ type: '$odd', data: {} }), PLAIN)
    const passing = async (filter: NonNullable<SubscribeToAllOptions['filter']>) => {
      const { streams, live } = subscribe(t, { fromPosition: last?.position ?? START, filter })
      await live()
      return streams
    }
    t.strictSame(await passing(excludeSystemEvents()), [one, other, system], 'an ordinary type in a stream of the system passes')
    t.strictSame(
      await passing(streamNameFilter({ regex: '^[^$]' })),
      [one, other, other],
      'a type of the system in an ordinary stream passes',
    )
    t.strictSame(await passing(streamNameFilter({ prefixes: ['apple-', '$apple-'] })), [one, system])
    t.strictSame(await passing(eventTypeFilter({ prefixes: ['$'] })), [`$$${one}`, other])
  })

  t.test('sixteen appenders at once: everything comes once, in the order of positions', async (t) => {
    const prefix = newStream('many')
    const { told, until, live } = subscribe(t, { fromPosition: END, filter: streamNameFilter({ prefixes: [prefix] }) })
    await live()
    const appended: { id: string; position: bigint }[] = []
    const appender = async (name: number) => {
      for (let n = 0; n < 20; n += 1) {
        const event = happened(n)
        const { position } = await client.appendToStream(`${prefix}-${name}`, event, PLAIN)
        appended.push({ id: event.id, position: position?.commit ?? 0n })
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, name) => appender(name)))
    await until((told) => told.length >= appended.length + 2)
    appended.sort((a, b) => Number(a.position - b.position))
    t.strictSame(
      told.slice(2),
      appended.map(({ id }) => id),
    )
  })

  t.test('a checkpoint comes after each so many events that were looked at', async (t) => {
    const stream = newStream()
    const [last] = await allOfAll(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }))
    await append(stream, 200)
    let checkpoints = 0
    const checkpointReached = async () => void (checkpoints += 1)
    const filter = streamNameFilter({ prefixes: ['nobody'], checkpointInterval: 2, maxSearchWindow: 32, checkpointReached })
    await subscribe(t, { fromPosition: last?.position ?? START, filter }).live()
    t.equal(checkpoints, 3)
  })

  t.test('a reader that pauses gets everything in the end', async (t) => {
    const stream = newStream()
    const subscription = client.subscribeToAll({ fromPosition: END, filter: streamNameFilter({ prefixes: [stream] }) })
    t.teardown(() => subscription.unsubscribe())
    await once(subscription, 'confirmation')
    for (let n = 0; n < 6; n += 1) await append(stream, 500)
    const found: number[] = []
    for await (const { event } of subscription) {
      found.push(Number(event?.revision))
      if (found.length % 1_000 === 0) await sleep(50)
      if (found.length === 3_000) break
    }
    t.strictSame(
      found,
      Array.from({ length: 3_000 }, (_, n) => n),
    )
  })

  t.test('unsubscribing ends it without an error, and nothing comes after that', async (t) => {
    const subscription = client.subscribeToAll({ fromPosition: END })
    const found: unknown[] = []
    subscription.on('data', (event) => found.push(event))
    await once(subscription, 'caughtUp')
    const ended = once(subscription, 'end')
    await subscription.unsubscribe()
    await ended
    await append(newStream())
    t.strictSame(found, [])
  })

  t.test('a single stream is followed from after a revision', async (t) => {
    const stream = newStream()
    await append(stream, 3)
    const subscription = client.subscribeToStream(stream, { fromRevision: 0n })
    const found: bigint[] = []
    for await (const { event } of subscription) {
      found.push(event?.revision ?? -1n)
      if (found.length === 2) await append(stream)
      if (found.length === 3) break
    }
    t.strictSame(found, [1n, 2n, 3n])
  })
})

await overOwnEventStore(t, async (t, eventStore) => {
  const client = clientOf(t, eventStore)

  for (const fault of [true, false]) {
    t.test(
      `${fault ? 'one event is lost' : 'no event is lost'} where the position's event was scavenged and the fault is ${fault ? 'on' : 'off'}`,
      async (t) => {
        const [gone, stays] = [newStream(), newStream()]
        await client.appendToStream(gone, several(2), PLAIN)
        await client.appendToStream(stays, several(3), PLAIN)
        const [, last] = await all(client.readStream(gone))
        await client.tombstoneStream(gone)
        await eventStore.scavenge()
        await eventStore.setFaults({ 'resume-loses-one': fault })
        const fromPosition = last?.position ?? START
        const ids = (await all(client.readStream(stays))).map(({ id }) => id)
        for (const filter of [excludeSystemEvents(), streamNameFilter({ regex: '^[^$]' })]) {
          const { told, live } = heard(t, client.subscribeToAll({ fromPosition, filter }))
          await live()
          t.strictSame(told.slice(1, 4), fault ? [ids[1], ids[2], told[3]] : ids)
        }
        const read = await allOfAll(client.readAll({ fromPosition, maxCount: 1 }))
        t.equal(read[0]?.id, ids[0], 'a read from the same position has it')
      },
    )
  }
})

t.test('a connection takes a hundred calls: with as many subscriptions open an append waits until one of them ends', async (t) => {
  const eventStore = await startEventStore()
  t.teardown(() => eventStore.server.stop())
  const client = clientOf(t, eventStore)
  const subscriptions = Array.from({ length: 100 }, () => client.subscribeToAll())
  await Promise.all(subscriptions.map((subscription) => once(subscription, 'confirmation')))
  t.match(await errorOf(client.appendToStream(newStream(), happened(), { ...PLAIN, deadline: 500 })), { code: 4 })
  await subscriptions[0]?.unsubscribe()
  t.match(await client.appendToStream(newStream(), happened(), PLAIN), { success: true })
})
