/** Figures and timelines over HTTP: as JSON, as tables, as of an earlier time, and rejected requests. */
import t from 'tap'
import { toSeq } from '../../../src/events/position.ts'
import { allowed, createCluster, ORIGIN } from '../../fixtures/node-fixture.ts'
import { openNode } from '../server/two-nodes.ts'

const START = Date.parse('2026-03-20T20:00:00.000Z')
const RANGE = 'from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z'
const FIGURES = ['overview', 'plays', 'top', 'concurrency', 'finish', 'rewatched'] as const
const PATHS = [...FIGURES.map((name) => `/v1/analytics/${name}?${RANGE}`), '/v1/analytics/year/2026?tz=UTC']

/** Brazil, watched to the end twice in one evening, and started the next day by another user. */
async function household(t: Parameters<typeof openNode>[0]) {
  const cluster = createCluster({ startMs: START })
  const node = await openNode(t, { cluster, name: 'one' })
  const { fixture } = node
  fixture.mediaFiles.put('/films/Brazil (1985).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Brazil')
  const [ann, bob] = [await fixture.person({ role: 'admin' }), await fixture.person()]
  const client = { name: 'TV, "large"', version: null, device: null, deviceId: null }

  async function play({ caller }: typeof ann, share: number): Promise<void> {
    const { session } = allowed(await fixture.playback.start(caller, { movieId, client }, ORIGIN))
    await fixture.clock.advance(10_000)
    const positionMs = Math.floor(session.durationMs * share)
    allowed(await fixture.playback.heartbeat(caller, session.id, { positionMs }, ORIGIN))
    await fixture.clock.advance(1_000)
    allowed(await fixture.playback.end(caller, session.id, ORIGIN))
  }
  await play(ann, 0.95)
  await play(ann, 0.95)
  const seq = toSeq(await cluster.log.head())
  const time = new Date(fixture.clock.now()).toISOString()
  fixture.clock.setNow(START + 86_400_000)
  const later = { ann: await fixture.login(ann.caller.userId), bob: await fixture.login(bob.caller.userId) }
  await play(later.bob, 0.3)
  const get = async (path: string) => {
    const { status, body, headers } = await node.askWhole('GET', path, { token: later.ann.token })
    return { status, body, headers, json: () => JSON.parse(body) }
  }
  return { node, fixture, get, movieId, seq, time, ...later }
}

t.test('all seven figures come as tables, with the numbers of the JSON', async (t) => {
  const { get, movieId } = await household(t)
  const table = async (path: string) => {
    const { status, body, headers } = await get(`${path}&scope=all&format=csv`)
    t.equal(status, 200, body)
    t.equal(headers['content-type'], 'text/csv; charset=utf-8')
    t.ok(body.endsWith('\r\n'))
    return body.trimEnd().split('\r\n')
  }
  const [overview, plays, top, concurrency, finish, rewatched, year] = await Promise.all(PATHS.map(table))
  t.strictSame(overview, [
    'from,to,tz,plays,seconds,users,movies,completed',
    '2026-03-01T00:00:00.000Z,2026-04-01T00:00:00.000Z,UTC,3,30,2,1,2',
  ])
  t.equal(plays?.length, 32, 'a day a line')
  t.match(plays?.slice(20, 23), [/^2026-03-20,.*,2$/, /^2026-03-21,.*,1$/, /^2026-03-22,.*,0$/])
  t.strictSame(top, ['key,label,plays,seconds,users', `${movieId},Brazil,3,30,2`])
  t.strictSame(concurrency?.[0], 'at,count')
  t.equal(concurrency?.filter((line) => line.endsWith(',1')).length, 2, 'one follows the other at once')
  const left = Array.from({ length: 20 }, (_, n) => `left${n * 5}`)
  t.strictSame(finish, [
    ['movieId,title,plays,users,finishedBy', ...left].join(','),
    [`${movieId},Brazil,3,2,1`, ...left.map((name) => (name === 'left30' ? 1 : 0))].join(','),
  ])
  t.strictSame(rewatched, ['movieId,title,users,times', `${movieId},Brazil,1,2`])
  t.ok(year && year.length > 1)
  const clients = await table(`/v1/analytics/top?${RANGE}&by=client`)
  t.equal(clients[1], '"TV, ""large""","TV, ""large""",3,30,2', 'commas and quotes are quoted')
})

t.test('the hours of the week are 168 buckets, those without a viewing too', async (t) => {
  const { get } = await household(t)
  const { buckets, total } = (await get(`/v1/analytics/plays?${RANGE}&scope=all&groupBy=hourOfWeek&tz=Europe/Berlin`)).json()
  t.strictSame(
    buckets.map(({ key }: { readonly key: string }) => key),
    Array.from({ length: 168 }, (_, hour) => String(hour)),
  )
  const begun = total.flatMap((plays: number, hour: number) => (plays > 0 ? [[hour, plays]] : []))
  t.strictSame(begun, [[4 * 24 + 21, 2], [5 * 24 + 21, 1]], 'Friday and Saturday at nine in the evening') // prettier-ignore
})

t.test('what is no range, zone or grouping is refused with its name', async (t) => {
  const { get, node, bob, ann } = await household(t)
  const wrong = [
    ['from', `/v1/analytics/overview?from=2026-04-01T00:00:00Z&to=2026-04-01T00:00:00Z`],
    ['from', `/v1/analytics/plays?from=2020-01-01T00:00:00Z&to=2026-04-01T00:00:00Z`],
    ['from', `/v1/analytics/top?from=1899-12-31T00:00:00Z&to=1900-04-01T00:00:00Z`],
    ['to', `/v1/analytics/overview?to=yesterday`],
    ['to', `/v1/analytics/overview?to=2016-12-31T23:59:60Z`],
    ['from', `/v1/history?from=2016-12-31T23:59:60Z`],
    ['from', `/v1/history?from=2026-01-01T00:00:00%2B0100`],
    ['tz', `/v1/analytics/plays?tz=Europe/Atlantis`],
    ['tz', `/v1/analytics/year/2026?tz=%2B01:00`],
    ['groupBy', `/v1/analytics/plays?groupBy=fortnight`],
    ['metric', `/v1/analytics/plays?metric=hours`],
    ['by', `/v1/analytics/top?by=genre`],
    ['points', `/v1/analytics/concurrency?points=0`],
    ['points', `/v1/analytics/concurrency?points=2001`],
    ['limit', `/v1/analytics/finish?limit=0`],
    ['format', `/v1/analytics/rewatched?format=xml`],
    ['asOf', `/v1/analytics/overview?asOf=seq:999999`],
    ['completed', `/v1/analytics/overview?completed=yes`],
  ] as const
  for (const [path, url] of wrong) {
    const { status, json } = await get(url)
    t.equal(status, 422, url)
    t.match(json(), { error: 'Validation error', details: [{ path }] }, url)
  }
  for (const url of ['/v1/analytics/overview', '/v1/history', '/v1/history/export']) {
    const asAnn = `${url}?userId=${ann.caller.userId}`
    t.equal((await node.ask('GET', asAnn, { token: bob.token })).status, 403, `${url} of others is for administrators`)
    t.equal((await node.ask('GET', asAnn, { token: ann.token })).status, 200, `${url} of oneself is for everybody`)
  }
})

t.test('each figure says what was known at another time, and after which event', async (t) => {
  const { get, seq, time } = await household(t)
  for (const path of PATHS) {
    const now = await get(`${path}&scope=all`)
    t.equal(now.headers['x-as-of-seq'], undefined)
    const bySeq = await get(`${path}&scope=all&asOf=seq:${seq}`)
    t.equal(bySeq.status, 200, bySeq.body)
    t.equal(bySeq.headers['x-as-of-seq'], seq, path)
    const byTime = await get(`${path}&scope=all&asOf=${time}`)
    t.strictSame([byTime.headers['x-as-of-seq'], byTime.body], [seq, bySeq.body], path)
    if (!path.includes('rewatched')) t.not(bySeq.body, now.body, path)
  }
  t.match((await get(`${PATHS[0]}&scope=all&asOf=seq:${seq}`)).json(), { plays: 2, users: 1 })
})

t.test('before the first event each figure counts nothing', async (t) => {
  const { get } = await household(t)
  for (const path of [...FIGURES.map((name) => `/v1/analytics/${name}`), '/v1/analytics/year/2026']) {
    const { status, body, headers } = await get(`${path}?scope=all&asOf=seq:0`)
    t.strictSame([status, headers['x-as-of-seq']], [200, '0'], `${path}: ${body}`)
  }
  t.match((await get('/v1/analytics/overview?scope=all&asOf=seq:0')).json(), { plays: 0, users: 0, seconds: 0 })
})

t.test('a timeline is the stretches of a viewing, each with what was done in it', async (t) => {
  const { fixture, ann, movieId, get } = await household(t)
  const { caller } = ann
  const { session } = allowed(await fixture.playback.start(caller, { movieId }, ORIGIN))
  const beginsMs = fixture.clock.now()
  const tell = async (positionMs: number, playState: 'playing' | 'paused') => {
    await fixture.clock.advance(10_000)
    allowed(await fixture.playback.heartbeat(caller, session.id, { positionMs, playState }, ORIGIN))
  }
  await tell(10_000, 'playing')
  await tell(15_500, 'paused')
  await tell(15_500, 'paused')
  allowed(await fixture.playback.seek(caller, session.id, 600_000, ORIGIN))
  await tell(608_000, 'playing')
  allowed(await fixture.playback.end(caller, session.id, ORIGIN))
  const at = (seconds: number) => new Date(beginsMs + seconds * 1000).toISOString()
  t.strictSame((await get(`/v1/history/${session.id}/timeline`)).json(), [
    { kind: 'play', since: at(0), at: at(0), from: 0, to: 0 },
    { kind: 'play', since: at(0), at: at(10), from: 0, to: 10 },
    { kind: 'play', since: at(10), at: at(20), from: 10, to: 15.5 },
    { kind: 'pause', since: at(20), at: at(30), from: 15.5, to: 15.5 },
    { kind: 'seek', since: at(30), at: at(30), from: 15.5, to: 600 },
    { kind: 'play', since: at(30), at: at(40), from: 600, to: 608 },
    { kind: 'end', since: at(40), at: at(40), from: 608, to: 608 },
  ])
  t.equal((await get(`/v1/history/${movieId}/timeline`)).status, 404)
})
