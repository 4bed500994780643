import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connectNats } from '../../../src/adapters/nats/connection.ts'
import { createSplitBus } from '../../../src/adapters/nats/split-bus.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { MAX_BODY_BYTES, NoResponder, type Message } from '../../../src/ports/bus.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { spawnBound } from '../../fakes/bound-process.ts'
import { overOwnNats } from '../../fakes/nats.ts'
import { startSlowLink, type SlowLinkOptions } from '../../fakes/slow-link.ts'
import { numbered, startProgram, timed, type NatsProgram } from '../../fixtures/program.ts'
import { until } from '../../fixtures/until.ts'

const MB = 1_000_000
const WORDS = ['stream', 'rendition']
const LONG = { timeoutMs: 60_000 }
/** The options with which an agent sends records to the owner of its job. */
const RECORD = { timeoutMs: 10_000 }
const body = new Uint8Array(MAX_BODY_BYTES).fill(7)
const record: Message = { head: { type: 'segment' }, body }

t.test('only who uses a subject of bytes has a second connection, which says in its name what it is', async (t) => {
  const names: string[] = []
  const server = createServer((socket) => {
    socket.write(`INFO {"server_id":"A","version":"2.10.0","proto":1,"headers":true,"max_payload":1048576}\r\n`)
    socket
      .on('error', () => {})
      .on('data', (data) => {
        for (const line of String(data).split('\r\n')) {
          if (line.startsWith('CONNECT ')) names.push(JSON.parse(line.slice('CONNECT '.length)).name)
          if (line === 'PING') socket.write('PONG\r\n')
        }
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = createSystemClock()
  const connection = connectNats({ url, name: 'projector', clock, onError: (error) => t.error(error) })
  const bus = createSplitBus({ connection, clock, words: WORDS })
  t.teardown(() => connection.close())
  for (const pattern of ['news', 'streams.a', '*.a', '>']) await bus.subscribe(pattern, () => {}).ready
  t.strictSame(names, ['projector'])
  await bus.respond('stream.node.*', async () => numbered(1)).ready
  await bus.respond('rendition.a', async () => numbered(1)).ready
  t.strictSame(names, ['projector', 'projector-bytes'])
  await bus.close()
  await t.rejects(bus.request('stream.a', numbered(1), LONG), NoResponder)
  t.throws(() => bus.subscribe('stream.a', () => {}), /closed/)
  t.equal(names.length, 2)
})

/** A program whose connections all use the same slow link, with two connections or with one. */
async function startSlowProgram(
  t: Test,
  url: URL,
  link: Omit<SlowLinkOptions, 'toPort'>,
  words: readonly string[] = WORDS,
): Promise<NatsProgram> {
  const { port, close } = await startSlowLink({ ...link, toPort: Number(url.port) })
  t.teardown(close)
  const slow = new URL(url)
  slow.port = String(port)
  const program = startProgram(t, slow.href)
  await program.connection.engine.check()
  const bus = createSplitBus({ connection: program.connection, clock: createSystemClock(), words })
  t.teardown(() => bus.close())
  return { ...program, bus }
}

/** Number of 32 records (16 MB) that were answered before a short request and a lease acquisition that were sent after them. */
async function recordsBefore(
  { bus, leases }: NatsProgram,
  subject: string,
  ask: Message,
): Promise<{ readonly before: number; readonly ended: Promise<unknown> }> {
  let answered = 0
  const records = Array.from({ length: 32 }, async (_, number) => {
    await bus.request(`${subject}.job-${number % 4}`, ask, LONG)
    answered++
  })
  const ended = Promise.all(records)
  await Promise.all([bus.request('session.one', numbered(1), LONG), leases.acquire('late', 15).catch(() => {})])
  return { before: answered, ended }
}

await overOwnNats(t, (t, nats) => {
  t.jobs = 3

  const answers = [
    ['a short question does not wait behind records that go up a slow link', record, numbered(1), 2 * MB],
    // So slow that a pong behind the records takes longer than the timeout of a silent server.
    ['a short question does not wait behind records that come down a slow link', numbered(1), record, 2 * MB],
  ] as const
  for (const [title, ask, answer, bytesPerSecond] of answers) {
    t.test(title, { buffered: true }, async (t) => {
      const url = new URL(nats.url())
      const owner = startProgram(t, url.href)
      await owner.bus.respond('stream.owner.*', async () => answer).ready
      await owner.bus.respond('session.one', async () => numbered(1)).ready
      const agent = await startSlowProgram(t, url, { bytesPerSecond })
      await agent.bus.request('stream.owner.job-1', numbered(0), LONG)
      const lease = await agent.leases.acquire('agent', 15)
      const { before, ended } = await recordsBefore(agent, 'stream.owner', ask)
      t.ok(before < 3, `${before} of 32 records came first`)
      await ended
      t.equal(lease?.lost.aborted, false, 'the lease was renewed meanwhile')
      t.strictSame(agent.problems, [])
    })
  }

  t.test('by one connection it does wait', { buffered: true }, async (t) => {
    const url = new URL(nats.url())
    const owner = startProgram(t, url.href)
    await owner.bus.respond('stream.owner.*', async () => numbered(1)).ready
    await owner.bus.respond('session.one', async () => numbered(1)).ready
    const agent = await startSlowProgram(t, url, { bytesPerSecond: 8 * MB }, [])
    const { before, ended } = await recordsBefore(agent, 'stream.owner', record)
    await ended
    t.ok(before > 25, `${before} of 32 records came first`)
  })

  t.test(
    'the windows of 16 jobs are more than the network takes at once: what is too much waits its turn',
    { buffered: true },
    async (t) => {
      const url = new URL(nats.url())
      const owner = startProgram(t, url.href)
      const seen: number[] = []
      await owner.bus.respond('stream.owner.*', async ({ head }) => numbered(seen.push(Number(head['number'])))).ready
      const agent = await startSlowProgram(t, url, { bytesPerSecond: 40 * MB })
      const numbers = Array.from({ length: 16 * 8 }, (_, number) => number)
      await Promise.all(numbers.map((number) => agent.bus.request(`stream.owner.job-${number % 16}`, { head: { number }, body }, LONG)))
      t.strictSame(seen, numbers)
      t.equal(agent.bus.dropped(), 0)
    },
  )

  t.test('the connection for bytes is lost: its requests fail, all else goes on, and it comes back', { buffered: true }, async (t) => {
    const url = new URL(nats.url())
    const owner = startProgram(t, url.href)
    await owner.bus.respond('session.one', async () => numbered(2)).ready
    await owner.bus.respond('stream.owner.*', async () => numbered(1)).ready
    const { connection, problems } = startProgram(t, url.href)
    const options = { toPort: Number(url.port), bytesPerSecond: 100 * MB }
    const link = await startSlowLink(options)
    const linked = new URL(url)
    linked.port = String(link.port)
    const clock = createSystemClock()
    const onError = (error: unknown): void => void problems.push(error)
    const another = (name: string): typeof connection => connectNats({ url: linked.href, name, clock, onError })
    const bus = createSplitBus({ connection: { ...connection, another }, clock, words: WORDS })
    t.teardown(() => bus.close())
    const inbox = bus.respond('rendition.a', async () => numbered(3))
    await inbox.ready
    t.same((await bus.request('stream.owner.a', record, LONG)).head, { number: 1 })
    link.close()
    await until(() => problems.length > 0)
    await sleep(1100)
    const away = await timed(bus.request('stream.owner.a', record, LONG))
    t.ok(away.error instanceof ServerUnavailable && away.ms < 2000)
    await t.rejects(owner.bus.request('rendition.a', numbered(1), LONG), NoResponder)
    await connection.engine.check()
    t.same((await bus.request('session.one', numbered(1), LONG)).head, { number: 2 })
    t.teardown((await startSlowLink({ ...options, port: link.port })).close)
    await until(async () => (await timed(bus.request('stream.owner.a', record, LONG))).error === undefined)
    await until(async () => (await timed(owner.bus.request('rendition.a', numbered(1), LONG))).error === undefined)
  })

  t.test(
    'an owner that is stopped for ten seconds while four jobs stream to it keeps its lease and its connection',
    { buffered: true },
    async (t) => {
      const url = nats.url()
      const agent = startProgram(t, url)
      const bus = createSplitBus({ connection: agent.connection, clock: createSystemClock(), words: WORDS })
      t.teardown(() => bus.close())
      const owner = spawnBound(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'owner-program.ts'),
        url,
      ])
      t.teardown(() => owner.kill('SIGKILL'))
      await once(owner.stdout, 'data')
      const ended = new AbortController()
      let answered = 0
      const windows = Array.from({ length: 4 * 8 }, async (_, number) => {
        while (!ended.signal.aborted) {
          const { error } = await timed(bus.request(`stream.owner.job-${number % 4}`, record, RECORD))
          if (error === undefined) answered++
          else await sleep(200)
        }
      })
      await until(() => answered > 32)
      await bus.request('owner.hold', numbered(1), LONG)
      owner.kill('SIGSTOP')
      await sleep(10_000)
      const before = answered
      owner.kill('SIGCONT')
      const { head } = await bus.request('owner.state', numbered(1), LONG)
      t.match(head, { connections: 1, holds: true })
      await until(() => answered > before + 64, 20_000)
      ended.abort()
      await Promise.all(windows)
      t.match((await bus.request('owner.state', numbered(1), LONG)).head, { connections: 1, holds: true })
      t.equal(await agent.leases.held('owner'), true)
      t.comment(JSON.stringify({ head, problems: agent.problems.map(String) }))
    },
  )
})

await overOwnNats(t, (t, nats) => {
  t.test('a stopped NATS: what waits is bounded, and more is refused at once as not having run', async (t) => {
    const { connection, bus } = startProgram(t, nats.url())
    await connection.engine.check()
    await nats.server.suspend()
    const asked = Array.from({ length: 250 }, () => timed(bus.request('stream.a', record, { timeoutMs: 3_000 })))
    const idempotencyStore = await Promise.all(asked)
    nats.server.signal('SIGCONT')
    const refused = idempotencyStore.filter(({ error }) => error instanceof ServerUnavailable)
    t.equal(refused.length, 250 - 63 - 127, '32 MiB on their way, 64 MiB in line')
    t.ok(idempotencyStore.every(({ error }) => error instanceof Error))
  })
})
