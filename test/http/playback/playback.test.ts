import t from 'tap'
import type { NewSession, PlayableSession } from '../../../src/app/playback/playback-types.ts'
import { isRefusal, refuse } from '../../../src/domain/refusal.ts'
import type { HttpServices } from '../../../src/http/server/app.ts'
import { isTokenDue } from '../../../src/app/playback/stream-token.ts'
import { admin, ANN_TOKEN, file, idOf, movie, session, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { NOW } from '../../fixtures/folded.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'
import { startServer } from '../http-server.ts'

const URL = '/v1/playback/sessions'
const ONE = `${URL}/${session.id}`
const asAnn = { headers: { authorization: `Bearer ${ANN_TOKEN}` } }

const COMMON = {
  id: session.id,
  sessionId: session.id,
  userId: admin.userId,
  movieId: movie.id,
  fileId: file.id,
  state: 'active',
  playState: 'paused',
  position: 0,
  duration: 60,
  resumePosition: 1.831,
  masterPlaylistUrl: `/api/stream/${session.id}/master.m3u8`,
  fileUrl: `/api/stream/${session.id}/file`,
  trickplayUrl: null,
  decision: { method: 'remux', reasons: ['client-unknown'], rejected: [{ method: 'direct', reasons: ['client-unknown'] }] },
  qualities: [{ name: 'original', height: 1080, bitrate: 8_000_000, method: 'remux' }],
  subtitles: [
    { index: 0, language: 'en', title: 'English', forced: false, default: true, url: `/api/stream/${session.id}/subtitles/0.vtt` },
  ],
  burnable: [{ index: 0, language: 'en', title: 'English', forced: false, default: true, kind: 'text' }],
  burnIn: null,
  audio: [{ index: 0, language: 'en', codec: 'aac', channels: 2, default: true }],
  chapters: [{ start: 1.5, title: 'One' }],
  audioGain: null,
  problem: null,
  heartbeatIntervalSeconds: 10,
  expiresAt: '2026-01-02T12:02:00.000Z',
  createdAt: NOW,
}
const TOKEN = { streamToken: STREAM_TOKEN, streamTokenExpiresAt: '2026-01-02T16:00:00.000Z' }

/** Records requests for sessions, and answers them with `more`. */
const noting =
  (asked: NewSession[], more: Partial<PlayableSession> = {}) =>
  (services: HttpServices): HttpServices => ({
    ...services,
    playback: {
      ...services.playback,
      async start(caller, request, origin) {
        asked.push(request)
        const playable = await services.playback.start(caller, request, origin)
        return isRefusal(playable) ? playable : { ...playable, ...more }
      },
    },
  })

t.test('a session is made with every member and a stream token', async (t) => {
  const asked: NewSession[] = []
  const server = await startServer(t, { services: noting(asked) })
  const res = await server.ask('POST', URL, { body: { movieId: movie.id } })
  t.match(res, { status: 201, headers: { location: ONE } })
  t.strictSame(res.json(), { ...COMMON, ...TOKEN })
  await server.ask('POST', URL, {
    body: {
      movieId: movie.id,
      fileId: file.id,
      startPosition: 12.3456,
      quality: '720p',
      audioIndex: 0,
      subtitleIndex: 1,
      surprise: 1,
      client: { name: 'TV', version: null, surprise: 2 },
    },
  })
  t.strictSame(asked, [
    { movieId: movie.id },
    {
      movieId: movie.id,
      fileId: file.id,
      startPositionMs: 12_346,
      quality: '720p',
      audioIndex: 0,
      subtitleIndex: 1,
      client: { name: 'TV', version: null, device: null, deviceId: null },
    },
  ])
})

t.test('what a player says of itself is taken in with everything spelled out, and has limits', async (t) => {
  const asked: NewSession[] = []
  const server = await startServer(t, { services: noting(asked) })
  const post = (capabilities: unknown) => server.ask('POST', URL, { body: { movieId: movie.id, capabilities } })
  await post({ containers: ['mp4'], video: [{ codec: 'hevc', hdr: ['hdr10'], surprise: 1 }], audio: [{ codec: 'ac3', maxChannels: 6 }] })
  await post({ maxHeight: 720, maxBitrate: 5_000_000 })
  const everyPlayer = {
    video: [{ codec: 'h264', profile: null, level: null, bitDepth: 8, hdr: [] }],
    audio: [{ codec: 'aac', maxChannels: 2 }],
  }
  const told = asked.map(({ capabilities }) => capabilities)
  t.strictSame(told, [
    {
      containers: ['mp4'],
      video: [{ codec: 'hevc', profile: null, level: null, bitDepth: 8, hdr: ['hdr10'] }],
      audio: [{ codec: 'ac3', maxChannels: 6 }],
      maxHeight: null,
      maxBitrateBps: null,
    },
    { containers: [], ...everyPlayer, maxHeight: 720, maxBitrateBps: 5_000_000 },
  ])
  for (const [capabilities, path] of [
    ['mp4', 'capabilities'],
    [{ containers: ['x'.repeat(21)] }, 'capabilities.containers.0'],
    [{ containers: Array.from({ length: 31 }, () => 'mp4') }, 'capabilities.containers'],
    [{ video: [{ codec: '' }] }, 'capabilities.video.0.codec'],
    [{ video: [{ codec: 'hevc', hdr: ['hdr11'] }] }, 'capabilities.video.0.hdr.0'],
    [{ audio: [{ codec: 'aac', maxChannels: 0 }] }, 'capabilities.audio.0.maxChannels'],
    [{ maxBitrate: 1.5 }, 'capabilities.maxBitrate'],
  ] as const) {
    t.match(await post(capabilities), { status: 422, text: new RegExp(`"path":"${path}"`) }, path)
  }
})

t.test('what a session cannot be made of is 422; what is unknown is 404', async (t) => {
  const server = await startServer(t)
  for (const [body, paths] of [
    [{}, ['movieId']],
    [{ movieId: 'short', fileId: 'short' }, ['movieId', 'fileId']],
    [{ movieId: movie.id, startPosition: -1 }, ['startPosition']],
    [{ movieId: movie.id, startPosition: '5' }, ['startPosition']],
    [{ movieId: movie.id, client: { name: 'x'.repeat(201), device: 5 } }, ['client.name', 'client.device']],
    [{ movieId: movie.id, client: null }, ['client']],
  ] as const) {
    const res = await server.ask('POST', URL, { body })
    t.equal(res.status, 422)
    t.strictSame(
      res.json<{ details: { path: string }[] }>().details.map(({ path }) => path),
      paths,
      JSON.stringify(body),
    )
  }
  t.equal((await server.ask('POST', URL, { body: { movieId: idOf('unknown') } })).status, 404)
})

t.test('a film that is away is 503, too many streams are 409', async (t) => {
  for (const [refusal, status] of [
    [refuse('unavailable', 'The file is away', { retryAfterSeconds: 30, code: 'file_unavailable' }), 503],
    [refuse('conflict', 'Stream limit reached'), 409],
  ] as const) {
    const server = await startServer(t, {
      services: (services) => ({ ...services, playback: { ...services.playback, start: async () => refusal } }),
    })
    t.match(await server.ask('POST', URL, { body: { movieId: movie.id } }), {
      status,
      headers: status === 503 ? { 'retry-after': '30', 'x-error-code': 'file_unavailable' } : { 'retry-after': undefined },
    })
  }
})

t.test('a gain is auto or whole decibels, and the answer says what came of it', async (t) => {
  const asked: NewSession[] = []
  const server = await startServer(t, { services: noting(asked, { audioGainDb: 4.5 }) })
  for (const audioGain of ['auto', -20, 0, 20]) {
    const res = await server.ask('POST', URL, { body: { movieId: movie.id, audioGain } })
    t.match(res, { status: 201 }, String(audioGain))
    t.match(res.json(), { audioGain: 4.5 })
  }
  const told = asked.map(({ audioGain }) => audioGain)
  t.strictSame(told, ['auto', -20, 0, 20])
  for (const audioGain of ['loud', 21, -21, 1.5, '3', null, true, {}, 1e99]) {
    const res = await server.ask('POST', URL, { body: { movieId: movie.id, audioGain } })
    t.equal(res.status, 422, JSON.stringify(audioGain))
  }
  t.equal(asked.length, 4)
})

t.test('a gain beyond the limit is refused by its range, not as a wrong string', async (t) => {
  const server = await startServer(t)
  for (const [audioGain, message] of [
    [21, 'must be auto, or must be <= 20'],
    [-21, 'must be auto, or must be >= -20'],
    [1.5, 'must be auto, or must be integer'],
    ['loud', 'must be auto, or must be integer'],
    [true, 'must be auto, or must be integer'],
  ] as const) {
    const res = await server.ask('POST', URL, { body: { movieId: movie.id, audioGain } })
    t.strictSame(res.json(), { error: 'Validation error', details: [{ path: 'audioGain', message }] })
  }
})

t.test('the owner reads the session, another user is refused', async (t) => {
  const server = await startServer(t)
  t.strictSame((await server.ask('GET', ONE)).json(), { ...COMMON, ...TOKEN })
  t.equal((await server.ask('GET', ONE, asAnn)).status, 403)
  t.equal((await server.ask('GET', `${URL}/${idOf('unknown')}`)).status, 404)
})

t.test('a heartbeat answers what the player needs', async (t) => {
  const beats: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      playback: {
        ...services.playback,
        heartbeat: async (caller, id, beat, origin) => (beats.push(beat), services.playback.heartbeat(caller, id, beat, origin)),
      },
    }),
  })
  const res = await server.ask('POST', `${ONE}/heartbeat`, {
    body: { position: 12.3456789, playState: 'playing', rate: 1.5, sequence: 7, lastCommandId: idOf('command') },
  })
  t.strictSame(res.json(), {
    sessionId: session.id,
    state: 'active',
    playState: 'paused',
    position: 12.346,
    expiresAt: '2026-01-02T12:02:00.000Z',
    streamToken: null,
    streamTokenExpiresAt: null,
    problem: null,
    commands: [],
  })
  await server.ask('POST', `${ONE}/heartbeat`, { body: { position: 0 } })
  t.strictSame(beats, [
    { positionMs: 12_346, playState: 'playing', rate: 1.5, sequence: 7, lastCommandId: idOf('command') },
    { positionMs: 0 },
  ])
  for (const body of [
    { position: 1, playState: 'stopped' },
    { position: 1, rate: -1 },
    { position: 1, sequence: 1.5 },
    { position: 1, sequence: -1 },
    { position: 1, lastCommandId: 'x' },
  ]) {
    t.equal((await server.ask('POST', `${ONE}/heartbeat`, { body })).status, 422, JSON.stringify(body))
  }
})

t.test('a heartbeat brings a new stream token every third hour, in the first beats after it', async (t) => {
  const at = (seconds: number) => isTokenDue(session, Date.parse(NOW) + seconds * 1000)
  const hours = 3600
  for (const [seconds, due] of [
    [0, false],
    [119, false],
    [3 * hours - 1, false],
    [3 * hours, true],
    [3 * hours + 119, true],
    [3 * hours + 120, false],
    [6 * hours + 60, true],
  ] as const) {
    t.equal(at(seconds), due, `${seconds} s`)
  }
  const server = await startServer(t)
  await server.clock.advance(3 * hours * 1000)
  t.match((await server.ask('POST', `${ONE}/heartbeat`, { body: { position: 1 } })).json(), TOKEN)
})

t.test('the entity tag of a session that has not changed stays, although time passes', async (t) => {
  const node = await openNodeFixture(t)
  const issue: HttpServices['streamAccess']['issue'] = (session) => node.streamAccess.issue(session)
  const server = await startServer(t, {
    services: (services) => ({ ...services, streamAccess: { ...services.streamAccess, issue } }),
  })
  node.clock.setNow(Date.parse(NOW))
  const { headers, text } = await server.ask('GET', ONE)
  const { etag = '' } = headers
  t.match(etag, /^"[\w-]+\.[\w-]+"$/)
  for (const passedMs of [1_100, 60_000, 119_000]) {
    node.clock.setNow(Date.parse(NOW) + passedMs)
    t.match(await server.ask('GET', ONE), { text, headers: { etag } })
    t.equal((await server.ask('GET', ONE, { headers: { 'if-none-match': etag } })).status, 304)
  }
  t.equal((await server.ask('DELETE', ONE, { headers: { 'if-match': '"other"' } })).status, 412)
  t.equal((await server.ask('DELETE', ONE, { headers: { 'if-match': etag } })).status, 204)
})

t.test('seek answers the session, end 204', async (t) => {
  const server = await startServer(t)
  t.match((await server.ask('POST', `${ONE}/seek`, { body: { position: 33.3 } })).json(), {
    sessionId: session.id,
    position: 33.3,
    ...TOKEN,
  })
  const ended = await server.ask('DELETE', ONE)
  t.match(ended, { status: 204, text: '' })
  t.notOk(ended.headers['content-type'] ?? ended.headers['content-length'])
  t.equal((await server.ask('DELETE', `${URL}/${idOf('unknown')}`)).status, 404)
})

t.test('the end of a session may come with the position where playback stopped', async (t) => {
  const ends: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      playback: { ...services.playback, end: async (_caller, _id, _origin, positionMs) => void ends.push(positionMs) },
    }),
  })
  for (const position of ['0', '12.5', '12.345678901234567', '5400'])
    t.match(await server.ask('DELETE', `${ONE}?position=${position}`), { status: 204, text: '' }, position)
  await server.ask('DELETE', ONE)
  t.strictSame(ends, [0, 12_500, 12_346, 5_400_000, undefined])
  for (const query of [
    'position=',
    'position=-1',
    'position=NaN',
    'position=Infinity',
    'position=1e1',
    'position=+5',
    'position=1&position=2',
  ])
    t.match(await server.ask('DELETE', `${ONE}?${query}`), { status: 422, text: /"path":"position"/ }, query)
  t.equal(ends.length, 5)
})

t.test('active sessions name user and movie, and no token', async (t) => {
  const server = await startServer(t)
  const { items, nextCursor } = (await server.ask('GET', `${URL}/active`)).json<{ items: object[]; nextCursor: unknown }>()
  t.match(items, [{ ...COMMON, user: { id: admin.userId, name: 'Admin' }, movie: { id: movie.id, title: 'A Film' } }])
  t.notOk(items.some((item) => 'streamToken' in item))
  t.equal(nextCursor, null)
  t.equal((await server.ask('GET', `${URL}/active?scope=everyone`)).status, 422)
})

t.test('the list of movies to continue contains position, share and device; a movie can be removed', async (t) => {
  const server = await startServer(t)
  const { items } = (await server.ask('GET', '/v1/playback/continue-watching')).json<{ items: object[] }>()
  t.match(items, [
    {
      movieId: movie.id,
      movie: { title: 'A Film' },
      fileId: file.id,
      position: 16.5,
      duration: 60,
      percent: 27.5,
      updatedAt: NOW,
      device: 'TV',
    },
  ])
  t.match(await server.ask('DELETE', `/v1/playback/continue-watching/${movie.id}`), { status: 204, text: '' })
  t.equal((await server.ask('DELETE', `/v1/playback/continue-watching/${idOf('unknown')}`)).status, 404)
})

const ADMIN = `/v1/admin/playback/sessions/${session.id}`

t.test('an admin reads the session of anybody, in the shape of the list and without a token', async (t) => {
  const server = await startServer(t)
  const { items } = (await server.ask('GET', `${URL}/active?scope=all`)).json<{ items: object[] }>()
  t.strictSame((await server.ask('GET', ADMIN)).json(), items[0])
  t.equal((await server.ask('GET', ADMIN, asAnn)).status, 403)
  for (const id of [idOf('unknown'), 'short']) t.equal((await server.ask('GET', `/v1/admin/playback/sessions/${id}`)).status, 404, id)
})

t.test('an admin sends a player a command: an answer that names it, and the errors of invalid ones', async (t) => {
  const server = await startServer(t)
  const res = await server.ask('POST', `${ADMIN}/commands`, { body: { command: 'message', message: 'Dinner is ready' } })
  t.equal(res.status, 202)
  t.strictSame(res.json(), { id: idOf('command'), command: 'message', message: 'Dinner is ready' })
  t.match((await server.ask('POST', `${ADMIN}/commands`, { body: { command: 'pause' } })).json(), { command: 'pause', message: null })
  for (const [body, path] of [
    [{}, 'command'],
    [{ command: 'reload' }, 'command'],
    [{ command: 'message' }, 'message'],
    [{ command: 'message', message: '' }, 'message'],
    [{ command: 'stop', message: 'x'.repeat(501) }, 'message'],
  ] as const) {
    t.match(
      await server.ask('POST', `${ADMIN}/commands`, { body }),
      { status: 422, text: new RegExp(`"path":"${path}"`) },
      JSON.stringify(body),
    )
  }
  const unknown = `/v1/admin/playback/sessions/${idOf('unknown')}/commands`
  t.equal((await server.ask('POST', unknown, { body: { command: 'stop' } })).status, 404)
  t.equal((await server.ask('POST', unknown, { ...asAnn, body: { command: 'stop' } })).status, 403)
})

t.test('an admin ends a session, with or without a word', async (t) => {
  const told: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      playback: { ...services.playback, terminate: async (_caller, _id, { message }) => void told.push(message) },
    }),
  })
  for (const body of [undefined, {}, { message: 'Bedtime' }]) {
    t.match(await server.ask('POST', `${ADMIN}/terminate`, { body }), { status: 204, text: '' })
  }
  t.strictSame(told, [null, null, 'Bedtime'])
})

t.test('a heartbeat brings the commands that wait, and what is wrong with the stream', async (t) => {
  const commands = [{ id: idOf<'command'>('command'), command: 'pause', message: null }] as const
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      playback: {
        ...services.playback,
        heartbeat: async () => ({ session, commands, problem: 'The film cannot be read' }),
      },
    }),
  })
  t.match((await server.ask('POST', `${ONE}/heartbeat`, { body: { position: 1 } })).json(), {
    commands,
    problem: 'The film cannot be read',
  })
})

t.test('a position is a number of seconds from zero on, in heartbeats and seeks alike', async (t) => {
  const server = await startServer(t)
  for (const command of ['heartbeat', 'seek']) {
    for (const body of [{}, { position: null }, { position: '5' }, { position: -1 }, { position: [1] }]) {
      const res = await server.ask('POST', `${ONE}/${command}`, { body })
      t.match(res, { status: 422, text: /"path":"position"/ }, `${command} ${JSON.stringify(body)}`)
    }
    t.match(await server.ask('POST', `${ONE}/${command}`, { body: { position: 12.3456789012 } }), { status: 200 })
  }
})
