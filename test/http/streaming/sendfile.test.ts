import t from 'tap'
import { createSendfile, type SendfileOptions } from '../../../src/http/server/sendfile.ts'
import { ADMIN_TOKEN, session } from '../../fixtures/samples.ts'
import { createFakePlayback } from '../../fixtures/fake-services/playback.ts'
import { createFakeServer } from '../../fixtures/fake-services/server.ts'
import { addStreamRoutes } from '../../../src/http/streaming/streams-routes.ts'
import { serverOf, type TestServer } from '../http-server.ts'

const startServer = serverOf(addStreamRoutes, () => ({ ...createFakeServer(), ...createFakePlayback() }))

const URL = `/api/stream/${session.id}/original/seg-0.m4s`
const PATH = '/cache/0.m4s'

const headerOf = (path: string, header = 'x-accel-redirect:/files', folders: readonly string[] = ['/srv/films', '/cache/']) => {
  const set: string[] = []
  const reply = { header: (...pair: readonly string[]) => void set.push(...pair) }
  const given = createSendfile({ header, folders }).handOver(path, reply as never)
  return given ? set.join(': ') : undefined
}

t.test('a path becomes a header only below the folders, and percent-encoded', async (t) => {
  t.equal(headerOf('/srv/films/a.mp4'), 'x-accel-redirect: /files/srv/films/a.mp4')
  t.equal(headerOf('/srv/films/a.mp4', 'x-sendfile'), 'x-sendfile: /srv/films/a.mp4')
  t.equal(headerOf('/srv/films/a b/100%?#"é\r\n.mp4'), 'x-accel-redirect: /files/srv/films/a%20b/100%25%3F%23%22%C3%A9%0D%0A.mp4')
  const elsewhere = ['/etc/passwd', '/srv/films2/a.mp4', '/srv/films/../secret', '/srv/films/..', 'srv/films/a.mp4', '/srv']
  for (const path of elsewhere) t.equal(headerOf(path), undefined, path)
  t.equal(headerOf('/srv/films/\ud800.mp4'), undefined, 'a name that is no UTF-8')
  t.equal(headerOf(`/srv/films/${'é'.repeat(400)}.mp4`), undefined, 'a header that nginx would not read')
})

async function serve(header = 'x-accel-redirect:/files', trustedProxies: readonly string[] = ['127.0.0.1']): Promise<TestServer<unknown>> {
  const sendfileBy: SendfileOptions = { header, folders: ['/cache'] }
  return startServer(t, {
    config: { sendfileBy, trustedProxies },
    services: (services) => ({
      ...services,
      streams: { ...services.streams, segmentFile: async () => ({ path: PATH, sizeBytes: 7 }) },
    }),
  })
}

const FROM_PROXY = { 'x-forwarded-for': '192.0.2.1', 'x-sendfile-type': 'X-Accel-Redirect' }

t.test('a trusted proxy that announces it gets the header and no body', async () => {
  const server = await serve()
  const res = await server.ask('GET', URL, { headers: FROM_PROXY })
  t.match(res, {
    status: 200,
    text: '',
    headers: { 'x-accel-redirect': '/files/cache/0.m4s', 'content-type': 'video/iso.segment', 'cache-control': /immutable/ },
  })
})

t.test('everybody else gets the bytes and no path', async () => {
  const server = await serve()
  const { 'x-forwarded-for': forwarded, 'x-sendfile-type': type } = FROM_PROXY
  for (const [why, headers] of Object.entries({
    'not through a proxy': { 'x-sendfile-type': type },
    'a proxy that does not send files': { 'x-forwarded-for': forwarded },
    'a proxy that sends them another way': { ...FROM_PROXY, 'x-sendfile-type': 'X-Sendfile' },
    'a range': { ...FROM_PROXY, range: 'bytes=0-1' },
    'a condition that nginx cannot check': { ...FROM_PROXY, 'if-match': '*' },
  })) {
    const res = await server.ask('GET', URL, { headers })
    t.match(res, { status: 200, text: 'segment' }, why)
    t.equal(res.headers['x-accel-redirect'], undefined, why)
  }
  const untrusting = await serve('x-accel-redirect:/files', ['192.0.2.9'])
  t.equal((await untrusting.ask('GET', URL, { headers: FROM_PROXY })).text, 'segment', 'an unknown proxy')
  const head = await server.ask('HEAD', URL, { headers: FROM_PROXY })
  t.match(head, { status: 200, headers: { 'content-length': '7' } })
})

t.test('checks come first', async () => {
  const server = await serve('x-sendfile')
  const headers = { ...FROM_PROXY, 'x-sendfile-type': 'X-Sendfile' }
  t.equal((await server.ask('GET', URL, { headers })).headers['x-sendfile'], PATH)
  for (const credential of [{}, { authorization: 'Bearer nobody' }]) {
    const res = await server.anon('GET', URL, { headers: { ...headers, ...credential } })
    t.match([res.status, res.headers['x-sendfile']], [401, undefined])
  }
  const other = await server.ask('GET', `/api/stream/${ADMIN_TOKEN.slice(0, 21)}/original/seg-0.m4s`, { headers })
  t.match([other.status, other.headers['x-sendfile']], [404, undefined])
})
