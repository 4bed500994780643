/** Credentials that open a film for a transcode agent elsewhere, and those that do not. */
import { mkdtempSync, rmSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { FileDocument } from '../../../projections/views/files.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createAgentSources } from '../../../src/app/streaming/agent-sources.ts'
import { signStreamToken } from '../../../src/app/playback/stream-token.ts'
import { createSourceTokens } from '../../../src/app/streaming/source-tokens.ts'
import { ADMIN_TOKEN, file, idOf, library, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { SECRET, serverOf } from '../http-server.ts'
import { addAgentSourceRoutes } from '../../../src/http/streaming/agent-sources-routes.ts'
import { createFakePlayback } from '../../fixtures/fake-services/playback.ts'

const startServer = serverOf(addAgentSourceRoutes, createFakePlayback)

const folder = mkdtempSync(join(tmpdir(), 'marquee-sources-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const URL = `/api/agent/sources/${file.id}`
const OTHER = idOf<'file'>('other')
const content = randomBytes(3_000_000)
const LAST_MODIFIED = 'Fri, 02 Jan 2026 12:00:00 GMT'
const SIX_HOURS_MS = 6 * 3_600_000
const OLDER = 'the one before it, which verifies only'

const as = (token: string) => ({ authorization: `Bearer ${token}` })

/** A server with the real authorization, whose film has these bytes. */
async function serve(t: Test, name: string) {
  const path = join(folder, name)
  writeFileSync(path, content)
  utimesSync(path, new Date(LAST_MODIFIED), new Date(LAST_MODIFIED))
  const known: FileDocument = { ...file, path }
  const files = new Map([known, { ...known, id: OTHER }].map((one) => [one.id as string, one]))
  const libraries = new Map([[library.id as string, library]])
  const time = createTestClock()
  const readModels = { files: { get: async (id: string) => files.get(id) } }
  const tokens = createSourceTokens({ clock: time, secrets: [SECRET, OLDER] })
  const agentSources = createAgentSources({ access: { libraries }, clock: time, readModels, tokens })
  const server = await startServer(t, { config: { rateLimit: 1 }, services: (services) => ({ ...services, agentSources }) })
  return { ...server, path, files, libraries, tokens, time, right: as(tokens.sign(file.id, 'job-1')) }
}

t.test('the token of a job opens its film, whole and in ranges, as often as it likes', async (t) => {
  const server = await serve(t, 'film.mkv')
  const whole = await server.anon('GET', URL, { headers: server.right })
  t.match(whole, {
    status: 200,
    headers: { 'content-length': '3000000', 'accept-ranges': 'bytes', 'content-type': 'video/x-matroska', 'last-modified': LAST_MODIFIED },
  })
  t.ok(whole.bytes.equals(content))
  const etag = whole.headers['etag'] ?? ''
  for (const [range, first, last] of [
    ['bytes=0-99', 0, 99],
    ['bytes=1048570-1048590', 1_048_570, 1_048_590],
    ['bytes=-500', 2_999_500, 2_999_999],
  ] as const) {
    const part = await server.anon('GET', URL, { headers: { ...server.right, range, 'if-range': etag } })
    t.match(part, { status: 206, headers: { 'content-range': `bytes ${first}-${last}/3000000`, etag } }, range)
    t.ok(part.bytes.equals(content.subarray(first, last + 1)), range)
  }
  t.match(await server.anon('GET', URL, { headers: { ...server.right, range: 'bytes=0-9', 'if-range': '"other"' } }), { status: 200 })
  t.match(await server.anon('GET', URL, { headers: { ...server.right, 'if-none-match': etag } }), { status: 304 })
  t.match(await server.anon('GET', URL, { headers: { ...server.right, range: 'bytes=3000000-' } }), { status: 416 })
  const head = await server.anon('HEAD', URL, { headers: server.right })
  t.match(head, { status: 200, text: '', headers: { 'content-length': '3000000', etag } })
})

t.test('everything else is 401, in the words of every route', async (t) => {
  const server = await serve(t, 'closed.mkv')
  const token = server.tokens.sign(file.id, 'job-1')
  const elsewhere = createSourceTokens({ clock: server.time, secrets: [OLDER] })
  const foreign = createSourceTokens({ clock: server.time, secrets: ['another installation has another secret'] })
  t.equal((await server.anon('GET', URL, { headers: as(elsewhere.sign(file.id, 'job-1')) })).status, 200, 'the older secret verifies')
  const claims = { userId: file.id, sessionId: 'job-1', expiresAtSeconds: Math.floor(server.time.now() / 1000) + 60 }
  const cases: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['nothing', URL, {}],
    ['an access token', URL, as(ADMIN_TOKEN)],
    ['a stream token', URL, as(STREAM_TOKEN)],
    ['what the secret itself has signed', URL, as(signStreamToken(SECRET, claims))],
    ['the token of another film', URL, as(server.tokens.sign(OTHER, 'job-1'))],
    ['the token of another installation', URL, as(foreign.sign(file.id, 'job-1'))],
    ['a token that is cut', URL, as(token.slice(0, -1))],
    ['a token that is longer', URL, as(`${token}0`)],
    ['another expiry', URL, as(token.replace(/:(\d+):/, ':9$1:'))],
    ['Basic', URL, { authorization: `Basic ${token}` }],
    ['no scheme', URL, { authorization: token }],
    ['a parameter', `${URL}?token=${token}`, {}],
    ['a cookie', URL, { cookie: `session_token=${token}` }],
    ['an unknown film', `/api/agent/sources/${idOf('unknown')}`, as(token)],
    ['no film at all', '/api/agent/sources/x', as(token)],
  ]
  for (const [what, url, headers] of cases) {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await server.anon(method, url, { headers })
      t.match(answer, { status: 401, headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' } }, `${method} with ${what}`)
      if (method === 'GET') t.equal(answer.text, '{"error":"Missing or invalid authentication"}')
    }
  }
  await server.time.advance(SIX_HOURS_MS)
  t.equal((await server.anon('GET', URL, { headers: server.right })).status, 401, 'one that has run out')
})

t.test('a film that is gone is 404, one on a drive that is away 503', async (t) => {
  const server = await serve(t, 'gone.mkv')
  const status = async () => {
    await server.time.advance(2_000)
    return (await server.anon('GET', URL, { headers: server.right })).status
  }
  t.equal(await status(), 200)
  server.libraries.clear()
  t.equal(await status(), 404, 'its library was removed')
  server.libraries.set(library.id, library)
  const known = server.files.get(file.id)!
  server.files.set(file.id, { ...known, missing: true })
  t.equal(await status(), 404, 'a scan has not found it')
  server.files.delete(file.id)
  t.equal(await status(), 404, 'nothing is known of it')
  server.files.set(file.id, known)
  unlinkSync(server.path)
  await server.time.advance(2_000)
  t.match(await server.anon('GET', URL, { headers: server.right }), { status: 503, headers: { 'retry-after': '30' } })
})

t.test('a long answer is cut when the library goes, and not when the token runs out', async (t) => {
  const server = await serve(t, 'long.mkv')
  truncateSync(server.path, 60_000_000)
  const base = await server.listen()
  const read = async (): Promise<IncomingMessage> => {
    const asked = request(`${base}${URL}`, { agent: false, headers: server.right })
    asked.on('error', () => {})
    asked.end()
    const [answer] = await once(asked, 'response')
    await once(answer, 'readable')
    return answer
  }
  const rest = async (answer: IncomingMessage): Promise<number> => {
    let bytes = 0
    for await (const chunk of answer) bytes += chunk.length
    return bytes
  }
  const slow = await read()
  await server.time.advance(SIX_HOURS_MS - 1000)
  for (let n = 0; n < 5; n++) await server.clock.advance(500)
  await server.time.advance(2_000)
  t.equal(await rest(slow), 60_000_000)
  server.time.setNow(server.time.now() - SIX_HOURS_MS)
  const cut = await read()
  server.libraries.clear()
  await server.clock.advance(500)
  await t.rejects(rest(cut), { code: 'ECONNRESET' })
})

t.test('no token is in the log', async (t) => {
  const server = await serve(t, 'logged.mkv')
  const token = server.tokens.sign(file.id, idOf('job'))
  await server.anon('GET', URL, { headers: as(token) })
  await server.anon('GET', `${URL}?token=${token}`)
  unlinkSync(server.path)
  await server.time.advance(2_000)
  await server.anon('GET', URL, { headers: as(token) })
  t.ok(server.lines.length >= 3)
  t.notMatch(server.lines.join(''), token.slice(-64))
})

t.test('the token of a read opens the file at its path below a folder of a library, and nothing else', async (t) => {
  const server = await serve(t, 'new.mkv')
  server.libraries.set(library.id, { ...library, roots: [{ ...library.roots[0], path: folder }] } as typeof library)
  const get = async (path: string, id?: string) => {
    const { fileId, token } = server.tokens.signPath(path, 'read-1')
    return server.anon('GET', `/api/agent/sources/${id ?? fileId}`, { headers: as(token) })
  }
  const whole = await get(server.path)
  t.equal(whole.status, 200, 'before any scan has told of it')
  t.ok(whole.bytes.equals(content))
  t.equal((await get(server.path, OTHER)).status, 401, 'by another id')
  t.equal((await get('/etc/passwd')).status, 404, 'elsewhere')
  t.equal((await get(`${folder}/../passwd`)).status, 404, 'on a way out')
  t.equal((await get(join(folder, 'away.mkv'))).status, 503, 'its drive may be away')
  server.libraries.clear()
  t.equal((await get(server.path)).status, 404, 'its library is gone')
})
