/**
 * Measures live events: memory per open stream, and the delivery time of events to all streams, against a bare loop of writes to the same
 * number of bare connections. The clients run in a separate process.
 */
import { fork } from 'node:child_process'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { createMemoryCounters } from '../../src/adapters/memory/counters.ts'
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import { createMemoryIdempotencyStore } from '../../src/adapters/memory/idempotency-store.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../src/adapters/node/ids.ts'
import { createLiveEvents } from '../../src/app/feed/live-events.ts'
import type { Caller } from '../../src/app/access/caller.ts'
import { toPosition } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import { createLogPages } from '../../src/app/feed/log-pages.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createFakeServices } from '../fixtures/fake-services/services.ts'
import { admin, idOf, library } from '../fixtures/samples.ts'
import { median, wholeNumber, type Report } from './table.ts'

const EVENTS = 20
const AT_ONCE = 100
const GOAL = 1.5

export async function measureEvents(report: Report, count: number): Promise<void> {
  const bare = await measureBare(count)
  const clock = createSystemClock()
  const log = createMemoryEventLog()
  const callers = new Map(Array.from({ length: count }, (_, n) => [String(n), callerOf(n)] as const))
  const byLogin = new Map([...callers.values()].map((caller) => [caller.loginId, caller]))
  const liveEvents = createLiveEvents({
    access: { library: () => library, callerByLogin: (id) => byLogin.get(id) },
    clock,
    log,
    pages: createLogPages({ clock, log }),
    sealer: { open: async () => undefined },
    readYourWrites: { waitFor: async () => {} },
    readModels: { movies: { getMany: async () => [] }, scans: { getMany: async () => [] } } as never,
  })
  const fakes = createFakeServices()
  const app = await createHttpServer({
    services: {
      ...fakes,
      liveEvents,
      signIns: { ...fakes.signIns, authenticate: (token) => callers.get(token), touch: async () => false },
    },
    counters: createMemoryCounters({ clock }),
    idempotencyStore: createMemoryIdempotencyStore({ clock }),
    clock,
    ids: createSystemIds(),
    config: { secrets: ['a secret of at least thirty-two characters'], rateLimit: 1e9, version: '0' },
    ready: () => ({ ready: true }),
    log: { level: 'silent' },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  await liveEvents.feed.load(undefined as never)
  const stop = new AbortController()
  const running = liveEvents.run(stop.signal)
  const before = memory()
  const clients = await open(count, app.server)
  const each = (memory() - before) / count / 1024
  let position = 0
  const times = await timed(async () => {
    liveEvents.feed.apply(createdAt(toPosition(++position)))
    while (liveEvents.position() < toPosition(position)) await Promise.resolve()
  })
  const ratio = median(times) / median(bare.times)
  report({
    what: `an event to ${wholeNumber(count)} SSE clients, processor time`,
    ours: `${ms(times)} ms`,
    yardstick: `${ms(bare.times)} ms (bare loop of writes)`,
    ratio,
    goal: `<= ${GOAL}x`,
    met: ratio <= GOAL,
  })
  report({ what: 'memory of an open stream', ours: `${each.toFixed(1)} KB`, yardstick: `${bare.each.toFixed(1)} KB (bare connection)` })
  stop.abort()
  clients.kill()
  await running
  await app.close()
}

async function measureBare(count: number) {
  const responses: ServerResponse[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    responses.push(response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const before = memory()
  const clients = await open(count, server)
  const each = (memory() - before) / count / 1024
  const text = `id: 1\nevent: library.created\ndata: {"seq":"1","at":"2026-01-02T12:00:00.000Z","libraryId":"${library.id}"}\n\n`
  const times = await timed(async () => {
    for (const response of responses) response.write(text)
  })
  clients.kill()
  server.closeAllConnections()
  server.close()
  return { times, each }
}

async function timed(send: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < EVENTS; n++) {
    const began = process.cpuUsage()
    await send()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { user, system } = process.cpuUsage(began)
    times.push((user + system) / 1000)
  }
  return times
}

const ms = (values: readonly number[]): string => median(values).toFixed(1)

function memory(): number {
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

const callerOf = (n: number): Caller => ({ ...admin, role: 'user', userId: idOf(`user${n}x`), loginId: idOf(`login${n}x`) })

const createdAt = (position: ReturnType<typeof toPosition>): RecordedEvent =>
  ({
    type: 'LibraryCreated',
    position,
    at: new Date().toISOString(),
    stream: `library-${library.id}`,
    data: { libraryId: library.id },
  }) as never

/** Opens connections from another process; settles when each has received its first bytes. */
async function open(count: number, server: Pick<Server, 'address'>) {
  const child = fork(import.meta.filename, [String(count), String((server.address() as AddressInfo).port)])
  await new Promise((resolve) => child.once('message', resolve))
  return child
}

function beClients(count: number, at: number): void {
  let opened = 0
  const next = (n: number): void => {
    if (n >= count) return
    const socket = connect(at, '127.0.0.1')
    socket.write(`GET /api/events?token=${n} HTTP/1.1\r\nhost: x\r\n\r\n`)
    socket.once('data', () => {
      if (++opened === count) process.send?.('open')
      next(n + AT_ONCE)
    })
    socket.on('data', () => {}).on('error', () => {})
  }
  for (let n = 0; n < AT_ONCE; n++) next(n)
}

if (import.meta.main && process.send) {
  const [count = 0, port = 0] = process.argv.slice(2).map(Number)
  beClients(count, port)
}
