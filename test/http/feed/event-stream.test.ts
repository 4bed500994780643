import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { LiveEvents, LiveListener } from '../../../src/app/feed/live-events.ts'
import { toPosition } from '../../../src/events/position.ts'
import { openEventStream } from '../../../src/http/feed/event-stream.ts'
import { createEventStreams } from '../../../src/http/feed/event-streams.ts'
import { QueueFull } from '../../../src/concurrency/semaphore.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { admin } from '../../fixtures/samples.ts'

const position = toPosition(1)
const LIVE: LiveEvents = {
  position: () => position,
  listen: () => () => {},
  isKnown: async () => true,
  missed: async () => null,
  isFor: () => true,
  callerOf: () => admin,
  feed: { name: 'fake', load: async () => position, apply: () => {} },
  run: async () => {},
}

/** The response of a request whose client reads nothing. */
async function openAnswer(t: Test): Promise<{ readonly response: ServerResponse; readonly socket: Socket }> {
  const opened = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => opened.resolve(response)).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  return { response: await opened.promise, socket }
}

t.test('a reader that does not keep up is dropped at 256 KB, and nothing is kept of it', async (t) => {
  const { response } = await openAnswer(t)
  let listener: LiveListener | undefined
  const liveEvents: LiveEvents = {
    ...LIVE,
    listen: (one) => {
      listener = one
      return () => (listener = undefined)
    },
  }
  const text = 'x'.repeat(32 * 1024)
  const stream = openEventStream(
    response,
    { loginId: admin.loginId, types: [], everyone: false, lastEventId: undefined },
    { liveEvents, frames: { of: () => text, bare: () => '', unnumbered: () => '' }, serverVersion: '0', webBuild: async () => null },
  )
  await stream.caughtUp
  const event = {
    kind: 'x.y',
    audience: { to: 'admins' },
    payload: {},
    at: '',
    libraryId: null,
    scan: null,
    position: toPosition(2),
  } as const
  let most = 0
  for (let n = 0; n < 2000; n++) {
    if (!listener) break
    listener([event])
    most = Math.max(most, response.writableLength)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await stream.closed
  t.equal(listener, undefined, 'it listens no longer')
  t.ok(response.destroyed)
  t.ok(most <= 256 * 1024 + text.length + 1024, `${most} bytes were kept`)
})

/** Streams with a count of the taken slots. */
function setUp(liveEvents: LiveEvents) {
  const taken = { count: 0 }
  const places = {
    async take() {
      taken.count++
      return () => void taken.count--
    },
  }
  const clock = createTestClock()
  return {
    taken,
    ...createEventStreams({
      liveEvents,
      places,
      isFollowing: () => true,
      clock,
      serverVersion: '0',
      webBuild: async () => null,
      rebuilds: () => [],
      active: () => {},
    }),
  }
}

const FROM_BEFORE = { loginId: admin.loginId, types: [], everyone: false, lastEventId: '1' }

t.test('a stream that cannot replay what it missed is ended, and does not stay open silently', async (t) => {
  const away = async (): Promise<never> => {
    throw new ServerUnavailable('EventStoreDB')
  }
  const { admit, open, taken } = setUp({ ...LIVE, isKnown: away })
  const { response, socket } = await openAnswer(t)
  await admit(admin.userId, response)
  const closed = once(response, 'close')
  await t.rejects(open(response, FROM_BEFORE), ServerUnavailable)
  socket.resume()
  await closed
  t.equal(taken.count, 0)
})

t.test('a client that went while its place was taken keeps none, and nothing is opened for it', async (t) => {
  const { admit, open, taken } = setUp(LIVE)
  const { response, socket } = await openAnswer(t)
  socket.destroy()
  await once(response, 'close')
  await admit(admin.userId, response)
  await open(response, FROM_BEFORE)
  t.equal(taken.count, 0)
  t.notOk(response.headersSent)
})

t.test('a client that opens a stream and leaves, leaves no replay behind', async (t) => {
  const asked: AbortSignal[] = []
  const missed: LiveEvents['missed'] = async (_after, _wanted, { signal }) => {
    asked.push(signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    throw signal.reason
  }
  const { admit, open } = setUp({ ...LIVE, missed, position: () => toPosition(2) })
  const { response, socket } = await openAnswer(t)
  await admit(admin.userId, response)
  const opened = open(response, FROM_BEFORE)
  while (asked.length === 0) await new Promise(setImmediate)
  socket.destroy()
  await opened
  t.strictSame(
    asked.map(({ aborted }) => aborted),
    [true],
  )
})

t.test('if too many replays wait, a client is asked to come back later', async (t) => {
  const missed = async (): Promise<never> => {
    throw new QueueFull('64 wait for their turn already')
  }
  const { admit, open } = setUp({ ...LIVE, missed, position: () => toPosition(2) })
  const { response, socket } = await openAnswer(t)
  await admit(admin.userId, response)
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString()))
  socket.resume()
  const closed = once(response, 'close')
  await open(response, FROM_BEFORE)
  await closed
  while (!text.includes('30000')) await once(socket, 'data')
  t.match(text, /retry: 30000\n\n/)
})
