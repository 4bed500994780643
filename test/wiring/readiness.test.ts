import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { ServerUnavailable, type Server } from '../../src/ports/server.ts'
import { createReadiness } from '../../src/wiring/readiness.ts'

function engine(name: string): Server & { away: boolean; asked: number } {
  const server = {
    name,
    away: false,
    asked: 0,
    async check() {
      server.asked++
      if (server.away) throw new ServerUnavailable(name)
    },
  }
  return server
}

t.test('it names the servers that do not answer, each once, and says what the views say when all do', async (t) => {
  const clock = createTestClock()
  const [log, store, vault] = [engine('EventStoreDB'), engine('MongoDB'), engine('MongoDB')]
  const ready = createReadiness({
    servers: [log, store, vault],
    clock,
    views: () => ({ ready: true }),
    hasAgents: () => true,
    toneMaps: () => true,
  })
  t.strictSame(await ready(), { ready: true })
  log.away = true
  await clock.advance(1000)
  t.strictSame(await ready(), { ready: false, reason: 'No answer from EventStoreDB: it does not answer in time' })
  store.away = vault.away = true
  await clock.advance(1000)
  t.strictSame(await ready(), {
    ready: false,
    reason: 'No answer from EventStoreDB: it does not answer in time; MongoDB: it does not answer in time',
  })
  log.away = store.away = vault.away = false
  await clock.advance(1000)
  t.strictSame(await ready(), { ready: true })
})

t.test('however often it is asked, the servers are asked once a second', async (t) => {
  const clock = createTestClock()
  const server = engine('NATS')
  const ready = createReadiness({ servers: [server], clock, views: () => ({ ready: true }), hasAgents: () => true, toneMaps: () => true })
  await Promise.all(Array.from({ length: 50 }, ready))
  t.equal(server.asked, 1)
  await clock.advance(1000)
  await ready()
  t.equal(server.asked, 2)
})

t.test('a problem of caches is a warning', async (t) => {
  const caches = () => 'The disk of the data folder is full'
  const views = () => ({ ready: true }) as const
  const ready = createReadiness({ servers: [], clock: createTestClock(), views, caches, hasAgents: () => true, toneMaps: () => true })
  t.strictSame(await ready(), { ready: true, warnings: ['The disk of the data folder is full'] })
})

t.test('views that are not ready yet are reported in their own words', async (t) => {
  const views = () => ({ ready: false, reason: 'The read models are being built from the log' }) as const
  const ready = createReadiness({ servers: [], clock: createTestClock(), views, hasAgents: () => false, toneMaps: () => true })
  t.strictSame(await ready(), { ready: false, reason: 'The read models are being built from the log' })
})

t.test('without an agent requests can be answered, and it says what they cannot be given', async (t) => {
  const ready = createReadiness({
    servers: [],
    clock: createTestClock(),
    views: () => ({ ready: true }),
    hasAgents: () => false,
    toneMaps: () => true,
  })
  t.match(await ready(), { ready: true, warnings: [/^No transcode agent is running/] })
})

t.test('missing parts are reported beside the warnings of the views', async (t) => {
  const views = () => ({ ready: true, warnings: ['A clock is off'] }) as const
  const clock = createTestClock()
  t.strictSame(await createReadiness({ servers: [], clock, views, hasAgents: () => true, toneMaps: () => true })(), views())
  const ready = createReadiness({ servers: [], clock, views, hasAgents: () => false, toneMaps: () => true })
  t.match(await ready(), { ready: true, warnings: [/^No transcode agent is running/, 'A clock is off'] })
})

t.test('if no agent can tone-map, that is a warning, reported once', async (t) => {
  const clock = createTestClock()
  const views = () => ({ ready: true, warnings: ['Another'] }) as const
  const pale = createReadiness({ servers: [], clock, views, hasAgents: () => true, toneMaps: () => false })
  t.match(await pale(), { ready: true, warnings: [/^No transcode agent can tone-map .*HDR films look pale/, 'Another'] })
  const alone = createReadiness({ servers: [], clock, views, hasAgents: () => false, toneMaps: () => false })
  t.match(await alone(), { ready: true, warnings: [/^No transcode agent is running/, 'Another'] })
})
