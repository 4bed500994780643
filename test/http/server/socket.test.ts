import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { ADMIN_TOKEN, session } from '../../fixtures/samples.ts'
import { startServer, type TestServer } from '../http-server.ts'

const MEGABYTE = 1_048_576
const json = { 'content-type': 'application/json' }
const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }

async function open(server: TestServer, path: string, headers: Readonly<Record<string, string | number>>): Promise<ClientRequest> {
  return request(`${await server.listen()}${path}`, { method: 'POST', headers, agent: false })
}

async function answerOf(asked: ClientRequest): Promise<{ res: IncomingMessage; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  asked.once('response', resolve).once('error', reject)
  const res = await promise
  let text = ''
  for await (const part of res.setEncoding('utf8')) text += part
  return { res, text }
}

/** Everything received over a bare socket. */
async function talk(server: TestServer, text: string): Promise<string> {
  const socket = connect(Number(new URL(await server.listen()).port), '127.0.0.1')
  socket.write(text)
  return read(socket)
}

async function read(socket: Socket): Promise<string> {
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  await once(socket, 'close')
  return Buffer.concat(parts).toString()
}

t.test('too large a body is refused by its announced size, while the client waits to send it', async (t) => {
  const server = await startServer(t)
  const asked = await open(server, '/v1/libraries', { ...json, 'content-length': 50 * MEGABYTE })
  asked.write('{"pad":"')
  const { res, text } = await answerOf(asked)
  t.match(res, { statusCode: 413, headers: { connection: 'close', 'content-type': /^application\/json/ } })
  t.equal(text, '{"error":"The request body is larger than 1 MB"}')
  asked.destroy()
})

t.test('a client that sends all of it without looking gets the answer too, not a reset connection', async (t) => {
  const server = await startServer(t)
  for (let n = 0; n < 5; n++) {
    const asked = await open(server, '/v1/libraries', { ...json, 'content-length': 6 * MEGABYTE })
    asked.end(Buffer.alloc(6 * MEGABYTE, 'x'))
    t.equal((await answerOf(asked)).res.statusCode, 413)
  }
})

t.test('a body whose size is not announced is counted', async (t) => {
  const server = await startServer(t)
  for (const [bytes, status] of [
    [MEGABYTE + 1, 413],
    [4 * MEGABYTE, 413],
  ] as const) {
    const asked = await open(server, '/v1/libraries', { ...json, ...admin, 'transfer-encoding': 'chunked' })
    for (let left = bytes; left > 0; left -= 65_536) asked.write(Buffer.alloc(Math.min(left, 65_536), ' '))
    asked.end()
    const { res, text } = await answerOf(asked)
    t.equal(res.statusCode, status)
    t.match(text, /^\{"error":/)
  }
  const asked = await open(server, '/v1/libraries', { ...json, ...admin, 'transfer-encoding': 'chunked' })
  asked.write('{"name":"Films","paths":["/a"]}')
  asked.end(Buffer.alloc(MEGABYTE - 31, ' '))
  t.equal((await answerOf(asked)).res.statusCode, 201, 'exactly 1 MB')
})

t.test('a client that goes in the middle of its body leaves no error in the log', async (t) => {
  const server = await startServer(t)
  const came = once(server.app.server, 'request')
  const asked = await open(server, '/v1/libraries', { ...json, ...admin, 'content-length': 1000 })
  asked.on('error', () => {})
  asked.write('{"name":')
  await came
  await pause(50)
  asked.destroy()
  for (let n = 0; n < 500 && !server.lines.some((line) => line.includes('/v1/libraries')); n++) await pause(20)
  const line = server.lines.find((text) => text.includes('/v1/libraries'))
  t.equal(JSON.parse(line ?? '{}').level, 30)
})

t.test('what is no HTTP is 400 in the shape of all errors, and the connection closed', async (t) => {
  const server = await startServer(t)
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const answer = await talk(server, text)
    t.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, text.slice(0, 20))
    t.match(answer, /\r\nConnection: close\r\n[\s\S]*\r\n\r\n\{"error":"[^"]+"\}$/)
  }
})

t.test('a URL of ten thousand characters is unknown, not an error', async (t) => {
  const server = await startServer(t)
  t.match(
    await talk(
      server,
      `GET /v1/movies/${'x'.repeat(10_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`,
    ),
    /^HTTP\/1\.1 404 /,
  )
})

t.test('a request without a body leaves its connection open for the next', async (t) => {
  const server = await startServer(t)
  const ask = (last: boolean) => `GET /healthz HTTP/1.1\r\nHost: x\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
  t.equal((await talk(server, ask(false) + ask(true))).match(/HTTP\/1\.1 200/g)?.length, 2)
})

t.test('closing answers what is under way and what waits, and refuses what comes', async (t) => {
  const began = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const waits = Promise.withResolvers<void>()
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      libraries: {
        ...services.libraries,
        list: async () => {
          began.resolve()
          await finish.promise
          return { items: [], next: null }
        },
      },
      streams: {
        ...services.streams,
        master: () => {
          waits.resolve()
          return new Promise(() => {})
        },
      },
    }),
  })
  const base = await server.listen()
  const late = connect(Number(new URL(base).port), '127.0.0.1')
  await once(late, 'connect')
  const waiting = fetch(`${base}/api/stream/${session.id}/master.m3u8`, { headers: admin })
  const underWay = fetch(`${base}/v1/libraries`, { headers: admin })
  await Promise.all([began.promise, waits.promise])
  const closed = server.app.close()
  await pause(20)
  late.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  const refused = await read(late)
  t.match(refused, /^HTTP\/1\.1 503 /)
  t.match(refused, /retry-after: \d+\r\n/i)
  t.match(refused, /\{"error":"The server is shutting down"\}$/)
  const told = await waiting
  t.equal(told.status, 503)
  t.equal(told.headers.get('retry-after'), '5')
  t.strictSame(await told.json(), { error: 'The server is shutting down' })
  finish.resolve()
  const answered = await underWay
  t.equal(answered.status, 200)
  t.strictSame(await answered.json(), { items: [], nextCursor: null })
  await closed
})

t.test('closing waits three seconds at most', async (t) => {
  const began = Promise.withResolvers<void>()
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      libraries: {
        ...services.libraries,
        list: () => {
          began.resolve()
          return new Promise(() => {})
        },
      },
    }),
  })
  const stuck = fetch(`${await server.listen()}/v1/libraries`, { headers: admin }).catch(() => 'cut')
  await began.promise
  const closed = server.app.close()
  await server.clock.advance(3000)
  await closed
  t.equal(await stuck, 'cut')
})

t.test('an expectation that nobody knows is no reason to refuse a request', async (t) => {
  const server = await startServer(t)
  t.match(await talk(server, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200 /)
})
