import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createNatsBus, type NatsBus } from '../../../src/adapters/nats/bus.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { currentRequest } from '../../../src/concurrency/current-request.ts'
import { encodeFrame } from '../../../src/adapters/nats/frames.ts'
import { MAX_BODY_BYTES, NoResponder, ReplyTimeout } from '../../../src/ports/bus.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { overNats, overOwnNats } from '../../fakes/nats.ts'
import { numbered, startProgram, startTwo, timed } from '../../fixtures/program.ts'
import { until } from '../../fixtures/until.ts'

const LONG = { timeoutMs: 20_000 }
const MIB = 1024 * 1024
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes of buffers in use, and sometimes of some that V8 frees a moment later: poll for the expected value. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

await overNats(t, (t, nats) => {
  t.test('2,000 messages with bodies keep their order, and the largest arrive whole', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const seen: number[] = []
    await other.bus.subscribe('order', ({ head, body }) => void seen.push(Number(head['number']), Number(body?.[0]))).ready
    for (let number = 0; number < 2000; number++) {
      one.bus.publish('order', { head: { number }, body: new Uint8Array(number % 5000).fill(number % 251) })
    }
    await until(() => seen.length === 4000)
    t.strictSame(seen, Array.from({ length: 2000 }, (_, number) => [number, number % 5000 === 0 ? Number.NaN : number % 251]).flat())
    await other.bus.respond('large', async ({ body }) => ({ head: { size: body?.length ?? 0 }, ...(body && { body }) })).ready
    const body = Buffer.alloc(MAX_BODY_BYTES, 'marquee')
    const answers = await Promise.all(Array.from({ length: 20 }, () => one.bus.request('large', { head: {}, body }, LONG)))
    t.ok(answers.every((answer) => answer.head['size'] === MAX_BODY_BYTES && body.equals(answer.body ?? Buffer.of())))
  })

  t.test('a request carries contexts to a program that follows them, and past one that does not', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const [within, clock] = [new AsyncLocalStorage<string>(), createSystemClock()]
    const trace = { current: () => within.getStore(), within: <Result>(text: string, work: () => Result) => within.run(text, work) }
    const contexts = { traceparent: trace, 'marquee-request': currentRequest }
    const [caller, follower] = [one, other].map(({ connection }) => createNatsBus({ connection, clock, contexts })) as [NatsBus, NatsBus]
    const here = async () => ({ head: { trace: within.getStore() ?? null, request: currentRequest.current() ?? null } })
    await follower.respond('followed', here).ready
    await other.bus.respond('not-followed', here).ready
    const ask = async (subject: string) => (await caller.request(subject, { head: {} }, LONG)).head
    const askInBoth = (subject: string) => within.run(parent, () => currentRequest.within('01REQUEST', () => ask(subject)))
    t.strictSame(await askInBoth('followed'), { trace: parent, request: '01REQUEST' })
    t.strictSame(await currentRequest.within('01REQUEST', () => ask('followed')), { trace: null, request: '01REQUEST' })
    t.strictSame(await askInBoth('not-followed'), { trace: null, request: null })
    t.strictSame(await ask('followed'), { trace: null, request: null })
    await Promise.all([caller.close(), follower.close()])
  })

  t.test('installations on one server do not hear each other', async (t) => {
    const [mine, theirs] = [startProgram(t, nats.url()), startProgram(t, nats.url())]
    const heard: string[] = []
    await theirs.bus.subscribe('>', (_, subject) => void heard.push(subject)).ready
    await mine.bus.subscribe('>', (_, subject) => void heard.push(`mine ${subject}`)).ready
    await theirs.bus.respond('work', async () => numbered(1)).ready
    mine.bus.publish('a.b', numbered(1))
    await t.rejects(mine.bus.request('work', numbered(1), LONG), NoResponder)
    theirs.bus.publish('c', numbered(1))
    await until(() => heard.includes('c') && heard.includes('mine a.b'))
    t.strictSame(heard.toSorted(), ['c', 'mine a.b'])
  })

  t.test('who only listens is no responder, and does not hear requests', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    let heard = 0
    await other.bus.subscribe('>', () => heard++).ready
    await t.rejects(one.bus.request('work', numbered(1), LONG), NoResponder)
    t.equal(heard, 0)
  })

  t.test('what is no subject is a fault of the program and never reaches the protocol', async (t) => {
    const { bus, connection } = startProgram(t, nats.url())
    await connection.engine.check()
    for (const subject of ['', 'a..b', 'a b', 'a\r\nPING\r\nb', 'a.*', '>']) {
      t.throws(() => bus.publish(subject, numbered(1)), TypeError)
      await t.rejects(bus.request(subject, numbered(1), LONG), TypeError)
    }
    t.throws(() => bus.subscribe('a.>.b', () => {}), TypeError)
    t.throws(() => bus.respond('a b', async () => numbered(1)), TypeError)
  })

  t.test('a responder with too many requests drops further ones and counts them', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    await other.bus.respond('stuck', () => new Promise(() => {})).ready
    const asked = Array.from({ length: 10_007 }, (_, number) => timed(one.bus.request('stuck', numbered(number), LONG)))
    await until(() => other.bus.dropped() === 7)
    await one.bus.close()
    t.ok((await Promise.all(asked)).every(({ error }) => error instanceof ReplyTimeout))
  })

  t.test('a request that NATS doubles is carried out once, and answered once', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const [asked, answers] = [new Array<unknown>(), new Array<unknown>()]
    const finish = Promise.withResolvers<void>()
    await other.bus.respond('work', async ({ head }) => {
      asked.push(head['number'])
      await finish.promise
      return { head }
    }).ready
    const session = await one.connection.session(LONG.timeoutMs)
    session.listen('answers.*', { take: ({ data }) => void answers.push(data.length > 0), drains: false, refused: () => {} })
    const request = { subject: `${one.connection.prefix}.ask.work`, payload: encodeFrame(numbered(1)), reply: 'answers.1' }
    for (let times = 0; times < 2; times++) session.send(request)
    session.send({ ...request, reply: 'answers.2' })
    await until(() => asked.length === 2)
    finish.resolve()
    await until(() => answers.length === 2)
    session.send(request)
    await one.bus.request('work', numbered(3), LONG)
    t.strictSame({ asked, answers }, { asked: [1, 1, 3], answers: [true, true] })
  })

  t.test('an exception of a faulty handler is reported as a problem', async (t) => {
    const { bus, problems } = startProgram(t, nats.url())
    const [heard, asked] = [new Error('a faulty subscriber'), new Error('a faulty responder')]
    await bus.subscribe('a', () => {
      throw heard
    }).ready
    await bus.respond('a', () => {
      throw asked
    }).ready
    bus.publish('a', numbered(1))
    await t.rejects(bus.request('a', numbered(1), { timeoutMs: 300 }), ReplyTimeout)
    t.strictSame(problems, [heard, asked])
  })
})

await overOwnNats(t, (t, nats) => {
  t.test('NATS is killed and comes back: subscribers and responders work again, what was published meanwhile is gone', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    const seen: unknown[] = []
    await other.bus.subscribe('news.*', ({ head }) => void seen.push(head['number'])).ready
    await other.bus.respond('work', async ({ head }) => ({ head })).ready
    await other.bus.respond('stuck', () => new Promise(() => {})).ready
    const stuck = timed(one.bus.request('stuck', numbered(0), LONG))
    one.bus.publish('news.a', numbered(1))
    await until(() => seen.length === 1)

    await nats.server.kill()
    const broken = await stuck
    t.ok(broken.error instanceof ReplyTimeout && broken.ms < 5000, 'a request whose connection broke may have run')
    await until(() => one.connection.current() === undefined)
    const [before, body] = [heldBytes(), new Uint8Array(MAX_BODY_BYTES)]
    for (let number = 0; number < 400; number++) one.bus.publish('news.a', { head: { number: 2 }, body })
    t.equal(one.bus.dropped(), 400)
    await until(() => heldBytes() - before < 5 * MIB)
    const away = await timed(one.bus.request('work', numbered(1), LONG))
    t.ok(away.error instanceof ServerUnavailable && away.ms < 2000)
    await t.rejects(one.connection.engine.check(), ServerUnavailable)
    let isReady = false
    const late = other.bus.subscribe('late', ({ head }) => void seen.push(head['number']))
    const ready = late.ready.then(() => (isReady = true))

    await sleep(1500)
    t.equal(isReady, false)
    await nats.server.restart()
    await ready
    await until(async () => (await timed(one.connection.engine.check())).error === undefined)
    t.strictSame((await one.bus.request('work', numbered(7), LONG)).head, { number: 7 })
    one.bus.publish('news.b', numbered(3))
    one.bus.publish('late', numbered(4))
    await until(() => seen.length === 3)
    t.strictSame(seen, [1, 3, 4])
  })

  t.test('a stopped NATS: what it does not take is dropped, requests end in time, and all goes on when it continues', async (t) => {
    const [one, other] = await startTwo(t, nats.url())
    let seen = 0
    await other.bus.subscribe('news', () => seen++).ready
    await other.bus.respond('work', async ({ head }) => ({ head })).ready
    await nats.server.suspend()
    let isReady = false
    const ready = other.bus.subscribe('late', () => {}).ready.then(() => (isReady = true))
    await sleep(2500)
    t.equal(isReady, false)
    nats.server.signal('SIGCONT')
    await ready

    await nats.server.suspend()
    const [before, body] = [heldBytes(), new Uint8Array(MAX_BODY_BYTES)]
    for (let number = 0; number < 200; number++) one.bus.publish('news', { head: {}, body })
    t.ok(one.bus.dropped() > 100 && one.bus.dropped() < 200, `${one.bus.dropped()} of 200 dropped`)
    await until(() => heldBytes() - before < 80 * MIB)
    t.match(one.problems, [{ message: /accepts messages too slowly/ }])
    const asking = timed(other.bus.request('work', numbered(1), { timeoutMs: 700 }))
    // If this process gets no CPU time, the timer is late as well.
    t.ok(await Promise.race([asking, sleep(1000)]), 'in time')
    t.ok((await asking).error instanceof ReplyTimeout)
    const checked = await timed(other.connection.engine.check())
    t.ok(checked.error instanceof ServerUnavailable && checked.ms < 2000, `${checked.ms} ms`)

    await until(() => !one.connection.current() && !other.connection.current(), 12_000)
    const away = await timed(other.bus.request('work', numbered(1), LONG))
    t.ok(away.error instanceof ServerUnavailable && away.ms < 2000)
    nats.server.signal('SIGCONT')
    await until(async () => (await timed(one.bus.request('work', numbered(1), LONG))).error === undefined)
    seen = 0
    one.bus.publish('news', numbered(1))
    await until(() => seen > 0)
  })
})
