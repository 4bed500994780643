/**
 * The configurations in docs/proxies/ with the real proxies: HTTP/2 outside, live events at once, parts of files, HLS, and who asks. Of each
 * configuration only the addresses and the certificate are replaced.
 */
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { execa } from 'execa'
import { spawnBound } from '../../fakes/bound-process.ts'
import { freePort } from '../../fakes/server.ts'
import { makeClip } from '../../fixtures/media-files.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { ADMIN, scannedMovies, signIn, startServer } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const DOCS = join(import.meta.dirname, '../../../docs/proxies')
const PATIENCE_MS = 60_000
/** Not the address of the proxy, so that the server can tell them apart. */
const CLIENT = '127.0.0.2'
const LONG_MS = 30_000

interface Place {
  readonly folder: string
  readonly port: number
  /** For HTTP without TLS. */
  readonly plainPort: number
  readonly server: string
  readonly certificate: string
  readonly key: string
}

interface ProxyProgram {
  readonly name: string
  /** Writes the configuration; gives the arguments. */
  configure(place: Place): readonly string[]
}

/** @throws Error the text is not in the configuration any more */
function replaced(text: string, changes: readonly (readonly [from: RegExp, to: string])[]): string {
  return changes.reduce((result, [from, to]) => {
    if (!from.test(result)) throw new Error(`${from} is not in the configuration`)
    return result.replace(from, () => to)
  }, text)
}

const nginx: ProxyProgram = {
  name: 'nginx',
  configure({ folder, port, plainPort, server, certificate, key }) {
    const site = replaced(readFileSync(join(DOCS, 'nginx.conf'), 'utf8'), [
      [/server 127\.0\.0\.1:8420;/, `server ${server};`],
      [/ {4}listen 80;\n {4}listen \[::\]:80;/, `listen 127.0.0.1:${plainPort};`],
      [/ {4}listen 443 ssl http2;\n {4}listen \[::\]:443 ssl http2;/, `listen 127.0.0.1:${port} ssl http2;`],
      [/ssl_certificate .*;/, `ssl_certificate ${certificate};`],
      [/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}\n${site}\n}\n`
    writeFileSync(join(folder, 'nginx.conf'), main)
    return ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  },
}

const caddy: ProxyProgram = {
  name: 'caddy',
  configure({ folder, port, server, certificate, key }) {
    const site = replaced(readFileSync(join(DOCS, 'Caddyfile'), 'utf8'), [
      [/^media\.example\.org \{$/m, `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
      [/127\.0\.0\.1:8420/, server],
    ])
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
    return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  },
}

for (const proxy of [nginx, caddy]) {
  t.test(`${proxy.name} passes live events at once, parts of files, HLS, and who asks`, { timeout: 300_000 }, async (t) => {
    const program = findProgram(proxy.name)
    const openssl = findProgram('openssl')
    if (program === undefined || openssl === undefined) return tellMissing(t, program === undefined ? proxy.name : 'openssl')
    const root = testFolder(t)
    const server = await household(t, root)
    const place = await placeFor(root, new URL(server.url).host, openssl)
    const child = spawnBound(program, proxy.configure(place), { cwd: place.folder, env: { PATH: process.env['PATH'], HOME: place.folder } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = once(child, 'exit')
    t.teardown(() => (child.kill('SIGTERM'), ended))
    const client = await reach(
      place.port,
      () => child.exitCode === null,
      () => output,
    )
    t.teardown(() => client.destroy())
    await checkProxy(t, client)
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

async function placeFor(root: string, server: string, openssl: string): Promise<Place> {
  const folder = join(root, 'proxy')
  mkdirSync(folder)
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  await execa(openssl, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate, ...subject])
  return { folder, port: await freePort(), plainPort: await freePort(), server, certificate, key }
}

/** A client that speaks HTTP/2 from another address of this machine. */
async function reach(port: number, lives: () => boolean, output: () => string): Promise<ClientHttp2Session> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const tcp = connectTcp({ host: '127.0.0.1', port, localAddress: CLIENT })
    const socket = connectTls({ socket: tcp, servername: 'localhost', rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    const isOpen = await new Promise<boolean>((settle) => {
      tcp.once('error', () => settle(false))
      socket.once('secureConnect', () => settle(true)).once('error', () => settle(false))
    })
    if (isOpen) return connect(`https://localhost:${port}`, { createConnection: () => socket })
    if (!lives() || Date.now() > deadline) throw new Error(`The proxy did not start:\n${output()}`)
    await sleep(50)
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

function open(client: ClientHttp2Session, path: string, headers: Record<string, string> = {}, body?: object) {
  const stream = client.request({
    ':method': body ? 'POST' : 'GET',
    ':path': path,
    ...headers,
    ...(body ? { 'content-type': 'application/json' } : {}),
  })
  stream.end(body ? JSON.stringify(body) : undefined)
  return stream
}

async function ask(client: ClientHttp2Session, path: string, headers: Record<string, string> = {}, body?: object): Promise<Answer> {
  const stream = open(client, path, headers, body)
  const answered = new Promise<IncomingHttpHeaders & { ':status'?: number }>((settle, fail) =>
    stream.once('response', settle).once('error', fail),
  )
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const answer = await answered
  return { status: answer[':status'] ?? 0, headers: answer, body: Buffer.concat(chunks) }
}

const jsonOf = ({ body }: Answer) => JSON.parse(body.toString('utf8')) as Record<string, unknown>

/** Reads a stream of events until this text has come. */
async function heard(stream: ClientHttp2Stream, text: string, sofar: { all: string }): Promise<void> {
  const deadline = Date.now() + LONG_MS
  while (!sofar.all.includes(text)) {
    if (Date.now() > deadline) throw new Error(`${text} did not come: ${sofar.all}`)
    await sleep(10)
  }
  if (stream.destroyed) throw new Error('The stream of events has ended')
}

async function checkProxy(t: Test, client: ClientHttp2Session): Promise<void> {
  const forged = { 'x-forwarded-for': '203.0.113.7' }
  const signedIn = await ask(client, '/api/auth/sign-in/email', forged, ADMIN)
  t.equal(signedIn.status, 200)
  t.match(String(signedIn.headers['set-cookie']), /; Secure/, 'the server knows that the outside is HTTPS')
  const headers = { authorization: `Bearer ${String(jsonOf(signedIn)['token'])}` }
  const logins = (await ask(client, '/api/auth/list-sessions', headers)).body.toString('utf8')
  t.match(logins, `"${CLIENT}"`, 'the login has the address of the client')
  t.notMatch(logins, '203.0.113.7', 'which nobody can forge')

  const events = open(client, '/api/events', headers)
  const sofar = { all: '' }
  events.setEncoding('utf8').on('data', (text: string) => (sofar.all += text))
  await heard(events, 'event: hello', sofar)
  const movies = jsonOf(await ask(client, '/v1/movies', headers))['items'] as { id: string }[]
  const session = jsonOf(await ask(client, '/v1/playback/sessions', headers, { movieId: movies[0]?.id }))
  await heard(events, 'event: playback.started', sofar)
  t.pass('events come while the stream is open')
  events.close()

  const stream = `/api/stream/${String(session['id'])}`
  const whole = await ask(client, `${stream}/file`, headers)
  t.equal(whole.status, 200)
  const part = await ask(client, `${stream}/file`, { ...headers, range: 'bytes=100-199' })
  t.match(part, { status: 206, headers: { 'content-range': `bytes 100-199/${whole.body.length}` } })
  t.ok(part.body.equals(whole.body.subarray(100, 200)))
  await checkHls(t, client, stream, headers)
}

/** From the list of qualities to the bytes of the first segment. */
async function checkHls(t: Test, client: ClientHttp2Session, stream: string, headers: Record<string, string>): Promise<void> {
  const linesOf = async (path: string) => {
    const { status, body } = await ask(client, path, headers)
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
  const { status, body } = await ask(client, segment, headers)
  t.equal(status, 200, segment)
  t.ok(body.includes('moof') || body.includes('ftyp'), `a segment of ${body.length} bytes`)
}
