import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryCounters } from '../../../src/adapters/memory/counters.ts'
import type { MongoConnection } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoCounters } from '../../../src/adapters/mongodb/counters.ts'
import { openMongoSecrets } from '../../../src/adapters/mongodb/secrets.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Counters, Spent } from '../../../src/ports/counters.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { overMongo, overOwnMongo } from '../../fakes/mongodb.ts'
import { connectNode, isWithin, onNodes, systemClock } from './nodes.ts'

/** The counters' clock is manual if a test needs it; timeouts are generous, for busy machines. */
const patient = (clock: Clock = systemClock): Clock => ({ ...clock, after: () => () => {}, sleep: (ms) => systemClock.sleep(ms) })

const makePatient = (connection: MongoConnection): Counters => createMongoCounters({ connection, clock: patient() })

const stored = (connection: MongoConnection) => connection.db().collection<{ _id: string; spent: string }>('counters').find().toArray()

t.test('nodes at the same time', async (t) => {
  await overMongo(t, async (t, mongo) => {
    t.test('exactly the budget is allowed, regardless of who asks', async (t) => {
      const nodes = onNodes(t, mongo.url(), { count: 3, make: makePatient })
      const budget = { max: 40, windowMs: 600_000 }
      const spent = await Promise.all(nodes.flatMap((counters) => Array.from({ length: 30 }, () => counters.spend('a', budget))))
      t.equal(spent.filter(({ allowed }) => allowed).length, 40)
      const left = spent.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)
      t.equal(new Set(left).size, 40, 'and each is told another rest')
    })

    t.test('a window that slides while three nodes spend never holds more than the budget', async (t) => {
      const nodes = onNodes(t, mongo.url(), { count: 3, make: makePatient })
      const budget = { max: 20, windowMs: 800 }
      const accepted: { readonly fromMs: number; readonly toMs: number }[] = []
      const untilMs = Date.now() + 4_000
      const spendOn = async (counters: Counters): Promise<void> => {
        while (Date.now() < untilMs) {
          const fromMs = Date.now()
          const { allowed } = await counters.spend('a', budget)
          if (allowed) accepted.push({ fromMs, toMs: Date.now() })
        }
      }
      await Promise.all(nodes.flatMap((counters) => [spendOn(counters), spendOn(counters)]))
      t.ok(accepted.length > 20, `${accepted.length} accepted`)
      // Each was accepted between its request and its reply: count those that certainly lie in a window.
      for (const { fromMs } of accepted) {
        const certain = accepted.filter((one) => one.fromMs >= fromMs && one.toMs < fromMs + budget.windowMs)
        if (certain.length > budget.max) t.fail(`${certain.length} in one window`)
      }
    })

    t.test('clocks that differ give nobody more', async (t) => {
      const [url, clock] = [mongo.url(), createTestClock()]
      const ahead = { ...patient(clock), now: () => clock.now() + 900 }
      const [one, other] = [patient(clock), ahead].map((its) => createMongoCounters({ connection: connectNode(t, url), clock: its }))
      const budget = { max: 4, windowMs: 1_000 }
      let allowed = 0
      for (let spent = 0; spent < 10; spent++) if ((await (spent % 2 ? one : other)?.spend('a', budget))?.allowed) allowed++
      t.equal(allowed, 4)
      await clock.advance(1_000)
      t.equal((await other?.spend('a', budget))?.allowed, true)
    })

    t.test('nodes whose clocks are an hour apart have one budget, and no longer window', async (t) => {
      const url = mongo.url()
      const nodes = [0, -3_600_000, 300_000].map((aheadMs) => {
        const clock = { ...patient(), now: () => systemClock.now() + aheadMs }
        return openMongoSecrets({ url, clock, fallback: createMemoryCounters({ clock }) })
      })
      t.teardown(() => Promise.all(nodes.map(({ close }) => close())))
      await Promise.all(nodes.map(({ timed }) => timed))
      const budget = { max: 10, windowMs: 600_000 }
      const spent: Spent[] = []
      for (let round = 0; round < 10; round++) for (const { counters } of nodes) spent.push(await counters.spend('a', budget))
      t.equal(spent.filter(({ allowed }) => allowed).length, 10)
      t.ok(spent.every(({ retryAfterMs }) => retryAfterMs <= budget.windowMs))
    })

    t.test('a clock that was an hour ahead locks nobody out for an hour', async (t) => {
      const [url, clock] = [mongo.url(), createTestClock()]
      const wrong = { ...patient(clock), now: () => clock.now() + 3_600_000 }
      const budget = { max: 1, windowMs: 1_000 }
      await createMongoCounters({ connection: connectNode(t, url), clock: wrong }).spend('a', budget)
      const right = createMongoCounters({ connection: connectNode(t, url), clock: patient(clock) })
      t.ok((await right.spend('a', budget)).retryAfterMs <= 1_000)
    })

    t.test('a large budget takes little room, and comes back within a hundredth of its window', async (t) => {
      const clock = createTestClock()
      const connection = connectNode(t, mongo.url())
      const counters = createMongoCounters({ connection, clock: patient(clock) })
      const budget = { max: 30_000, windowMs: 60_000 }
      let firstMs = 0
      for (let group = 0; group < 300; group++) {
        const spent = await Promise.all(Array.from({ length: 100 }, () => counters.spend('a', budget)))
        if (spent.some(({ allowed }) => !allowed)) t.fail(`refused in group ${group}`)
        if (group === 0) firstMs = clock.now()
        await clock.advance(100)
      }
      const { allowed, retryAfterMs } = await counters.spend('a', budget)
      t.equal(allowed, false)
      const lateMs = clock.now() + retryAfterMs - (firstMs + budget.windowMs)
      t.ok(lateMs >= 0 && lateMs <= 600, `${lateMs} ms late`)
      t.ok((await stored(connection)).every(({ spent }) => spent.length < 1_500))
    })

    t.test('what has a successor is removed, and what has long passed', async (t) => {
      const [url, clock] = [mongo.url(), createTestClock()]
      const connection = connectNode(t, url)
      const budget = { max: 100, windowMs: 60_000 }
      const becomes = async (ids: readonly RegExp[]): Promise<void> => {
        const untilMs = Date.now() + 10_000
        const found = async () => (await stored(connection)).map(({ _id }) => _id)
        while ((await found()).length > ids.length && Date.now() < untilMs) await sleep(100)
        t.match(await found(), ids)
      }
      const counters = createMongoCounters({ connection, clock: systemClock })
      for (let spent = 0; spent < 20; spent++) await counters.spend('a', budget)
      await becomes([/^a#0*20$/])
      t.equal((await counters.peek('a', budget)).remaining, 79)

      const later = { ...patient(clock), now: () => systemClock.now() + 700_000 }
      await createMongoCounters({ connection: connectNode(t, url), clock: later }).spend('b', budget)
      await becomes([/^b#0*1$/])
    })
  })
})

t.test('while MongoDB is away each node counts for itself, and together again when it is back', async (t) => {
  await overOwnMongo(t, async (t, mongo) => {
    const url = mongo.url()
    const nodes = onNodes(t, url, {
      count: 2,
      make: (connection) => createMongoCounters({ connection, clock: systemClock, fallback: createMemoryCounters({ clock: systemClock }) }),
    })
    const strict = createMongoCounters({ connection: connectNode(t, url), clock: systemClock })
    const [one, other] = nodes
    if (!one || !other) throw new Error('No nodes')
    const budget = { max: 3, windowMs: 600_000 }
    const isShared = async (key: string): Promise<boolean> => {
      await one.spend(key, budget)
      return (await other.peek(key, budget)).remaining === 1
    }
    const comesBack = async (round: string): Promise<void> => {
      const untilMs = Date.now() + 10_000
      let tries = 0
      while (!(await isShared(`${round} ${tries}`)) && Date.now() < untilMs) {
        tries++
        await sleep(100)
      }
      t.ok(await isShared(round), 'together')
    }
    await comesBack('first')

    for (const [title, leave, back] of [
      ['killed', () => mongo.server.kill(), () => mongo.server.restart()],
      ['standing still', () => mongo.server.suspend(), async () => mongo.server.signal('SIGCONT')],
    ] as const) {
      await t.test(title, async (t) => {
        await leave()
        t.ok(await isWithin(1_500, one.spend(title, budget)), 'the first waits half a second')
        t.ok(await isWithin(400, Promise.all([one.spend(title, budget), one.spend(title, budget)])), 'the next do not')
        t.equal((await one.spend(title, budget)).allowed, false, 'it has a budget of its own')
        t.equal((await other.spend(title, budget)).allowed, true, 'and so has the other')
        await t.rejects(strict.spend(title, budget), ServerUnavailable, 'who has no fallback is told')
        await back()
        await comesBack(`after ${title}`)
      })
    }
  })
})
