import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createServerClock, type ServerClockOptions } from '../../../src/adapters/mongodb/server-clock.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'

const HOUR_MS = 3_600_000

/** A connection that only answers `hello`; `ask` is its work. */
const answering = (ask: () => Promise<unknown>): ServerClockOptions['connection'] =>
  ({ db: () => ({ command: ask }), guarded: (work: () => Promise<unknown>) => work() }) as unknown as ServerClockOptions['connection']

t.test('the server tells the time, whatever the clock of the node says', async (t) => {
  const clock = createTestClock()
  const startMs = clock.now()
  const connection = answering(async () => ({ localTime: new Date(clock.now() + HOUR_MS) }))
  const serverClock = createServerClock({ connection, clock })
  t.teardown(() => serverClock.close())
  t.equal(serverClock.now(), startMs, 'its own time until the first answer')
  await serverClock.measured
  t.equal(serverClock.now(), startMs + HOUR_MS)
  await clock.advance(500)
  t.equal(serverClock.now(), startMs + HOUR_MS + 500)
})

t.test('a later answer counts, and without one the last', async (t) => {
  const clock = createTestClock()
  const startMs = clock.now()
  let answer: (() => unknown) | undefined = () => ({ localTime: new Date(startMs + HOUR_MS) })
  const connection = answering(async () => {
    if (!answer) throw new ServerUnavailable('MongoDB')
    return answer()
  })
  const serverClock = createServerClock({ connection, clock })
  t.teardown(() => serverClock.close())
  await serverClock.measured
  answer = undefined
  await clock.advance(60_000)
  t.equal(serverClock.now(), startMs + HOUR_MS + 60_000, 'an outage')
  answer = () => ({ ok: 1 })
  await clock.advance(60_000)
  t.equal(serverClock.now(), startMs + HOUR_MS + 120_000, 'a server that tells no time')
  answer = () => ({ localTime: new Date(clock.now()) })
  await clock.advance(60_000)
  t.equal(serverClock.now(), clock.now())
})

t.test('an answer that took long does not count', async (t) => {
  const clock = createTestClock()
  let tookMs = 5_000
  const connection = answering(async () => {
    const localTime = new Date(clock.now() + HOUR_MS)
    await clock.sleep(tookMs)
    return { localTime }
  })
  const serverClock = createServerClock({ connection, clock })
  t.teardown(() => serverClock.close())
  await clock.advance(5_000)
  t.equal(serverClock.now(), clock.now())
  tookMs = 200
  await clock.advance(1_000)
  await clock.advance(200)
  t.equal(serverClock.now(), clock.now() + HOUR_MS - 100, 'the next one does, as of the middle of its way')
})
