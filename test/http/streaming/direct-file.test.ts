import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { file, session, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { serverOf, type TestServer } from '../http-server.ts'
import { addStreamRoutes } from '../../../src/http/streaming/streams-routes.ts'
import { createFakeServer } from '../../fixtures/fake-services/server.ts'
import { createFakePlayback } from '../../fixtures/fake-services/playback.ts'

const startServer = serverOf(addStreamRoutes, () => ({ ...createFakeServer(), ...createFakePlayback() }))

const folder = mkdtempSync(join(tmpdir(), 'marquee-http-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const URL = `/api/stream/${session.id}/file`
const content = randomBytes(3_000_000)
const LAST_MODIFIED = 'Fri, 02 Jan 2026 12:00:00 GMT'

/** A server whose session plays a file of these bytes. */
async function serve(t: Test, name: string, bytes: Buffer | undefined): Promise<TestServer<unknown> & { path: string }> {
  const path = join(folder, name)
  if (bytes) {
    writeFileSync(path, bytes)
    utimesSync(path, new Date(LAST_MODIFIED), new Date(LAST_MODIFIED))
  }
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      streamAccess: {
        ...services.streamAccess,
        authorize: async (credential, id) => {
          const judged = await services.streamAccess.authorize(credential, id)
          return 'refusal' in judged ? judged : { ...judged, file: { ...file, path } }
        },
      },
    }),
  })
  return { ...server, path }
}

t.test('the whole file, its parts, and what cannot be given', async (t) => {
  const server = await serve(t, 'film.mp4', content)
  const whole = await server.ask('GET', URL)
  t.match(whole, {
    status: 200,
    headers: {
      'content-length': '3000000',
      'accept-ranges': 'bytes',
      'content-type': 'video/mp4',
      'last-modified': LAST_MODIFIED,
      etag: /^"[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"$/,
    },
  })
  t.ok(whole.bytes.equals(content))
  t.notOk(whole.headers['content-range'] ?? whole.headers['content-encoding'])

  for (const [range, first, last] of [
    ['bytes=0-99', 0, 99],
    ['bytes=1048570-1048590', 1_048_570, 1_048_590],
    ['bytes=2999950-', 2_999_950, 2_999_999],
    ['bytes=-500', 2_999_500, 2_999_999],
    ['bytes=0-', 0, 2_999_999],
    ['bytes=2999990-9999999', 2_999_990, 2_999_999],
  ] as const) {
    const res = await server.ask('GET', URL, { headers: { range, 'accept-encoding': 'gzip, br' } })
    t.match(
      res,
      { status: 206, headers: { 'content-range': `bytes ${first}-${last}/3000000`, 'content-length': String(last - first + 1) } },
      range,
    )
    t.ok(res.bytes.equals(content.subarray(first, last + 1)), `bytes of ${range}`)
  }
  for (const range of ['bytes=3000000-', 'bytes=-0']) {
    const res = await server.ask('GET', URL, { headers: { range } })
    t.match(
      res,
      { status: 416, text: /^\{"error":"[^"]+"\}$/, headers: { 'content-range': 'bytes */3000000', 'content-type': /json/ } },
      range,
    )
  }
  for (const range of ['bytes=5-4', 'bytes=0-1,5-6', 'items=0-1']) {
    t.match(await server.ask('GET', URL, { headers: { range } }), { status: 200, headers: { 'content-length': '3000000' } }, range)
  }
})

t.test('HEAD returns the length, reads nothing, and ignores ranges', async (t) => {
  const server = await serve(t, 'head.mkv', content)
  for (const headers of [{}, { range: 'bytes=0-9' }]) {
    const res = await server.ask('HEAD', URL, { headers })
    t.match(res, {
      status: 200,
      text: '',
      headers: { 'content-length': '3000000', 'accept-ranges': 'bytes', 'content-type': 'video/x-matroska' },
    })
    t.notOk(res.headers['content-range'])
  }
})

t.test('conditions: 304, 412, and ranges of the very version only', async (t) => {
  const server = await serve(t, 'conditions.mp4', content)
  const { etag = '' } = (await server.ask('HEAD', URL)).headers
  const status = async (headers: Readonly<Record<string, string>>) => (await server.ask('GET', URL, { headers })).status
  for (const headers of [
    { 'if-none-match': etag },
    { 'if-none-match': `"x", ${etag}` },
    { 'if-none-match': '*', range: 'bytes=0-9' },
    { 'if-modified-since': LAST_MODIFIED },
  ]) {
    t.match(await server.ask('GET', URL, { headers }), { status: 304, text: '', headers: { etag } })
  }
  t.equal(await status({ 'if-match': '"other"' }), 412)
  t.equal(await status({ 'if-match': etag }), 200)
  t.equal(await status({ 'if-unmodified-since': 'Fri, 02 Jan 2026 11:59:59 GMT' }), 412)
  t.equal(await status({ range: 'bytes=0-9', 'if-range': etag }), 206)
  t.equal(await status({ range: 'bytes=0-9', 'if-range': LAST_MODIFIED }), 206)
  t.equal(await status({ range: 'bytes=0-9', 'if-range': `W/${etag}` }), 200)
  t.equal(await status({ range: 'bytes=0-9', 'if-range': '"other"' }), 200)
})

t.test('every combination of ranges and conditions gets its status and headers', async (t) => {
  const server = await serve(t, 'table.mp4', content)
  const { etag = '' } = (await server.ask('HEAD', URL)).headers
  const range = 'bytes=0-9'
  const EARLIER = 'Fri, 02 Jan 2026 11:59:59 GMT'
  const LATER = 'Fri, 02 Jan 2026 12:00:01 GMT'
  const table: readonly (readonly [method: 'GET' | 'HEAD', headers: Readonly<Record<string, string>>, status: number])[] = [
    ['GET', { range }, 206],
    ['GET', { range: 'bytes=3000000-' }, 416],
    ['GET', { range: 'bytes=3000000-', 'if-range': '"other"' }, 200],
    ['GET', { range: 'bytes=3000000-', 'if-range': etag }, 416],
    ['GET', { range: 'bytes=0-1,5-6' }, 200],
    ['GET', { range, 'if-range': etag }, 206],
    ['GET', { range, 'if-range': `W/${etag}` }, 200],
    ['GET', { range, 'if-range': LAST_MODIFIED }, 206],
    ['GET', { range, 'if-range': LATER }, 200],
    ['GET', { range, 'if-range': EARLIER }, 200],
    ['GET', { range, 'if-range': 'yesterday' }, 200],
    ['GET', { 'if-range': etag }, 200],
    ['GET', { range, 'if-none-match': etag }, 304],
    ['GET', { range, 'if-none-match': `W/${etag}` }, 304],
    ['GET', { range, 'if-none-match': '"other"' }, 206],
    ['GET', { range, 'if-none-match': '"other"', 'if-modified-since': LATER }, 206],
    ['GET', { range, 'if-modified-since': LAST_MODIFIED }, 304],
    ['GET', { range, 'if-modified-since': EARLIER }, 206],
    ['GET', { range, 'if-match': etag }, 206],
    ['GET', { range, 'if-match': `"other", ${etag}` }, 206],
    ['GET', { range, 'if-match': '*' }, 206],
    ['GET', { range, 'if-match': `W/${etag}` }, 412],
    ['GET', { range, 'if-match': '"other"', 'if-none-match': etag }, 412],
    ['GET', { range, 'if-unmodified-since': LAST_MODIFIED }, 206],
    ['GET', { range, 'if-unmodified-since': EARLIER }, 412],
    ['GET', { range, 'if-match': etag, 'if-unmodified-since': EARLIER }, 206],
    ['HEAD', { range }, 200],
    ['HEAD', { range: 'bytes=3000000-' }, 200],
    ['HEAD', { 'if-none-match': etag }, 304],
    ['HEAD', { 'if-match': '"other"' }, 412],
  ]
  for (const [method, headers, status] of table) {
    const res = await server.ask(method, URL, { headers })
    t.equal(res.status, status, `${method} ${JSON.stringify(headers)}`)
    t.equal(res.headers['content-range'], { 206: 'bytes 0-9/3000000', 416: 'bytes */3000000' }[status])
  }
})

/** Hears of each read of a file handle in this process: the memory that it fills, and how much of it. */
async function watchReads(t: Test, path: string): Promise<readonly { readonly memory: unknown; readonly length: unknown }[]> {
  const handle = await open(path, 'r')
  const handles = Object.getPrototypeOf(handle) as object
  await handle.close()
  const read = Reflect.get(handles, 'read') as (...args: unknown[]) => unknown
  const reads: { memory: unknown; length: unknown }[] = []
  Reflect.set(handles, 'read', function (this: unknown, ...args: unknown[]) {
    reads.push({ memory: args[0], length: args[2] })
    return Reflect.apply(read, this, args)
  })
  t.teardown(() => Reflect.set(handles, 'read', read))
  return reads
}

t.test('a film is read in large pieces into the same few buffers', async (t) => {
  const path = join(folder, 'pieces.mp4')
  writeFileSync(path, '')
  truncateSync(path, 20 * 1024 * 1024)
  const server = await serve(t, 'pieces.mp4', undefined)
  const reads = await watchReads(t, path)
  for await (const _ of await get(await server.listen()));
  const lengths = reads.map(({ length }) => Number(length)).filter((length) => length > 0)
  t.equal(lengths[0], 256 * 1024)
  t.ok(lengths.length <= 81)
  t.ok(lengths.every((length) => length <= 512 * 1024))
  // Of both sizes.
  t.ok(new Set(reads.map(({ memory }) => memory)).size <= 8)
})

t.test('for a client that takes nothing, pieces stay small', async (t) => {
  const path = join(folder, 'untaken.mp4')
  writeFileSync(path, '')
  truncateSync(path, 400_000_000)
  const server = await serve(t, 'untaken.mp4', undefined)
  const reads = await watchReads(t, path)
  const res = await get(await server.listen())
  res.pause()
  let seen = -1
  // Until nothing more is read.
  for (; seen !== reads.length; await pause(200)) seen = reads.length
  t.strictSame(reads.at(-1)?.length, 256 * 1024)
  res.destroy()
  t.ok(await becomes(() => openFiles(path) === 0))
})

t.test('bytes stay as they are in the file, however slow the client is and whatever else is sent', async (t) => {
  const film = randomBytes(24_000_000)
  const server = await serve(t, 'slow.mp4', film)
  const base = await server.listen()
  const slow = await get(base)
  const part = await get(base, { range: 'bytes=1000000-19999999' })
  const parts: Buffer[] = []
  const whole: Buffer[] = []
  for await (const chunk of part) parts.push(chunk as Buffer)
  for await (const chunk of slow) {
    whole.push(chunk as Buffer)
    if (whole.length % 100 === 0) await pause(5)
  }
  t.ok(Buffer.concat(parts).equals(film.subarray(1_000_000, 20_000_000)))
  t.ok(Buffer.concat(whole).equals(film))
})

t.test('a file that changes has another tag', async (t) => {
  const server = await serve(t, 'changes.mp4', content)
  const before = (await server.ask('HEAD', URL)).headers['etag']
  writeFileSync(server.path, content)
  t.not((await server.ask('HEAD', URL)).headers['etag'], before, 'the same size, another time')
})

t.test('an empty file is empty, and no range of it can be given', async (t) => {
  const server = await serve(t, 'empty.mp4', Buffer.alloc(0))
  t.match(await server.ask('GET', URL), { status: 200, text: '', headers: { 'content-length': '0' } })
  t.match(await server.ask('GET', URL, { headers: { range: 'bytes=0-' } }), { status: 416, headers: { 'content-range': 'bytes */0' } })
})

t.test('a file that is away is 503 with Retry-After; so is a folder in its place', async (t) => {
  const away = await serve(t, 'away.mp4', undefined)
  t.match(await away.ask('GET', URL), { status: 503, headers: { 'retry-after': /^[1-9]\d*$/ }, text: /^\{"error":"[^"]+"\}$/ })
  t.notMatch((await away.ask('GET', URL)).text, /away\.mp4/)
  const inside = await serve(t, '.', undefined)
  t.equal((await inside.ask('GET', URL)).status, 503)
})

const openFiles = (path: string) =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return statSync(`/proc/self/fd/${fd}`).ino === statSync(path).ino
    } catch {
      return false
    }
  }).length

/** Settles when the condition holds, within two seconds. */
async function becomes(holds: () => boolean): Promise<boolean> {
  for (let n = 0; n < 500 && !holds(); n++) await pause(20)
  return holds()
}

async function get(base: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
  const asked = request(`${base}${URL}?token=${STREAM_TOKEN}`, { headers, agent: false })
  asked.end()
  const [res] = await once(asked, 'response')
  return res
}

t.test('a client that goes closes the file and logs no error; one that does not read fills no memory', async (t) => {
  const big = join(folder, 'big.mp4')
  writeFileSync(big, '')
  truncateSync(big, 400_000_000)
  const server = await serve(t, 'big.mp4', undefined)
  const base = await server.listen()
  const before = process.memoryUsage().rss
  const res = await get(base)
  res.pause()
  t.ok(await becomes(() => openFiles(big) === 1), 'the file is open')
  await pause(200)
  t.ok(process.memoryUsage().rss - before < 100_000_000, 'back-pressure')
  res.destroy()
  t.ok(await becomes(() => openFiles(big) === 0), 'the file is closed')
  const logged = () => server.lines.filter((line) => line.includes('/file'))
  t.ok(await becomes(() => logged().length === 1))
  t.match(JSON.parse(logged()[0] ?? ''), { level: 30, status: 200, aborted: true })
  t.notMatch(server.lines.join(''), /token=[^[]/)
})

t.test('every way to answer closes the file', async (t) => {
  const server = await serve(t, 'closed.mp4', content)
  const base = await server.listen()
  for (const headers of [{}, { range: 'bytes=0-9' }, { range: 'bytes=9999999-' }, { 'if-none-match': '*' }, { 'if-match': '"x"' }]) {
    const res = await get(base, headers)
    for await (const _ of res);
  }
  await server.ask('HEAD', URL)
  t.ok(await becomes(() => openFiles(server.path) === 0))
})

t.test('a file cut short while it is sent breaks the connection instead of leaving the client waiting', async (t) => {
  const path = join(folder, 'cut.mp4')
  writeFileSync(path, '')
  truncateSync(path, 100_000_000)
  const server = await serve(t, 'cut.mp4', undefined)
  const res = await get(await server.listen())
  res.once('data', () => truncateSync(path, 1_000_000))
  await t.rejects(
    async () => {
      for await (const _ of res);
    },
    { code: 'ECONNRESET' },
  )
})
