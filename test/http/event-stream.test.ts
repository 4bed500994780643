import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import type { LiveEvents, LiveListener } from '../../src/app/live-events.ts'
import { toPosition } from '../../src/events/position.ts'
import { openEventStream } from '../../src/http/event-stream.ts'
import { admin } from './fake-services.ts'

t.test('a reader that does not keep up is dropped at 256 KB, and nothing is kept of it', async (t) => {
  const opened = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => opened.resolve(response)).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const response = await opened.promise

  let listener: LiveListener | undefined
  const position = toPosition(1)
  const liveEvents: LiveEvents = {
    position: () => position,
    listen: (one) => {
      listener = one
      return () => (listener = undefined)
    },
    isKnown: async () => true,
    missed: async () => null,
    isFor: () => true,
    callerOf: () => admin,
    feed: { load: async () => position, apply: () => {} },
    run: async () => {},
  }
  const text = 'x'.repeat(32 * 1024)
  const stream = openEventStream(
    response,
    { userId: admin.userId, loginId: admin.loginId, types: [], everyone: false, lastEventId: undefined },
    { liveEvents, frames: { of: () => text, bare: () => '' }, serverVersion: '0' },
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
