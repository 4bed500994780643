import { connect } from 'node:net'
import { once } from 'node:events'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { takesGzip } from '../../../src/http/server/text-response.ts'
import { ADMIN_TOKEN, ANN_TOKEN, file, idOf, session, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'
import { isServedAs } from './served-as.ts'

const BASE = `/api/stream/${session.id}`
const NAMES = [
  'master.m3u8',
  'original/playlist.m3u8',
  'original/init.mp4',
  'original/seg-0.m4s',
  'original/iframes.m3u8',
  'original/iframe-0.m4s',
  'audio-0-aac/seg-0.m4s',
  'subtitles/0.vtt',
  'subtitles/0.m3u8',
  'subtitles/0-3.vtt',
]

t.test('header, query and cookie open every stream; nothing else does', async (t) => {
  const server = await startServer(t)
  for (const name of NAMES) {
    const url = `${BASE}/${name}`
    for (const [suffix, headers] of [
      ['', { authorization: `Bearer ${ADMIN_TOKEN}` }],
      ['', { authorization: `bearer ${STREAM_TOKEN}` }],
      ['', { cookie: `session_token=${ADMIN_TOKEN}` }],
      [`?token=${ADMIN_TOKEN}`, {}],
      [`?token=${STREAM_TOKEN}`, {}],
      [`?token=${encodeURIComponent(STREAM_TOKEN)}`, {}],
      ['?token=nonsense', { authorization: `Bearer ${STREAM_TOKEN}` }],
    ] as const) {
      t.equal((await server.anon('GET', url + suffix, { headers })).status, 200, `${name} ${suffix} ${Object.keys(headers).join()}`)
    }
    for (const [suffix, headers] of [
      ['', {}],
      ['?token=', {}],
      ['?token=nonsense', { cookie: `session_token=${ADMIN_TOKEN}` }],
      [`?token=${ADMIN_TOKEN}&token=${ADMIN_TOKEN}`, {}],
      [`?Token=${ADMIN_TOKEN}`, {}],
      [`?token=${ADMIN_TOKEN}`, { authorization: 'Bearer nonsense' }],
    ] as const) {
      const res = await server.anon('GET', url + suffix, { headers })
      t.match(
        res,
        { status: 401, text: /^\{"error":"[^"]+"\}$/, headers: { 'www-authenticate': 'Bearer', 'content-type': /json/ } },
        `${name} ${suffix}`,
      )
    }
    t.equal((await server.anon('GET', `${url}?token=${ANN_TOKEN}`)).status, 403, 'another user')
    t.equal((await server.ask('GET', `/api/stream/${idOf('unknown')}/${name}`)).status, 404, 'another session')
  }
})

t.test('no stream of a session whose file was replaced, but the file itself', async (t) => {
  const replaced = { ...session, fingerprint: 'of another film' }
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      streamAccess: {
        ...services.streamAccess,
        authorize: async () => ({ session: replaced, file: { ...file, path: import.meta.filename } }),
      },
    }),
  })
  for (const name of NAMES)
    t.match(await server.ask('GET', `${BASE}/${name}`), { status: 404, text: /was replaced: start a new session/ }, name)
  t.equal((await server.ask('GET', `${BASE}/file`)).status, 200)
})

t.test('each kind has its type and how long it may be kept', async (t) => {
  const server = await startServer(t)
  for (const [name, type, cache] of [
    ['master.m3u8', 'application/vnd.apple.mpegurl', 'private, no-store'],
    ['original/playlist.m3u8', 'application/vnd.apple.mpegurl', 'private, no-store'],
    ['original/init.mp4', 'video/mp4', 'private, max-age=14400, immutable'],
    ['audio-1/init.mp4', 'audio/mp4', 'private, max-age=14400, immutable'],
    ['original/seg-0.m4s', 'video/iso.segment', 'private, max-age=14400, immutable'],
    ['original/iframes.m3u8', 'application/vnd.apple.mpegurl', 'private, no-store'],
    ['original/iframe-0.m4s', 'video/iso.segment', 'private, max-age=14400, immutable'],
    ['subtitles/0.vtt', 'text/vtt; charset=utf-8', 'private, max-age=14400, immutable'],
    ['subtitles/0.m3u8', 'application/vnd.apple.mpegurl', 'private, no-store'],
  ] as const) {
    await isServedAs(t, server, { url: `${BASE}/${name}`, type, cache })
  }
  t.equal((await server.ask('GET', `${BASE}/nothing/seg-0.m4s`)).headers['cache-control'], 'no-store')
  for (const name of ['audio-0/iframes.m3u8', 'audio-0/iframe-0.m4s', 'original/iframe-1.m4s'])
    t.equal((await server.ask('GET', `${BASE}/${name}`)).status, 404, name)
})

t.test('playlists carry the stream token, whatever opened them', async (t) => {
  const server = await startServer(t)
  for (const headers of [{ authorization: `Bearer ${ADMIN_TOKEN}` }, { cookie: `session_token=${ADMIN_TOKEN}` }]) {
    const { text } = await server.anon('GET', `${BASE}/master.m3u8`, { headers })
    t.match(text, `?token=${STREAM_TOKEN}`)
    t.notMatch(text, ADMIN_TOKEN)
  }
})

t.test('playlists are gzip-encoded for those who take it, segments never', async (t) => {
  const server = await startServer(t)
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const res = await server.ask('GET', `${BASE}/original/playlist.m3u8`, { headers })
  t.match(res.headers, { 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'content-length': String(res.bytes.length) })
  t.match(gunzipSync(res.bytes).toString(), /^#EXTM3U[\s\S]*#EXT-X-ENDLIST/)
  t.equal((await server.ask('GET', `${BASE}/original/seg-0.m4s`, { headers })).headers['content-encoding'], undefined)
  for (const [header, takes] of [
    [undefined, false],
    ['', false],
    ['br', false],
    ['gzip', true],
    ['GZIP;q=0.5', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000', false],
    ['*', true],
    ['*;q=0', false],
    ['gzip;q=0, *', false],
    ['identity, gzip', true],
  ] as const) {
    t.equal(takesGzip(header), takes, String(header))
  }
})

t.test('pages elsewhere may read what carries its own token, without credentials; by header or cookie they may not', async (t) => {
  const server = await startServer(t)
  const elsewhere = { origin: 'http://elsewhere.example' }
  for (const name of ['master.m3u8', 'original/seg-0.m4s', 'nothing/x']) {
    const open = (await server.anon('GET', `${BASE}/${name}?token=${STREAM_TOKEN}`, { headers: elsewhere })).headers
    t.match(open, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': /Content-Range/,
      'cross-origin-resource-policy': 'cross-origin',
    })
    t.equal(open['access-control-allow-credentials'], undefined)
    for (const headers of [{ authorization: `Bearer ${STREAM_TOKEN}` }, { cookie: `session_token=${ADMIN_TOKEN}` }]) {
      const closed = (await server.anon('GET', `${BASE}/${name}`, { headers: { ...elsewhere, ...headers } })).headers
      t.match(closed, { 'access-control-allow-origin': undefined, 'cross-origin-resource-policy': 'same-origin' })
    }
  }
  const preflight = await server.anon('OPTIONS', `${BASE}/file?token=${STREAM_TOKEN}`, {
    headers: { ...elsewhere, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' },
  })
  t.match(preflight, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': /Range/,
    },
  })
  t.equal((await server.anon('GET', '/v1/movies?token=x', { headers: elsewhere })).headers['access-control-allow-origin'], undefined)
})

t.test('origins that the operator names may call the API, others may not', async (t) => {
  const server = await startServer(t, { config: { corsOrigins: ['https://tv.example'] } })
  const headersFor = async (origin: string) => (await server.ask('GET', '/v1/movies', { headers: { origin } })).headers
  t.match(await headersFor('https://tv.example'), { 'access-control-allow-origin': 'https://tv.example', vary: /Origin/ })
  t.equal((await headersFor('https://tv.example'))['access-control-allow-credentials'], undefined)
  t.equal((await headersFor('https://other.example'))['access-control-allow-origin'], undefined)
  const none = await startServer(t)
  t.equal(
    (await none.ask('GET', '/v1/movies', { headers: { origin: 'https://tv.example' } })).headers['access-control-allow-origin'],
    undefined,
  )
})

t.test('names that are not those of a stream are 404, and no service hears of them', async (t) => {
  const heard: string[] = []
  const note = async (): Promise<undefined> => void heard.push('asked')
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      streams: {
        master: note,
        mediaPlaylist: note,
        init: note,
        segment: note,
        segmentFile: async () => undefined,
        iframePlaylist: note,
        iframe: note,
        subtitle: note,
        subtitlePlaylist: note,
        subtitlePiece: note,
      },
    }),
  })
  for (const name of [
    'nothing',
    'Original/playlist.m3u8',
    '1080/playlist.m3u8',
    '999p/playlist.m3u8',
    'original/other.m3u8',
    'original/init.mp3',
    'original/seg-0.ts.m4s',
    'original/seg-00.m4s',
    'original/seg--1.m4s',
    'original/seg-1e3.m4s',
    'original/seg-0.m4s.',
    'original/seg-0.m4s%00',
    'original/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    'original/..%5c..%5cwindows',
    'original/%252e%252e%252fpasswd',
    'original/%2fetc%2fpasswd',
    'original/..',
    'original/seg-0.m4s/x',
    'original/iframe-00.m4s',
    'original/iframe-0.mp4',
    '999p/iframes.m3u8',
    'subtitles/iframes.m3u8',
    'file/seg-0.m4s',
    'subtitles/playlist.m3u8',
    'subtitles/99999.vtt',
    'subtitles/0.srt',
    'subtitles/..%2f0.vtt',
    'trickplay/thumbnails.vtt',
    'audio-00/init.mp4',
    'audio-0-mp3/init.mp4',
    '%6friginal%00/init.mp4',
    `original/${'x'.repeat(8000)}`,
  ]) {
    const res = await server.ask('GET', `${BASE}/${name}`)
    t.match(res, { status: 404, text: /^\{"error":"[^"]+"\}$/ }, name)
  }
  t.strictSame(heard, [])
  t.equal((await server.ask('GET', `${BASE}/%6fringinal/init.mp4`)).status, 404)
})

t.test('over a bare socket, too, a path is taken as it is', async (t) => {
  const server = await startServer(t)
  const { port } = new URL(await server.listen())
  for (const path of [`${BASE}/../../../../etc/passwd`, `${BASE}/original/../file`, '//etc/passwd', `${BASE}/./file`]) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\nConnection: close\r\n\r\n`)
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    await once(socket, 'close')
    t.match(Buffer.concat(parts).toString(), /^HTTP\/1\.1 404 /, path)
  }
})

t.test('what cannot be made at the moment is 503 with its reason and when to ask again', async (t) => {
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      streams: { ...services.streams, segment: async () => ({ unavailable: 'All transcoders are busy', retryAfterSeconds: 2 }) },
    }),
  })
  t.match(await server.ask('GET', `${BASE}/original/seg-0.m4s`), {
    status: 503,
    text: '{"error":"All transcoders are busy"}',
    headers: { 'retry-after': '2' },
  })
})

t.test('a client that goes while a segment is made stops the making, without an error in the log', async (t) => {
  const began = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<unknown>()
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      streams: {
        ...services.streams,
        segment: async ({ signal }) => {
          began.resolve()
          await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))).catch((cause: unknown) => {
            stopped.resolve(cause)
            throw cause
          })
          return undefined
        },
      },
    }),
  })
  const gone = new AbortController()
  const asked = fetch(`${await server.listen()}${BASE}/original/seg-0.m4s?token=${STREAM_TOKEN}`, { signal: gone.signal }).catch(
    () => 'gone',
  )
  await began.promise
  gone.abort()
  t.equal(await asked, 'gone')
  t.match(await stopped.promise, { name: 'AbortError' })
  await new Promise((resolve) => setImmediate(resolve))
  const line = server.lines.find((text) => text.includes('seg-0'))
  t.match(JSON.parse(line ?? '{}'), { level: 30, aborted: true })
})

t.test('an access token in use on streams is activity of its login', async (t) => {
  const touched: string[] = []
  const server = await startServer(t, {
    services: (services) => ({ ...services, signIns: { ...services.signIns, touch: async ({ loginId }) => touched.push(loginId) > 0 } }),
  })
  await server.ask('GET', `${BASE}/master.m3u8`)
  await server.anon('GET', `${BASE}/master.m3u8?token=${STREAM_TOKEN}`)
  const byCookie = await server.anon('GET', `${BASE}/master.m3u8`, { headers: { cookie: `session_token=${ADMIN_TOKEN}` } })
  t.strictSame(touched, [session.loginId, session.loginId])
  t.match(byCookie.headers['set-cookie'], /^session_token=/)
})
