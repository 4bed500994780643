import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMongoIdempotencyStore } from '../../../src/adapters/mongodb/idempotency-store.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { IDEMPOTENCY_LEASE_MS, type IdempotencyStore } from '../../../src/ports/idempotency-store.ts'
import { overMongo, overOwnMongo } from '../../fakes/mongodb.ts'
import { cutConnection } from './cut-connection.ts'
import { connectNode, onNodes, systemClock } from './nodes.ts'

const request = (seed: string) => ({ fingerprint: 'f', seed, owner: 'ann' })

t.test('nodes at the same time', async (t) => {
  await overMongo(t, async (t, mongo) => {
    t.test('one of several nodes begins, and the others learn that it runs', async (t) => {
      const nodes = onNodes(t, mongo.url(), {
        count: 4,
        make: (connection) => createMongoIdempotencyStore({ connection, clock: systemClock }),
      })
      for (let key = 0; key < 25; key++) {
        const told = await Promise.all(nodes.map((idempotencyStore, node) => idempotencyStore.begin(`${key}`, request(`${node}`))))
        t.strictSame(told.map(({ state }) => state).toSorted(), ['begun', 'running', 'running', 'running'])
      }
    })

    t.test('what one node settles another answers', async (t) => {
      const [one, other] = onNodes(t, mongo.url(), {
        count: 2,
        make: (connection) => createMongoIdempotencyStore({ connection, clock: systemClock }),
      })
      await one?.begin('a', request('1'))
      await other?.settle('a', 'made')
      t.strictSame(await one?.begin('a', request('2')), { state: 'settled', answer: 'made' })
    })

    t.test('a node that is gone: another begins again with its seed, when it has seen no renewal for a lease’s time', async (t) => {
      const [url, clock] = [mongo.url(), createTestClock()]
      const gone = connectNode(t, url)
      await createMongoIdempotencyStore({ connection: gone, clock }).begin('a', request('1'))
      await gone.close()
      const left = createMongoIdempotencyStore({ connection: connectNode(t, url), clock })
      t.strictSame(await left.begin('a', request('2')), { state: 'running' })
      await clock.advance(IDEMPOTENCY_LEASE_MS)
      t.strictSame(await left.begin('a', request('2')), { state: 'begun', seed: '1' })
    })

    t.test('a node that is at work keeps its key, however long and whatever the clock of another says', async (t) => {
      const [url, clock, ahead] = [mongo.url(), createTestClock(), createTestClock({ startMs: Date.UTC(2026, 0, 2, 18) })]
      const one = createMongoIdempotencyStore({ connection: connectNode(t, url), clock })
      const other = createMongoIdempotencyStore({ connection: connectNode(t, url), clock: ahead })
      const stored = connectNode(t, url).db().collection<{ _id: string; runningAt: number }>('outcomes')
      const runningAt = async () => (await stored.findOne({ _id: 'a' }))?.runningAt
      await one.begin('a', request('1'))
      for (let seconds = 0; seconds < 60; seconds += 10) {
        t.strictSame(await other.begin('a', request('2')), { state: 'running' }, `${seconds} s`)
        const before = await runningAt()
        await clock.advance(10_000)
        while ((await runningAt()) === before) await sleep(5)
        await ahead.advance(10_000)
      }
    })

    t.test('if it is unknown whether it was begun, the same node begins it again, once, and another one waits', async (t) => {
      const [clock, connection] = [createTestClock(), connectNode(t, mongo.url())]
      const cut = cutConnection(connection)
      const [one, other] = [
        createMongoIdempotencyStore({ connection: cut.connection, clock }),
        createMongoIdempotencyStore({ connection, clock }),
      ]
      cut.cutAfter(0, 'after')
      await t.rejects(one.begin('unsure', request('1')), ServerUnavailable)
      t.strictSame(await other.begin('unsure', request('2')), { state: 'running' })
      t.strictSame(await one.begin('unsure', request('3')), { state: 'begun', seed: '1' })
      t.strictSame(await one.begin('unsure', request('4')), { state: 'running' })
      cut.cutAfter(0, 'before')
      await t.rejects(one.begin('never sent', request('1')), ServerUnavailable)
      t.strictSame(await other.begin('never sent', request('2')), { state: 'begun', seed: '2' })
      t.strictSame(await one.begin('never sent', request('2')), { state: 'running' })
    })

    t.test('many are kept, and not many more than so many', async (t) => {
      const clock = createTestClock()
      const connection = connectNode(t, mongo.url())
      const idempotencyStore = createMongoIdempotencyStore({ connection, clock, max: 100 })
      for (let key = 0; key < 130; key++) {
        await idempotencyStore.begin(`${key}`, request(`${key}`))
        await clock.advance(1)
      }
      const kept = await connection.db().collection('outcomes').countDocuments()
      t.ok(kept >= 100 && kept <= 101, `${kept}`)
      t.strictSame(await idempotencyStore.begin('129', request('x')), { state: 'running' })
    })
  })
})

t.test('what was acknowledged outlives a server that is killed at work', async (t) => {
  await overOwnMongo(t, async (t, mongo) => {
    const { server } = mongo
    const database = mongo.url()
    const nodes = onNodes(t, database, { count: 2, make: (connection) => createMongoIdempotencyStore({ connection, clock: systemClock }) })
    const [begun, settled] = [new Set<string>(), new Set<string>()]
    const problems: unknown[] = []
    const over = new AbortController()

    async function work(idempotencyStore: IdempotencyStore, node: number): Promise<void> {
      for (let number = 0; !over.signal.aborted; number++) {
        const key = `${node}-${number}`
        try {
          const told = await idempotencyStore.begin(key, request(key))
          if (told.state === 'begun') begun.add(key)
          if (number % 2 > 0) continue
          await idempotencyStore.settle(key, `answer of ${key}`)
          settled.add(key)
        } catch (error) {
          if (!(error instanceof ServerUnavailable)) problems.push(error)
        }
      }
    }

    const workers = nodes.map(work)
    await sleep(500)
    await server.kill()
    await sleep(100)
    await server.restart()
    await sleep(700)
    while (begun.size <= 20 || settled.size <= 10) await sleep(20)
    over.abort()
    await Promise.all(workers)

    t.strictSame(problems, [], 'nothing but being away is told')
    t.ok(begun.size > 20 && settled.size > 10, `${begun.size} begun, ${settled.size} settled`)
    const later = createMongoIdempotencyStore({ connection: connectNode(t, database), clock: systemClock })
    for (const key of begun) {
      const { state } = await later.begin(key, request('later'))
      const isRight = settled.has(key) ? state === 'settled' : state === 'running' || state === 'settled'
      if (!isRight) t.fail(`${key} is ${state}`)
    }
  })
})
