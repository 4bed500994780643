/** Plain connections: headers and bodies in any pieces, invalid responses, and silent servers. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createRangeClient, type Question } from '../../transcode-agent/range-client.ts'

const BODY = 'the bytes of a film'

/** Answers each request with the script; records the requests. */
async function open(t: Test, answer: (socket: Socket, request: string, connection: number) => void | Promise<void>, path = '') {
  const sockets = new Set<Socket>()
  const asked: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    const connection = sockets.size
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      asked.push(bytes.toString('latin1'))
      void answer(socket, bytes.toString('latin1'), connection)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clock = createTestClock()
  const client = createRangeClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, clock })
  t.teardown(() => {
    client.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { client, clock, asked, sockets }
}

function question(changes: Partial<Question> = {}) {
  const into = Buffer.alloc(BODY.length)
  const { signal } = new AbortController()
  const asking: Question = {
    method: 'GET',
    path: '/film',
    headers: {},
    into,
    checkHead: () => undefined,
    came: () => undefined,
    signal,
    ...changes,
  }
  return { asking, into }
}

const pause = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const whole = `HTTP/1.1 206 Partial Content\r\nContent-Length: ${BODY.length}\r\nETag:"one" \r\n\r\n${BODY}`

const chunked = `HTTP/1.1 206 Partial Content\r\nTransfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`

t.test('an answer is the same in whatever pieces it comes', async (t) => {
  for (const size of [1, 7, 64, whole.length]) {
    const { client } = await open(t, async (socket) => {
      socket.setNoDelay(true)
      for (let at = 0; at < whole.length; at += size) {
        socket.write(whole.slice(at, at + size))
        await pause()
      }
    })
    let came = 0
    const { asking, into } = question({ came: (bytes) => (came += bytes) })
    const head = await client.ask(asking)
    t.strictSame([head.statusCode, head.headers.etag, into.toString(), came], [206, '"one"', BODY, BODY.length], `pieces of ${size}`)
  }
})

t.test('the next request goes over the same connection, unless the server closes it', async (t) => {
  const { client, asked, sockets } = await open(
    t,
    (socket, _request, connection) => {
      socket.write(connection === 1 && asked.length === 2 ? whole.replace('ETag', 'Connection: close\r\nETag') : whole)
    },
    '/below',
  )
  for (let n = 0; n < 3; n++) await client.ask(question({ headers: { range: `bytes=${n}-` } }).asking)
  t.equal(sockets.size, 2)
  t.match(asked[0], /^GET \/below\/film HTTP\/1\.1\r\nrange: bytes=0-\r\n/)
})

t.test('an answer to HEAD has no body, and interim answers are skipped', async (t) => {
  const { client } = await open(t, (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 123456\r\n\r\n')
  })
  for (let n = 0; n < 2; n++) {
    const head = await client.ask(question({ method: 'HEAD', into: Buffer.alloc(0) }).asking)
    t.strictSame([head.statusCode, head.headers['content-length']], [200, '123456'])
  }
})

for (const [answer, message] of [
  ['SSH-2.0-OpenSSH\r\n\r\n', /^Parse Error/],
  [
    whole.replace(/Content-Length: \d+/, 'Content-Length: 5').slice(0, 5 - BODY.length),
    'The server does not send as much as it was asked for',
  ],
  [whole.replace(/Content-Length: \d+/, 'Content-Length: 27') + 'and more', 'The server sends more than it was asked for'],
] as const) {
  t.test(`no body is taken from an answer that is none: ${message}, ${answer.slice(0, 60).replaceAll(/\s+/g, ' ')}`, async (t) => {
    const { client } = await open(t, (socket) => void socket.write(answer))
    await t.rejects(client.ask(question().asking), { message })
  })
}

t.test('a chunked length is accepted', async (t) => {
  const { client } = await open(t, (socket) => void socket.write(chunked))
  const { asking, into } = question()
  await client.ask(asking)
  t.equal(into.toString(), BODY)
})

t.test('a body that breaks off is an error, and what came of it is there', async (t) => {
  const { client } = await open(t, (socket) => void socket.end(whole.slice(0, -4)))
  const { asking, into } = question()
  await t.rejects(client.ask(asking), { message: 'The server broke off' })
  t.equal(into.toString('latin1').replaceAll('\0', ''), BODY.slice(0, -4))
})

t.test('who refuses an answer gets nothing of it', async (t) => {
  const { client } = await open(t, (socket) => void socket.write(whole))
  const checkHead = (): never => {
    throw new Error('Not that one')
  }
  const { asking, into } = question({ checkHead })
  await t.rejects(client.ask(asking), { message: 'Not that one' })
  t.ok(into.every((byte) => byte === 0))
})

t.test('a server that says nothing for ten seconds is not waited for, however long it has been sending', async (t) => {
  const { client, clock, sockets } = await open(t, (socket) => void socket.write(whole.slice(0, -4)))
  const came = Promise.withResolvers<void>()
  const asking = client.ask(question({ came: () => came.resolve() }).asking)
  const failed = t.rejects(asking, { message: 'The server does not answer' })
  await came.promise
  await clock.advance(9_000)
  t.equal([...sockets].filter(({ destroyed }) => destroyed).length, 0, 'still waited for')
  await clock.advance(2_000)
  await failed
})

t.test('an end of interest ends the request and its connection', async (t) => {
  const { client, sockets } = await open(t, () => undefined)
  const gone = new AbortController()
  const asking = client.ask(question({ signal: gone.signal }).asking)
  while (sockets.size === 0) await pause()
  gone.abort(new Error('gone'))
  await t.rejects(asking, { message: 'gone' })
  await once([...sockets][0]!, 'close')
})
