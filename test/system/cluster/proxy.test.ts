import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freePort } from '../../fakes/server.ts'
import { startProxy, type Passed } from './proxy.ts'

async function aNode(t: Test, answer: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/healthz') outgoing.end('ok')
    else answer(incoming, outgoing)
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

async function before(t: Test, ...nodes: readonly string[]): Promise<string> {
  const proxy = await startProxy({ nodes })
  t.teardown(() => proxy.close())
  return proxy.url
}

const signal = AbortSignal.timeout(20_000)

/** Reads until everything expected has arrived. */
async function heard(socket: Socket, all: RegExp): Promise<string> {
  let said = ''
  while (!all.test(said)) said += String((await once(socket, 'data', { signal }))[0])
  return said
}

t.test('nodes take turns, and hear who asks and under which address', async (t) => {
  const named = (name: string) => aNode(t, ({ headers }, answer) => answer.setHeader('x-node', name).end(JSON.stringify(headers)))
  const url = await before(t, await named('one'), await named('two'))
  const headers = { 'x-forwarded-for': '10.1.2.3', 'x-forwarded-host': 'forged.example' }
  const answers = await Promise.all([1, 2, 3, 4].map(() => fetch(url, { headers, signal })))
  t.strictSame(answers.map((answer) => String(answer.headers.get('x-node'))).toSorted(), ['one', 'one', 'two', 'two'])
  t.match(await answers[0]?.json(), {
    host: new URL(url).host,
    'x-forwarded-for': '10.1.2.3, 127.0.0.1',
    'x-forwarded-host': new URL(url).host,
    'x-forwarded-proto': 'http',
  })
})

t.test('a node that is not there is left out, also for what has a body, until it is back', async (t) => {
  const node = await aNode(t, async (incoming, answer) => void answer.end(await text(incoming)))
  const port = await freePort()
  const url = await before(t, `http://127.0.0.1:${port}`, node)
  for (const body of ['a', 'b', 'c']) t.equal(await (await fetch(url, { method: 'POST', body, signal })).text(), body)
  const other = createServer((_, answer) => void answer.end('the other')).listen(port, '127.0.0.1')
  t.teardown(() => other.close().closeAllConnections())
  let seen = ''
  while (seen !== 'the other') seen = await (await fetch(url, { method: 'POST', body: '-', signal })).text()
  t.pass('it was asked again')
})

t.test('where no node is there the answer says when to come back', async (t) => {
  const url = await before(t, `http://127.0.0.1:${await freePort()}`)
  const answer = await fetch(url, { signal })
  t.equal(answer.status, 503)
  t.match(answer.headers.get('retry-after'), /^\d+$/)
})

t.test('what comes piece by piece goes on piece by piece, and ends where the reader goes', async (t) => {
  let ended = () => {}
  const gone = new Promise<void>((settle) => (ended = settle))
  const node = await aNode(t, (incoming, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    incoming.on('data', (chunk) => answer.write(`data: ${chunk}\n\n`))
    answer.on('close', ended)
  })
  const sending = request(await before(t, node), { method: 'POST' })
  sending.write('first')
  const [response] = await once(sending, 'response', { signal })
  response.setEncoding('utf8')
  t.equal((await once(response, 'data', { signal }))[0], 'data: first\n\n')
  sending.write('second')
  t.equal((await once(response, 'data', { signal }))[0], 'data: second\n\n')
  sending.on('error', () => {}).destroy()
  await gone
})

t.test('an answer that breaks off in the middle breaks off here, too', async (t) => {
  const node = await aNode(t, (_, answer) => {
    answer.writeHead(200, { 'content-length': '100' }).write('the start')
    void sleep(20).then(() => answer.destroy())
  })
  const answer = await fetch(await before(t, node), { signal })
  await t.rejects(answer.text())
})

t.test('statuses, single headers and cookies pass as they are', async (t) => {
  const node = await aNode(t, (_, answer) =>
    answer
      .writeHead(304, [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['etag', '"x"'],
      ])
      .end(),
  )
  const answer = await fetch(await before(t, node), { signal })
  t.equal(answer.status, 304)
  t.strictSame(answer.headers.getSetCookie(), ['a=1', 'b=2'])
  t.equal(answer.headers.get('etag'), '"x"')
})

t.test('a node that closes its connection closes that of the client, who has the answer; other connections stay', async (t) => {
  const url = await before(
    t,
    await aNode(t, ({ url: path, headers }, answer) => {
      if (path === '/upload') answer.writeHead(413, { connection: 'close' }).end('too much')
      else answer.end(headers.connection)
    }),
  )
  const ask = (path: string, body = '') => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nHost: proxy\r\nContent-Length: ${body ? 1e9 : 0}\r\n\r\n${body}`)
    return socket
  }
  const refused = await text(ask('/upload', 'x'.repeat(100_000)))
  t.match(refused, /^HTTP\/1\.1 413 /)
  t.match(refused, /^Connection: close\r$/im)
  t.match(refused, /too much/)
  const kept = ask('/')
  // The headers may arrive alone, and the body a moment later.
  const whole = /^HTTP\/1\.1 200 [^]*Connection: keep-alive\r\n[^]*\r\n\r\n.+/i
  t.match(await heard(kept, whole), whole)
  kept.write('GET / HTTP/1.1\r\nHost: proxy\r\n\r\n')
  t.match(await heard(kept, whole), whole)
  kept.destroy()
})

t.test('a passed request is reported once it is over, with the answer that the client got', async (t) => {
  const node = await aNode(t, ({ url: path }, answer) => {
    if (path === '/whole') return answer.writeHead(404).end('no')
    answer.writeHead(200, { 'content-length': '100' }).write('the start')
    return sleep(20).then(() => answer.destroy())
  })
  const seen: Passed[] = []
  const proxy = await startProxy({ nodes: [node], passed: (one) => seen.push(one) })
  t.teardown(() => proxy.close())
  await (await fetch(`${proxy.url}/whole`, { signal })).text()
  await t.rejects(fetch(`${proxy.url}/broken`, { signal }).then((answer) => answer.text()))
  while (seen.length < 2) await sleep(10)
  t.match(seen, [
    { path: '/whole', status: 404 },
    { path: '/broken', status: 0 },
  ])
  t.ok(seen.every(({ fromMs, toMs }) => toMs >= fromMs))
})

t.test('what is no request is answered, and the proxy goes on', async (t) => {
  const url = await before(t, await aNode(t, (_, answer) => answer.end('well')))
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end('nonsense\r\n\r\n')
  t.match(await text(socket), /^HTTP\/1\.1 400 /)
  t.equal(await (await fetch(url, { signal })).text(), 'well')
})
