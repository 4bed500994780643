/** The sender of webhooks against real sockets: which addresses it reaches, and what it makes of answers. */
import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createWebhookSender, type Resolve, type WebhookSenderOptions } from '../../../src/adapters/node/webhook-sender.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'

/** A name server that always gives these addresses. */
const names =
  (...addresses: readonly string[]): Resolve =>
  (_host, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

const HERE = ['127.0.0.0/8', '::1']
const never = new AbortController().signal

const senderOf = (more: Partial<WebhookSenderOptions> = {}) => createWebhookSender({ clock: createSystemClock(), allow: HERE, ...more })
const to = (url: string) => ({ url, headers: { 'x-one': '1' }, body: '{"film":"Größe"}' })

async function receiver(t: Test, listener: RequestListener): Promise<string> {
  const server = createHttp(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** A server that answers the first bytes of each connection. */
async function raw(t: Test, answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const NOT_PUBLIC = /not public/

t.test('an address that is not public is refused in every notation', async (t) => {
  const sender = senderOf({ allow: [] })
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '192.0.0.192',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:1::]',
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
  ]) {
    t.match(sender.fault(`http://${host}:8123/hook`), NOT_PUBLIC, host)
    t.match(await sender.send(to(`http://${host}:8123/hook`), never), { type: 'failed', reason: NOT_PUBLIC }, host)
  }
  for (const host of ['1.1.1.1', '[2606:4700::1]', '[64:ff9b::1.1.1.1]', 'example.org'])
    t.equal(sender.fault(`https://${host}/`), undefined, host)
})

t.test('other schemes, and URLs with a user name or without end, are refused', async (t) => {
  const sender = senderOf()
  for (const url of ['ftp://example.org', 'file:///etc/passwd', 'example.org', '', `https://example.org/${'x'.repeat(2000)}`]) {
    t.match(sender.fault(url), /no http or https/, url.slice(0, 30))
  }
  t.match(sender.fault('https://ann:secret@example.org'), /user name/)
})

t.test('a name that leads to an address that is not public is not connected to', async (t) => {
  let connections = 0
  const url = await receiver(t, (_request, response) => {
    connections++
    response.end()
  })
  const named = url.replace('127.0.0.1', 'rebound.example')
  for (const addresses of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
    const resolve = names(...addresses)
    t.match(await senderOf({ allow: [], resolve }).send(to(named), never), { type: 'failed', reason: NOT_PUBLIC }, addresses.join())
  }
  t.equal(connections, 0)
})

t.test('a name that does not exist is a failure, with the name server of the system, too', async (t) => {
  const failed = { type: 'failed', reason: /^cannot be reached \(E[A-Z_]+\)$/ } as const
  t.match(await senderOf().send(to('https://webhook.invalid/token'), never), failed)
  // As Node calls back: without a list.
  const resolve: Resolve = (_host, done) => done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), undefined as never)
  t.match(await senderOf({ resolve }).send(to('https://webhook.invalid/token'), never), {
    type: 'failed',
    reason: 'cannot be reached (ENOTFOUND)',
  })
})

t.test('each connection looks its name up once, and goes where that look-up was allowed to lead', async (t) => {
  let connections = 0
  const url = await receiver(t, (_request, response) => {
    connections++
    response.end()
  })
  const asked: string[] = []
  // The name server first names an allowed address, at which nothing answers, and then the receiver's, which is not allowed.
  const resolve: Resolve = (host, done) => names(asked.push(host) === 1 ? '127.0.0.2' : '127.0.0.1')(host, done)
  const sender = senderOf({ allow: ['127.0.0.2'], resolve })
  const named = url.replace('127.0.0.1', 'rebound.example')
  t.match(await sender.send(to(named), never), { type: 'failed', reason: 'cannot be reached (ECONNREFUSED)' })
  t.match(await sender.send(to(named), never), { type: 'failed', reason: NOT_PUBLIC })
  t.strictSame(asked, ['rebound.example', 'rebound.example'])
  t.equal(connections, 0)
})

t.test('an allowed network is reached, by address and by name', async (t) => {
  const requests: IncomingMessage[] = []
  const bodies: string[] = []
  const url = await receiver(t, (request, response) => {
    requests.push(request)
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      bodies.push(body)
      response.writeHead(204).end()
    })
  })
  t.strictSame(await senderOf().send(to(url), never), { type: 'answered', status: 204, pauseMs: undefined })
  const resolve = names('127.0.0.1')
  t.match(await senderOf({ resolve }).send(to(url.replace('127.0.0.1', 'house.local')), never), { status: 204 })
  t.match(requests[0], { method: 'POST', url: '/hook', headers: { 'x-one': '1', 'user-agent': 'Marquee', 'content-length': '18' } })
  t.strictSame(bodies, ['{"film":"Größe"}', '{"film":"Größe"}'])
})

t.test('a redirect is an answer, and is not followed', async (t) => {
  let followed = 0
  const target = await receiver(t, (_request, response) => {
    followed++
    response.end()
  })
  const url = await receiver(t, (_request, response) => response.writeHead(307, { location: target }).end())
  t.match(await senderOf().send(to(url), never), { type: 'answered', status: 307 })
  t.equal(followed, 0)
})

t.test('the pause that a receiver asks for is read in seconds and as a date', async (t) => {
  const clock = createTestClock()
  const answers = ['120', new Date(clock.now() + 60_000).toUTCString(), 'soon']
  const url = await receiver(t, (_request, response) => response.writeHead(503, { 'retry-after': answers.shift() }).end())
  const sender = senderOf({ clock })
  t.match(await sender.send(to(url), never), { status: 503, pauseMs: 120_000 })
  t.match(await sender.send(to(url), never), { status: 503, pauseMs: 60_000 })
  t.match(await sender.send(to(url), never), { status: 503, pauseMs: undefined })
})

t.test('a receiver that hangs is given up after ten seconds', async (t) => {
  const clock = createTestClock()
  const arrived = Promise.withResolvers<void>()
  const url = await receiver(t, () => arrived.resolve())
  const sent = senderOf({ clock }).send(to(url), never)
  await arrived.promise
  await clock.advance(9_999)
  t.equal(await Promise.race([sent, Promise.resolve('waits')]), 'waits')
  await clock.advance(1)
  t.strictSame(await sent, { type: 'failed', reason: 'gave no answer within 10 s' })
})

t.test('a status counts although the body never ends, is endless, or breaks off', async (t) => {
  const clock = createTestClock()
  const begun = Promise.withResolvers<void>()
  const hanging = await raw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')
    begun.resolve()
  })
  const sent = senderOf({ clock }).send(to(hanging), never)
  await begun.promise
  // The first bytes have to arrive before the time is over.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(10_000)
  t.match(await sent, { type: 'answered', status: 200 })

  let sentBytes = 0
  const endless = await raw(t, (socket) => {
    socket.write('HTTP/1.1 202 Accepted\r\n\r\n')
    const more = (): void => {
      sentBytes += 65_536
      if (!socket.destroyed) socket.write(Buffer.alloc(65_536), more)
    }
    more()
  })
  t.match(await senderOf().send(to(endless), never), { type: 'answered', status: 202 })
  t.ok(sentBytes < 100_000_000, 'it does not read on')

  const broken = await raw(t, (socket) => socket.end('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nx'))
  t.match(await senderOf().send(to(broken), never), { type: 'answered', status: 201 })
})

t.test('what is no answer is a failure, whose reason names no part of the URL', async (t) => {
  const closed = await raw(t, (socket) => socket.destroy())
  const garbage = await raw(t, (socket) => socket.end('two hundred, I promise\r\n\r\n'))
  const headers = await raw(t, (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`))
  const switched = await raw(t, (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'))
  for (const url of [closed, garbage, headers, switched, 'http://127.0.0.1:9/token']) {
    const answer = await senderOf().send(to(url), never)
    t.match(answer, { type: 'failed', reason: /^(cannot be reached \([A-Z_]+\)|broke off)$/ }, JSON.stringify(answer))
  }
})

t.test('a stopped server ends the request at once', async (t) => {
  const stop = new AbortController()
  const url = await receiver(t, () => stop.abort(new Error('stopped')))
  await t.rejects(senderOf().send(to(url), stop.signal), /stopped/)
})
