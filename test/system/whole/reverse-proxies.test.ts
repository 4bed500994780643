/**
 * The configurations in docs/proxies/ with the real proxies: HTTP/2 outside, live events at once, parts of files, uploads, HLS, and who
 * asks. None of them logs a token.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { makeClip } from '../../fixtures/media-files.ts'
import { testFolder } from '../../fixtures/test-folder.ts'
import { ask, CLIENT, jsonOf, open, reach } from './reverse-proxy-client.ts'
import { isMissing, PROXIES, startProxy, type RunningProxy } from './reverse-proxy-programs.ts'
import { until } from '../../fixtures/until.ts'
import { ADMIN, scannedMovies, signIn, startServer, type RunningServer } from './server-process.ts'

const LONG_MS = 30_000
/** The largest body that the server accepts. */
const UPLOAD_BYTES = 1_048_576

for (const proxy of PROXIES) {
  t.test(`${proxy.name} passes live events at once, parts of files, uploads, HLS, and who asks`, { timeout: 300_000 }, async (t) => {
    if (isMissing(t, proxy)) return
    const root = testFolder(t)
    const server = await household(t, root)
    const running = await startProxy(t, proxy, { root, serverUrl: server.url })
    const client = await reach(t, running)
    // Traefik listens before it knows its routes.
    await until(async () => (await ask(client, '/healthz')).status === 200)
    await checkRedirect(t, running.place.plainPort)
    await checkProxy(t, client, running.place.port)
    await checkLogs(t, client, { proxy: running, server })
  })
}

async function household(t: Test, root: string) {
  const [dataDir, media] = [join(root, 'data'), join(root, 'media')]
  for (const folder of [dataDir, media]) mkdirSync(folder)
  await makeClip({ path: join(media, 'A Film (2001).mp4'), seconds: 20, width: 64, height: 48, fps: 5 })
  const server = await startServer({ dataDir, media, env: { MARQUEE_TRUSTED_PROXIES: '127.0.0.1' } })
  t.teardown(() => server.end('SIGKILL'))
  await scannedMovies(await signIn(server.url))
  return server
}

async function checkRedirect(t: Test, port: number, query = ''): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  get({ host: '127.0.0.1', port, path: `/films${query}`, headers: { host: 'localhost' } }, ({ statusCode, headers: { location } }) =>
    resolve({ statusCode, location }),
  ).once('error', reject)
  const found = (await promise) as { readonly statusCode: number }
  t.ok([301, 308].includes(found.statusCode), String(found.statusCode))
  t.match(found, { location: /^https:\/\/localhost.*\/films(\?.*)?$/ }, 'without TLS everybody is sent to HTTPS')
}

async function checkProxy(t: Test, client: ClientHttp2Session, port: number): Promise<void> {
  const forged = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
  const signedIn = await ask(client, '/api/auth/sign-in/email', { headers: forged, body: ADMIN })
  t.equal(signedIn.status, 200)
  const cookie = String(signedIn.headers['set-cookie'])
  t.match(cookie, /; Secure/, 'the server knows that the outside is HTTPS')
  const headers = { authorization: `Bearer ${String(jsonOf(signedIn)['token'])}` }
  const logins = (await ask(client, '/api/auth/list-sessions', { headers })).body.toString('utf8')
  t.match(logins, `"${CLIENT}"`, 'the login has the address of the client')
  t.notMatch(logins, '203.0.113.7', 'which nobody can forge')

  const events = open(client, '/api/events', { headers })
  const sofar = { all: '' }
  events.setEncoding('utf8').on('data', (text: string) => (sofar.all += text))
  await heard(events, 'event: hello', sofar)
  const movies = jsonOf(await ask(client, '/v1/movies', { headers }))['items'] as { id: string }[]
  const movie = { movieId: movies[0]?.id }
  const fromPage = { ...forged, cookie: cookie.split(';')[0] ?? '', origin: 'https://evil.example' }
  t.equal((await ask(client, '/v1/playback/sessions', { headers: fromPage, body: movie })).status, 403, 'nor the host')
  const fromOwnPage = { ...fromPage, origin: `https://localhost:${port}` }
  const session = jsonOf(await ask(client, '/v1/playback/sessions', { headers: fromOwnPage, body: movie }))
  await heard(events, 'event: playback.started', sofar)
  t.pass('events come while the stream is open')
  events.close()

  const uploaded = await ask(client, '/v1/speedtest', { headers, body: Buffer.alloc(UPLOAD_BYTES) })
  t.match([uploaded.status, jsonOf(uploaded)], [200, { bytes: UPLOAD_BYTES }])
  await checkFile(t, client, `/api/stream/${String(session['id'])}`, headers)
  await checkHls(t, client, `/api/stream/${String(session['id'])}`, headers)
}

async function checkFile(t: Test, client: ClientHttp2Session, stream: string, headers: Record<string, string>): Promise<void> {
  const whole = await ask(client, `${stream}/file`, { headers })
  t.equal(whole.status, 200)
  const part = await ask(client, `${stream}/file`, { headers: { ...headers, range: 'bytes=100-199' } })
  t.match(part, { status: 206, headers: { 'content-range': `bytes 100-199/${whole.body.length}` } })
  t.ok(part.body.equals(whole.body.subarray(100, 200)))
  const head = await ask(client, `${stream}/file`, { headers, method: 'HEAD' })
  t.match(head, { status: 200, headers: { 'content-length': String(whole.body.length), etag: String(whole.headers.etag) } })
}

/** Addresses of streams and events contain tokens: neither an answer, a redirect nor a failure may write them to a log. */
async function checkLogs(t: Test, client: ClientHttp2Session, { proxy, server }: { proxy: RunningProxy; server: RunningServer }) {
  const { folder, plainPort } = proxy.place
  t.equal((await ask(client, '/healthz?token=answered-token')).status, 200)
  await checkRedirect(t, plainPort, '?token=redirected-token')
  await server.end('SIGKILL')
  t.ok([502, 504].includes((await ask(client, '/api/events?token=failed-token')).status))
  const files = readdirSync(folder).filter((name) => name.endsWith('.log'))
  const logged = [proxy.output(), ...files.map((name) => readFileSync(join(folder, name), 'utf8'))].join('\n')
  t.notMatch(logged, /-token/)
  if (files.length > 0) t.match(logged, /"GET \/healthz HTTP\/2.0" 200/, 'the rest of the address is there')
}

/** Reads a stream of events until this text has come. */
async function heard(stream: ClientHttp2Stream, text: string, sofar: { all: string }): Promise<void> {
  const deadline = Date.now() + LONG_MS
  while (!sofar.all.includes(text)) {
    if (Date.now() > deadline) throw new Error(`${text} did not come: ${sofar.all}`)
    await sleep(10)
  }
  if (stream.destroyed) throw new Error('The stream of events has ended')
}

/** From the list of qualities to the bytes of the first segment. */
async function checkHls(t: Test, client: ClientHttp2Session, stream: string, headers: Record<string, string>): Promise<void> {
  const linesOf = async (path: string) => {
    const { status, body } = await ask(client, path, { headers })
    t.equal(status, 200, path)
    return body
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
  }
  const resolved = (base: string, line: string): string => {
    const { pathname, search } = new URL(line, `https://localhost${base}`)
    return `${pathname}${search}`
  }
  const master = `${stream}/master.m3u8`
  const playlist = resolved(master, (await linesOf(master))[0] ?? '')
  const segment = resolved(playlist, (await linesOf(playlist))[0] ?? '')
  const { status, body } = await ask(client, segment, { headers })
  t.equal(status, 200, segment)
  t.ok(body.includes('moof') || body.includes('ftyp'), `a segment of ${body.length} bytes`)
}
