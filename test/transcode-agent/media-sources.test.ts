/** Films through the proxy inside an agent, from a fake API server. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import type { Report } from '../../src/ports/report.ts'
import { createMediaSources } from '../../transcode-agent/media-sources.ts'
import { isUnreachable } from '../../transcode-agent/open-media.ts'
import { openMediaFileServer, TOKEN, type MediaFileServer, type MediaFileServerOptions } from '../fixtures/media-file-server.ts'

const BLOCK = 64 * 1024
const content = randomBytes(10 * 1024 * 1024 + 12_345)
const source = { fileId: 'film', path: '/not/here/film.mkv', sizeBytes: content.byteLength, modifiedAtMs: 0, token: TOKEN }
const clock = createSystemClock()

async function openSources(t: Test, apiUrl: string, cacheBytes = 64 * BLOCK) {
  const sources = createMediaSources({ apiUrl, clock, cacheBytes, blockBytes: BLOCK })
  t.teardown(() => sources.close())
  return {
    sources,
    open: async (changes: Partial<typeof source> = {}) => {
      const mediaFile = await sources.open({ ...source, ...changes })
      if (isUnreachable(mediaFile) || mediaFile.input.type !== 'url') throw new Error(JSON.stringify(mediaFile))
      return { ...mediaFile, url: mediaFile.input.url }
    },
  }
}

async function openServer(t: Test, options: Partial<MediaFileServerOptions> = {}): Promise<MediaFileServer> {
  const server = await openMediaFileServer({ mediaFile: () => content, ...options })
  t.teardown(() => server.close())
  return server
}

async function bytesOf(url: string, range: string): Promise<Buffer> {
  const answer = await fetch(url, { headers: { range } })
  return Buffer.from(await answer.arrayBuffer())
}

const lostBy = async ({ lost }: { readonly lost: AbortSignal }): Promise<string> => {
  if (!lost.aborted) await once(lost, 'abort')
  return (lost.reason as Error).message
}

t.test('any range is the bytes of the film, and the server is asked for whole blocks over connections that stay', async (t) => {
  const server = await openServer(t)
  const { open } = await openSources(t, server.url)
  const { url } = await open()
  let seed = 7
  const chance = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let n = 0; n < 60; n++) {
    const first = chance(content.byteLength)
    const last = Math.min(content.byteLength - 1, first + chance(3 * BLOCK))
    const answer = await fetch(url, { headers: { range: `bytes=${first}-${last}` } })
    t.equal(answer.status, 206)
    t.equal(answer.headers.get('content-range'), `bytes ${first}-${last}/${content.byteLength}`)
    t.ok(content.subarray(first, last + 1).equals(Buffer.from(await answer.arrayBuffer())), `${first}-${last}`)
  }
  const tail = content.byteLength - 1000
  t.ok(content.subarray(tail).equals(await bytesOf(url, `bytes=${tail}-`)))
  const all = await fetch(url)
  t.equal(all.status, 200)
  t.ok(content.equals(Buffer.from(await all.arrayBuffer())))
  const [head, firstByte, again, ...ranges] = server.asked
  t.strictSame([head, firstByte, again], ['HEAD', '0-0', 'HEAD'], 'the server is tried before the first film is promised')
  t.ok(ranges.every((range) => Number(range.split('-')[0]) % BLOCK === 0))
  t.ok(server.connections() <= 5, `${server.connections()} connections for ${server.asked.length} requests`)
})

t.test('HEAD, what lies behind the end, and other methods and paths', async (t) => {
  const server = await openServer(t)
  const { open } = await openSources(t, server.url)
  const { url } = await open()
  const head = await fetch(url, { method: 'HEAD' })
  t.match([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')], [200, String(content.byteLength), 'bytes'])
  t.equal((await fetch(url, { headers: { range: `bytes=${content.byteLength}-` } })).status, 416)
  t.equal((await fetch(url, { method: 'POST' })).status, 405)
  t.equal((await fetch(new URL('/film.mkv', url))).status, 404)
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{64}\/film\.mkv$/, 'on this machine alone, and not to be guessed')
})

t.test('nothing of the job but a plain ending of its name gets into the address', async (t) => {
  const { open } = await openSources(t, (await openServer(t)).url)
  for (const path of ['/a/film.-i x', '/a/film.mkv?x', '/a/film', '/a/film.%2e', '/a/.mkv']) {
    t.match((await open({ path })).url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{64}\/film$/, path)
  }
})

t.test('jobs of one film share what was fetched, and a film that is closed is gone', async (t) => {
  const server = await openServer(t)
  const { open } = await openSources(t, server.url, 256 * BLOCK)
  const [one, two] = [await open(), await open()]
  t.not(one.url, two.url)
  await Promise.all([one, two, one, two].map(({ url }) => bytesOf(url, 'bytes=0-300000')))
  const ranges = server.asked.filter((range) => range !== 'HEAD')
  t.equal(new Set(ranges).size, ranges.length, 'each block once')
  one.close()
  t.equal((await fetch(one.url)).status, 404)
  t.equal((await fetch(two.url, { method: 'HEAD' })).status, 200)
})

/** A client that reads nothing after the headers of the response. */
async function stall(url: string) {
  const { port, pathname } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\nRange: bytes=0-\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

t.test('who does not read on is not read ahead for, however long the film is', async (t) => {
  const large = Buffer.alloc(200 * 1024 * 1024)
  const server = await openServer(t, { mediaFile: () => large })
  const sources = createMediaSources({ apiUrl: server.url, clock })
  t.teardown(() => sources.close())
  const mediaFile = await sources.open({ ...source, sizeBytes: large.byteLength })
  if (isUnreachable(mediaFile) || mediaFile.input.type !== 'url') throw new Error('It is there')
  const socket = await stall(mediaFile.input.url)
  for (let before = -1; before !== server.sentBytes(); await pause(300)) before = server.sentBytes()
  // The kernel's buffers (some megabytes), and two blocks of read-ahead.
  t.ok(server.sentBytes() < 40 * 1024 * 1024, `${server.sentBytes()} bytes`)
  socket.destroy()
})

t.test('who reads on has the next blocks fetched ahead, no more than two', async (t) => {
  let open = 0
  let most = 0
  const server = await openServer(t, {
    async instead(_request, response) {
      most = Math.max(most, ++open)
      response.once('close', () => open--)
      await pause(2)
      return false
    },
  })
  const { open: openMovie } = await openSources(t, server.url, 256 * BLOCK)
  const { url } = await openMovie()
  t.ok(content.equals(await bytesOf(url, 'bytes=0-')))
  t.equal(most, 2)
})

t.test('the first bytes of a block are handed on while the others are still to come', async (t) => {
  const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
  const server = await openServer(t, {
    async instead({ method, headers }, response) {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
      if (method === 'HEAD' || first === undefined) return false
      const bytes = content.subarray(Number(first), Number(last) + 1)
      const range = `bytes ${first}-${last}/${content.byteLength}`
      response.writeHead(206, { etag: '"one"', 'content-range': range, 'content-length': bytes.byteLength })
      response.write(bytes.subarray(0, 1_000))
      await rest
      response.end(bytes.subarray(1_000))
      return true
    },
  })
  const { open } = await openSources(t, server.url)
  const { url } = await open()
  const answer = await fetch(url, { headers: { range: `bytes=${5 * BLOCK + 10}-` } })
  const reader = answer.body?.getReader()
  t.ok(content.subarray(5 * BLOCK + 10, 5 * BLOCK + 1_000).equals(Buffer.from((await reader?.read())?.value ?? '')))
  goOn()
  await reader?.cancel()
})

t.test('a film that changes while it is read ends the job, and no byte of the new one is given', async (t) => {
  let etag = '"one"'
  const server = await openServer(t, { etag: () => etag })
  const { open } = await openSources(t, server.url)
  const mediaFile = await open()
  t.ok(content.subarray(0, 1000).equals(await bytesOf(mediaFile.url, 'bytes=0-999')))
  etag = '"two"'
  await t.rejects(bytesOf(mediaFile.url, `bytes=${5 * BLOCK}-`))
  t.equal(await lostBy(mediaFile), 'The film has changed while it was read')
})

t.test('a film of another size than the job was made for ends it', async (t) => {
  const { open } = await openSources(t, (await openServer(t)).url)
  const mediaFile = await open({ sizeBytes: 1000 })
  t.notOk(mediaFile.lost.aborted, 'not before it is read')
  await t.rejects(bytesOf(mediaFile.url, 'bytes=0-999'))
  t.equal(await lostBy(mediaFile), 'The film has changed since it was last looked at')
})

t.test('answers that do not pass end the job at once, each with its reason', async (t) => {
  for (const [status, reason] of [
    [401, 'The server does not let this job read the film any more'],
    [404, 'The film is not on the server any more'],
    [400, 'The server answers 400 when it is asked for the film'],
    [301, 'The server answers 301 when it is asked for the film'],
  ] as const) {
    let isBroken = false
    const server = await openServer(t, {
      instead(_request, response) {
        if (isBroken) response.writeHead(status).end()
        return isBroken
      },
    })
    const { open } = await openSources(t, server.url)
    await bytesOf((await open()).url, 'bytes=0-99')
    isBroken = true
    const before = server.asked.length
    const mediaFile = await open({ fileId: 'other' })
    await t.rejects(bytesOf(mediaFile.url, 'bytes=0-99'))
    t.equal(await lostBy(mediaFile), reason)
    t.ok(server.asked.length - before <= 2)
    await t.rejects(open(), { message: new RegExp(reason) }, 'the next film is not promised before the server was tried')
  }
})

t.test('a server that is restarted, breaks off, or has no room for a moment is waited for', async (t) => {
  let isTroubled = false
  let trouble = 0
  let server = await openServer(t, {
    instead(request, response) {
      if (!isTroubled || request.method === 'HEAD' || trouble++ > 6) return false
      if (trouble % 3 === 0) response.writeHead(503, { 'retry-after': '30' }).end()
      else if (trouble % 3 === 1) request.socket.destroy()
      else
        response
          .writeHead(206, { etag: '"one"', 'content-range': `bytes ${4 * BLOCK}-${5 * BLOCK - 1}/${content.byteLength}` })
          .flushHeaders()
      if (trouble % 3 === 2) setTimeout(() => request.socket.resetAndDestroy(), 5)
      return true
    },
  })
  const { open } = await openSources(t, server.url)
  const mediaFile = await open()
  await bytesOf(mediaFile.url, 'bytes=0-99')
  isTroubled = true
  const first = 4 * BLOCK
  t.ok(content.subarray(first, first + BLOCK).equals(await bytesOf(mediaFile.url, `bytes=${first}-${first + BLOCK - 1}`)))
  const { port } = server
  await server.close()
  const reading = bytesOf(mediaFile.url, `bytes=${8 * BLOCK}-${9 * BLOCK}`)
  await pause(300)
  server = await openMediaFileServer({ mediaFile: () => content, port })
  t.teardown(() => server.close())
  t.ok(content.subarray(8 * BLOCK, 9 * BLOCK + 1).equals(await reading))
  t.notOk(mediaFile.lost.aborted)
})

t.test('a server that was never reached is reported once, and films are refused until it answers', async (t) => {
  const known = await openServer(t)
  const { port, url } = known
  await known.close()
  const clock = createTestClock()
  const lines: string[] = []
  const onError: Report = (cause, level = 'error') => void lines.push(`${level}: ${(cause as Error).message}`)
  const sources = createMediaSources({ apiUrl: url, clock, onError })
  t.teardown(() => sources.close())
  const reason = `A transcode agent cannot fetch films from ${url} (MARQUEE_API_URL): connect ECONNREFUSED 127.0.0.1:${port}`
  t.strictSame(await sources.open(source), { unreachable: reason })
  const server = await openMediaFileServer({ mediaFile: () => content, port })
  t.teardown(() => server.close())
  t.strictSame(await sources.open(source), { unreachable: reason }, 'it is not asked for each film')
  t.strictSame(server.asked, [])
  await clock.advance(5_000)
  t.notOk(isUnreachable(await sources.open(source)))
  t.strictSame(lines, [`warn: ${reason}`, `info: It works again after 5 s: ${reason}`])
})

t.test('a server that does not answer is reported before the answer to the order is due', async (t) => {
  const server = await openServer(t, { instead: () => true })
  const sources = createMediaSources({ apiUrl: server.url, clock })
  t.teardown(() => sources.close())
  const askedAtMs = performance.now()
  t.match(await sources.open(source), { unreachable: /The server does not answer$/ })
  t.ok(performance.now() - askedAtMs < 2_000)
})

t.test('mounted files precede fetched ones; if there is neither, that is reported', async (t) => {
  const path = join(t.testdir({}), 'film.mkv')
  writeFileSync(path, content)
  const { size, mtimeMs } = statSync(path)
  const server = await openServer(t)
  const here = { ...source, path, sizeBytes: size, modifiedAtMs: mtimeMs }
  const { sources } = await openSources(t, server.url)
  t.match(await sources.open(here), { input: { type: 'path', path } })
  t.strictSame(server.asked, [])
  t.match(await sources.open({ ...here, modifiedAtMs: mtimeMs - 60_000 }), { input: { type: 'url' } }, 'another version is not taken')

  const alone = createMediaSources({ clock })
  t.match(await alone.open(here), { input: { type: 'path', path } })
  t.strictSame(await alone.open(source), {
    unreachable: 'The film is not mounted on this agent, and MARQUEE_API_URL names no server to fetch it from',
  })
  t.match(await alone.open({ ...here, sizeBytes: 1 }), { unreachable: /^This agent has another version of the film mounted, and/ })
  await alone.close()
})
