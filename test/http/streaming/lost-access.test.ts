/** After a sign-out or a revoked grant, open responses end with the access. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { refuse, type Refusal } from '../../../src/domain/refusal.ts'
import type { HttpServices } from '../../../src/http/server/app.ts'
import { file, session, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-lost-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const path = join(folder, 'film.mp4')
const SIZE = 60_000_000
writeFileSync(path, '')
truncateSync(path, SIZE)

const BASE = `/api/stream/${session.id}`
const never = (): Promise<never> => new Promise(() => {})

/** A server whose session may lose its access. */
async function serve(t: Test, streams: Partial<HttpServices['streams']> = {}) {
  const lost: { refusal?: Refusal } = {}
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      streams: { ...services.streams, ...streams },
      streamAccess: {
        ...services.streamAccess,
        authorize: async () => lost.refusal ?? { session, file: { ...file, path } },
        holds: () => lost.refusal === undefined,
      },
    }),
  })
  const base = await server.listen()
  const get = async (name: string): Promise<IncomingMessage> => {
    const asked = request(`${base}${BASE}/${name}?token=${STREAM_TOKEN}`, { agent: false })
    asked.end()
    asked.on('error', () => {})
    const [res] = await once(asked, 'response')
    return res
  }
  return { ...server, get, lose: (refusal: Refusal) => void (lost.refusal = refusal) }
}

const GONE = refuse('not-found', 'There is no such playback session')

async function read(res: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of res) bytes += chunk.length
  return bytes
}

/** So much that the kernel has room for more, whatever its buffers are. */
async function readSome(res: IncomingMessage): Promise<number> {
  let bytes = 0
  while (bytes < SIZE / 30) {
    const chunk: unknown = res.read()
    if (Buffer.isBuffer(chunk)) bytes += chunk.length
    else await once(res, 'readable')
  }
  return bytes
}

t.test('a film that is being downloaded is cut within half a second of the loss', async (t) => {
  const server = await serve(t)
  const res = await server.get('file')
  t.match(res, { statusCode: 200, headers: { 'content-length': String(SIZE) } })
  await once(res, 'readable')
  server.lose(GONE)
  await server.clock.advance(500)
  await t.rejects(read(res), { code: 'ECONNRESET' })
  t.match(await server.get('file'), { statusCode: 404 })
})

t.test('a server that closes waits for no film', async (t) => {
  const server = await serve(t)
  const res = await server.get('file')
  await once(res, 'readable')
  // Time stands still: nothing ends by a timeout.
  await server.app.close()
  await t.rejects(read(res), { code: 'ECONNRESET' })
})

t.test('as long as access holds and something of it is taken now and then, a download may take all night', async (t) => {
  const server = await serve(t)
  const res = await server.get('file')
  let bytes = 0
  for (let n = 0; n < 20; n++) {
    bytes += await readSome(res)
    await server.clock.advance(60_000)
  }
  t.equal(bytes + (await read(res)), SIZE)
})

t.test('a download of which nothing is taken for two minutes is cut', async (t) => {
  const server = await serve(t)
  const res = await server.get('file')
  await once(res, 'readable')
  const connections = promisify(server.app.server.getConnections.bind(server.app.server))
  let waitedMs = 0
  while ((await connections()) > 0) {
    await server.clock.advance(500)
    waitedMs += 500
  }
  t.ok(waitedMs >= 120_000, `cut after ${waitedMs} ms`)
  await t.rejects(read(res), { code: 'ECONNRESET' })
})

t.test('a large segment that is taken slowly is not cut', async (t) => {
  const server = await serve(t, { segment: async () => Buffer.alloc(SIZE) })
  const res = await server.get('original/seg-0.m4s')
  let bytes = 0
  for (let n = 0; n < 3; n++) {
    bytes += await readSome(res)
    await server.clock.advance(60_000)
  }
  t.equal(bytes + (await read(res)), SIZE)
})

t.test('two hundred unread downloads of one session hold twenty-four files, and the session goes on when they have ended', async (t) => {
  const server = await serve(t)
  const opened = await Promise.all(Array.from({ length: 200 }, () => server.get('file')))
  const held = opened.filter(({ statusCode }) => statusCode === 200)
  const refused = opened.filter(({ statusCode }) => statusCode === 429)
  t.strictSame([held.length, refused.length], [24, 176])
  t.ok(refused.every(({ headers }) => Number(headers['retry-after']) >= 1))
  held[0]?.destroy()
  for (let status = 429; status === 429;) {
    const again = await server.get('file')
    status = again.statusCode ?? 0
    again.destroy()
  }
})

t.test('a large segment that a slow player is still fetching is cut', async (t) => {
  const server = await serve(t, { segment: async () => Buffer.alloc(30_000_000) })
  const res = await server.get('original/seg-0.m4s')
  await once(res, 'readable')
  server.lose(GONE)
  await server.clock.advance(500)
  await t.rejects(read(res), { code: 'ECONNRESET' })
})

for (const [what, name, streams] of [
  ['a segment', 'original/seg-0.m4s', { segment: never }],
  ['an init segment', 'original/init.mp4', { init: never }],
  ['a master playlist', 'master.m3u8', { master: never }],
  ['a playlist', 'original/playlist.m3u8', { mediaPlaylist: never }],
  ['subtitles', 'subtitles/0.vtt', { subtitle: never }],
] as const) {
  t.test(`a client that waits for ${what} gets at once what a new request would get`, async (t) => {
    for (const [refusal, statusCode] of [
      [GONE, 404],
      [refuse('unauthenticated', 'Missing or invalid authentication'), 401],
    ] as const) {
      const server = await serve(t, streams)
      const answer = server.get(name)
      await server.clock.settle()
      await new Promise((resolve) => setTimeout(resolve, 50))
      server.lose(refusal)
      await server.clock.advance(500)
      t.match(await answer, { statusCode })
    }
  })
}

t.test('the making of what nobody may have any more is called off', async (t) => {
  const signals: AbortSignal[] = []
  const server = await serve(t, {
    segment: ({ signal }) => {
      signals.push(signal)
      return never()
    },
  })
  const answer = server.get('original/seg-0.m4s')
  while (signals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  server.lose(GONE)
  await server.clock.advance(500)
  t.ok(signals[0]?.aborted)
  t.match(await answer, { statusCode: 404 })
})
