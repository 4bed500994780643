/**
 * Films and cached segments that nginx sends for the server (`MARQUEE_SENDFILE`): the documented configuration and the real nginx, before the
 * HTTP layer on fake services.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { ClientHttp2Session } from 'node:http2'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addStreamRoutes } from '../../../src/http/streaming/streams-routes.ts'
import { createFakePlayback } from '../../fixtures/fake-services/playback.ts'
import { createFakeServer } from '../../fixtures/fake-services/server.ts'
import { ADMIN_TOKEN, ANN_TOKEN, file, session } from '../../fixtures/samples.ts'
import { testFolder } from '../../fixtures/test-folder.ts'
import { serverOf } from '../../http/http-server.ts'
import { ask, reach, type Answer } from './reverse-proxy-client.ts'
import { isMissing, nginx, startProxy } from './reverse-proxy-programs.ts'

const startServer = serverOf(addStreamRoutes, () => ({ ...createFakeServer(), ...createFakePlayback() }))
const FILE = `/api/stream/${session.id}/file`
const SEGMENT = `/api/stream/${session.id}/original/seg-0.m4s`
const content = randomBytes(300_000)
const NAMES = ['plain.mp4', `it's "100%" & more? #1 +x;y.mkv`, 'Amélie – 映画 😀.mp4', 'a%20b%2Fc%00.mp4', '..hidden..mp4']

interface Stage {
  readonly client: ClientHttp2Session
  readonly films: string
  /** A folder that the server hands over, and nginx does not know. */
  readonly unmapped: string
  /** Which file the session plays. */
  readonly play: (path: string) => void
}

/** Of the server's own headers nginx passes on only the documented ones. */
const isSentByNginx = ({ headers }: Answer): boolean => headers['content-security-policy'] === undefined

async function stage(t: Test): Promise<Stage> {
  const root = testFolder(t)
  const [films, cache, unmapped] = [join(root, 'films'), join(root, 'cache'), join(root, 'unmapped')]
  for (const folder of [films, cache, unmapped]) mkdirSync(folder)
  writeFileSync(join(cache, '0.m4s'), 'a cached segment')
  let path = ''
  const server = await startServer(t, {
    config: {
      trustedProxies: ['127.0.0.1'],
      sendfileBy: { header: 'x-accel-redirect:/marquee-files', folders: [films, cache, unmapped] },
    },
    services: (services) => ({
      ...services,
      streams: { ...services.streams, segmentFile: async () => ({ path: join(cache, '0.m4s'), sizeBytes: 16 }) },
      streamAccess: {
        ...services.streamAccess,
        authorize: async (credential, id) => {
          const judged = await services.streamAccess.authorize(credential, id)
          return 'refusal' in judged ? judged : { ...judged, file: { ...file, path } }
        },
      },
    }),
  })
  const changes = [
    [/\/marquee-files\/srv\/films\/ (\{\s+internal;\s+)alias .*;/, `/marquee-files${films}/ { internal; alias ${films}/;`],
    [/\/marquee-files\/var\/lib\/marquee\/cache\/ (\{\s+internal;\s+)alias .*;/, `/marquee-files${cache}/ { internal; alias ${cache}/;`],
  ] as const
  const running = await startProxy(t, nginx, { root, serverUrl: await server.listen(), changes })
  return { client: await reach(t, running), films, unmapped, play: (next) => (path = next) }
}

const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }

t.test('nginx sends films and segments for the server, and only what the server lets it', { timeout: 300_000 }, async (t) => {
  if (isMissing(t, nginx)) return
  const { client, films, unmapped, play } = await stage(t)
  for (const name of NAMES) {
    writeFileSync(join(films, name), content)
    play(join(films, name))
    const whole = await ask(client, FILE, { headers })
    t.match(whole, { status: 200, headers: { 'content-length': '300000', 'accept-ranges': 'bytes', 'content-type': /^video\// } }, name)
    t.ok(whole.body.equals(content) && isSentByNginx(whole), `${name} comes from nginx`)
    t.notOk(whole.headers['x-accel-redirect'], 'the path does not reach the client')
  }
  await checkFilm(t, client)
  await checkRefusals(t, client, films)

  const segment = await ask(client, SEGMENT, { headers })
  t.match(segment, { status: 200, headers: { 'content-type': 'video/iso.segment', 'cache-control': /immutable/ } })
  t.equal(segment.body.toString(), 'a cached segment')
  t.ok(isSentByNginx(segment))
  t.equal((await ask(client, SEGMENT, { headers: { ...headers, range: 'bytes=0-1' } })).body.toString(), 'segment', 'no ranges of segments')

  // The server hands over the second one, too, and is asked again.
  for (const path of [join(films, '../outside.mp4'), join(unmapped, 'unknown.mp4')]) {
    writeFileSync(path, content)
    play(path)
    const whole = await ask(client, FILE, { headers })
    t.ok(whole.body.equals(content) && !isSentByNginx(whole), 'a film that nginx does not have is sent by the server')
    const part = await ask(client, FILE, { headers: { ...headers, range: 'bytes=5-9' } })
    t.match([part.status, part.body], [206, content.subarray(5, 10)])
  }
  play(join(films, 'gone.mp4'))
  t.equal((await ask(client, FILE, { headers })).status, 503, 'one that is gone is no 404')
})

/** The headers are those of the server, whoever sends the bytes. */
async function checkFilm(t: Test, client: ClientHttp2Session): Promise<void> {
  const head = await ask(client, FILE, { headers, method: 'HEAD' })
  const whole = await ask(client, FILE, { headers })
  for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'cache-control', 'x-content-type-options'] as const)
    t.equal(whole.headers[name], head.headers[name], name)
  const etag = String(head.headers.etag)
  for (const [range, first, last] of [
    ['bytes=100-199', 100, 199],
    ['bytes=-10', 299_990, 299_999],
  ] as const) {
    for (const condition of [{}, { 'if-range': etag }]) {
      const part = await ask(client, FILE, { headers: { ...headers, ...condition, range } })
      t.match(part, { status: 206, headers: { 'content-range': `bytes ${first}-${last}/300000`, etag } }, range)
      t.ok(part.body.equals(content.subarray(first, last + 1)))
    }
  }
  const statusOf = async (more: Readonly<Record<string, string>>) => (await ask(client, FILE, { headers: { ...headers, ...more } })).status
  t.equal(await statusOf({ range: 'bytes=300000-' }), 416)
  t.equal(await statusOf({ range: 'bytes=0-1,5-6' }), 200)
  t.equal(await statusOf({ range: 'bytes=0-1', 'if-range': '"other"' }), 200)
  t.equal(await statusOf({ 'if-none-match': etag }), 304)
  t.equal(await statusOf({ 'if-none-match': '"other"' }), 200)
  t.equal(await statusOf({ 'if-modified-since': String(head.headers['last-modified']) }), 304)
  t.equal(await statusOf({ 'if-match': etag }), 200)
  t.equal(await statusOf({ 'if-match': '"other"' }), 412)
}

async function checkRefusals(t: Test, client: ClientHttp2Session, films: string): Promise<void> {
  const strangers = [{ headers: {} }, { headers: { authorization: `Bearer ${ANN_TOKEN}` } }]
  for (const [index, status] of [401, 403].entries()) {
    const refused = await ask(client, FILE, strangers[index])
    t.equal(refused.status, status)
    t.notOk(refused.body.includes(content.subarray(0, 100)))
    t.notMatch(JSON.stringify(refused.headers), films, 'nothing of the path')
  }
  for (const path of [
    `/marquee-files${films}/plain.mp4`,
    `/marquee-files/../marquee-files${films}/plain.mp4`,
    '/marquee-files/etc/passwd',
  ]) {
    const direct = await ask(client, path, { headers })
    t.equal(direct.status, 404, path)
    t.notOk(direct.body.includes(content.subarray(0, 100)))
  }
}
