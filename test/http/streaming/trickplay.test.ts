import t from 'tap'
import type { TrickplayPlan } from '../../../src/vocabulary/trickplay.ts'
import type { HttpServices } from '../../../src/http/server/app.ts'
import { presentSession } from '../../../src/http/playback/session-presenter.ts'
import { ADMIN_TOKEN, ANN_TOKEN, file, idOf, playable, session, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { serverOf } from '../http-server.ts'
import { addStreamRoutes } from '../../../src/http/streaming/streams-routes.ts'
import { createFakeServer } from '../../fixtures/fake-services/server.ts'
import { createFakePlayback } from '../../fixtures/fake-services/playback.ts'
import { isServedAs } from './served-as.ts'

const startServer = serverOf(addStreamRoutes, () => ({ ...createFakeServer(), ...createFakePlayback() }))

const BASE = `/api/stream/${session.id}/trickplay`
const FILES = ['thumbnails.vtt', 'plan.json', '320.m3u8', '320-0.jpg']
const plan: TrickplayPlan = {
  intervalMs: 10_000,
  width: 320,
  height: 180,
  columns: 10,
  rows: 10,
  durationMs: 35_000,
  ptsMs: [0, 10_400, 19_500, 31_000],
  sheetBytes: [9],
}

/** With trickplay of the session's file. */
const withSet = <Services extends Pick<HttpServices, 'trickplay'>>(services: Services): Services => ({
  ...services,
  trickplay: {
    plan: async ({ fingerprint, libraryId }) => (fingerprint === file.fingerprint && libraryId === file.libraryId ? plan : undefined),
    sheet: async (_file, { width, sheet }) => (width === 320 && sheet === 0 ? Buffer.from('the sheet') : undefined),
  },
})

t.test('header, query and cookie open each file; nothing else does, and no other user', async (t) => {
  const server = await startServer(t, { services: withSet })
  for (const name of FILES) {
    const url = `${BASE}/${name}`
    for (const [suffix, headers] of [
      ['', { authorization: `Bearer ${ADMIN_TOKEN}` }],
      ['', { cookie: `session_token=${ADMIN_TOKEN}` }],
      [`?token=${STREAM_TOKEN}`, {}],
    ] as const) {
      t.equal((await server.anon('GET', url + suffix, { headers })).status, 200, `${name} ${suffix}`)
    }
    t.equal((await server.anon('GET', url)).status, 401)
    t.equal((await server.anon('GET', `${url}?token=nonsense`)).status, 401)
    t.equal((await server.anon('GET', `${url}?token=${ANN_TOKEN}`)).status, 403, 'another user')
    t.equal((await server.ask('GET', `/api/stream/${idOf('unknown')}/trickplay/${name}`)).status, 404, 'another session')
  }
})

t.test('each file has its type and how long it may be kept, and tokens in them are fresh ones', async (t) => {
  const server = await startServer(t, { services: withSet })
  for (const [name, type, cache] of [
    ['thumbnails.vtt', 'text/vtt; charset=utf-8', 'private, no-store'],
    ['plan.json', 'application/json; charset=utf-8', 'private, no-store'],
    ['320.m3u8', 'application/vnd.apple.mpegurl', 'private, no-store'],
    ['320-0.jpg', 'image/jpeg', 'private, max-age=14400, immutable'],
  ] as const) {
    const res = await isServedAs(t, server, { url: `${BASE}/${name}`, type, cache })
    t.notMatch(res.text, ADMIN_TOKEN)
    if (name === '320-0.jpg') t.equal(res.text, 'the sheet')
    else t.match(res.text, `320-0.jpg?token=${STREAM_TOKEN}`, name)
  }
  t.match((await server.ask('GET', `${BASE}/plan.json`)).json(), { interval: 10, w: 320, h: 180, cols: 10, rows: 10, sheets: 1 })
})

t.test('absent is 404, never an empty WebVTT', async (t) => {
  const server = await startServer(t)
  for (const name of FILES) {
    t.match(await server.ask('GET', `${BASE}/${name}`), {
      status: 404,
      text: /^\{"error":"[^"]+"\}$/,
      headers: { 'cache-control': 'no-store' },
    })
  }
  t.notMatch((await server.ask('GET', `/api/stream/${session.id}/master.m3u8`)).text, 'IMAGE-STREAM')
})

t.test('names that are none are 404, and nobody is asked for them', async (t) => {
  const heard: string[] = []
  const note = async (): Promise<undefined> => void heard.push('asked')
  const server = await startServer(t, { services: (services) => ({ ...services, trickplay: { plan: note, sheet: note } }) })
  for (const name of [
    'thumbnails.vtt.',
    'Thumbnails.vtt',
    'plan.json%00',
    '..%2fplan.json',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '%252e%252e%252fplan.json',
    '320-00.jpg',
    '320--1.jpg',
    '320-0.jpg.',
    '320-1e3.jpg',
    '0-0.jpg',
    '320.m3u8%0a',
    '320-0.jpg/x',
  ]) {
    t.equal((await server.ask('GET', `${BASE}/${name}`)).status, 404, name)
  }
  t.strictSame(heard, [])
  const there = await startServer(t, { services: withSet })
  for (const name of ['160.m3u8', '160-0.jpg', '320-1.jpg']) t.equal((await there.ask('GET', `${BASE}/${name}`)).status, 404, name)
})

t.test('the master playlist names the image playlist where there is one', async (t) => {
  const server = await startServer(t, { services: withSet })
  const { text } = await server.ask('GET', `/api/stream/${session.id}/master.m3u8`)
  t.match(text, `\n#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=3,RESOLUTION=320x180,CODECS="jpeg",URI="trickplay/320.m3u8?token=${STREAM_TOKEN}"\n`)
})

t.test('a session says where its thumbnails are, and null where there are none', (t) => {
  const token = { token: STREAM_TOKEN, expiresAt: '2026-01-02T16:00:00.000Z' }
  t.equal(presentSession(playable, token).trickplayUrl, null)
  t.equal(presentSession({ ...playable, hasTrickplay: true }, token).trickplayUrl, `${BASE}/thumbnails.vtt`)
  t.end()
})
