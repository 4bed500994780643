import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { toSeq } from '../../../src/events/position.ts'
import { allowed, openNodeFixture, ORIGIN, type Person } from '../../fixtures/node-fixture.ts'
import { openEvents, type EventClient } from '../event-client.ts'
import { serveNode } from '../../fixtures/serve-node.ts'

async function setUp(t: Test) {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  const library = await node.newLibrary('/films')
  await node.scan(library)
  const app = await serveNode(t, node, { series: 'e' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const movie = (await node.movieNamed('Metropolis')).id
  const open = async (token: string, query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventClient> => {
    const client = await openEvents(`http://127.0.0.1:${port}/api/events?token=${token}${query}`, headers)
    t.teardown(client.close)
    return client
  }
  /** Two events of the user's own. */
  const mark = async ({ caller }: Person): Promise<void> => {
    allowed(await node.movieMarks.markWatched(caller, movie, undefined, ORIGIN))
    allowed(await node.movieMarks.markUnwatched(caller, movie, ORIGIN))
  }
  return { node, app, port, library, movie, open, mark, admin: await node.person({ role: 'admin' }), ann: await node.person() }
}

const MARKS = '&types=movie.*'
const both = ['movie.watched', 'movie.unwatched']
const kinds = (client: EventClient): readonly string[] => client.events().map(({ event }) => event)

t.test('it greets, announces events as soon as they can be read, and numbers them by their position in the log', async (t) => {
  const { ann, node, mark, movie, open } = await setUp(t)
  const client = await open(ann.token, MARKS)
  t.match(client, {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': String,
    },
  })
  const hello = await client.first('hello')
  t.ok(client.text().startsWith('retry: 3000\n\n'))
  t.match(hello.data, { serverVersion: '1.2.3', webBuild: null, seq: hello.id, at: /Z$/ })
  await mark(ann)
  const unwatched = await client.first('movie.unwatched')
  t.strictSame(kinds(client), ['hello', 'movie.watched', 'movie.unwatched'])
  t.match(unwatched.data, { seq: unwatched.id, at: /^\d{4}-.*Z$/, movieId: movie, watchedAt: null })
  t.equal(unwatched.id, toSeq(await node.cluster.log.head()))
})

t.test('missed events are replayed from the log, by header or parameter, once and in order', async (t) => {
  const { ann, mark, open } = await setUp(t)
  const before = await open(ann.token)
  const { id } = await before.first('hello')
  before.close()
  await mark(ann)
  await mark(ann)
  for (const client of [
    await open(ann.token, `${MARKS}&lastEventId=${id}`),
    await open(ann.token, `${MARKS}&lastEventId=1`, { 'last-event-id': id }),
  ]) {
    await mark(ann)
    while (client.events().length < 7) await client.first('movie.unwatched').then(() => new Promise(setImmediate))
    t.strictSame(kinds(client).slice(0, 7), ['hello', ...both, ...both, ...both])
    const ids = client.events().map((event) => Number(event.id))
    t.ok(ids.slice(1).every((seq, n) => seq > (ids[n] ?? 0)))
    t.equal(client.events()[0]?.id, id, 'so that a client that is cut off now misses nothing')
    client.close()
    const all = await open(ann.token)
    const next = await all.first('hello')
    all.close()
    t.ok(Number(next.id) > Number(id))
    if (client.events().length > 7) t.fail('told twice')
    break
  }
})

t.test('a read says how far the log is: a stream from there misses nothing that is not in the answer', async (t) => {
  const { ann, app, mark, open } = await setUp(t)
  const headers = { authorization: `Bearer ${ann.token}` }
  const seqOf = async (more: object = {}): Promise<string> =>
    String((await app.inject({ url: '/v1/home', headers: { ...headers, ...more } })).headers['x-log-seq'])
  await mark(ann)
  const told = await open(ann.token, MARKS)
  const { id } = await told.first('hello')
  const { headers: answered } = await app.inject({ url: '/v1/home', headers })
  t.equal(answered['x-log-seq'], id)
  t.equal(await seqOf({ 'if-none-match': answered.etag }), id, 'an answer that has not changed says so, too')
  await mark(ann)
  const client = await open(ann.token, `${MARKS}&lastEventId=${String(answered['x-log-seq'])}`)
  await client.first('movie.unwatched')
  t.strictSame(kinds(client), ['hello', ...both], 'only what came after the answer')
  t.notOk((await app.inject({ url: '/v1/home' })).headers['x-log-seq'], 'nobody learns it without signing in')
})

t.test('a marked viewing is announced to its user, with the hour whose figures changed, live and in a replay', async (t) => {
  const { admin, ann, mark, movie, open } = await setUp(t)
  const before = await open(ann.token)
  const { id: from } = await before.first('hello')
  const everybodys = await open(admin.token, '&scope=all&types=history.*,analytics.*')
  const others = await open(admin.token, '&types=history.*,analytics.*')
  await mark(ann)
  await everybodys.first('analytics.changed')
  for (const client of [before, everybodys, await open(ann.token, `&lastEventId=${from}`)]) {
    const added = await client.first('history.added')
    t.match(added.data, { movieId: movie, source: 'manual', id: /^.{21}$/, seq: added.id })
    const changed = await client.first('analytics.changed')
    t.match(changed.data, { userId: ann.caller.userId, hour: /T\d\d:00:00\.000Z$/, seq: added.id })
  }
  t.strictSame(kinds(others), ['hello'], 'an administrator who asked for his own alone')
})

t.test('a stream of all players is on record as a look at everybody, once an hour for each login', async (t) => {
  const { node, admin, ann, open } = await setUp(t)
  const looks = async () => (await node.events()).flatMap(({ type, data }) => (type === 'HistoryViewed' ? [data] : []))
  const look = { userId: null, operation: 'GET /api/events', times: 1 }
  for (const query of ['', '&scope=own', '&lastEventId=1']) await open(admin.token, query)
  t.equal((await open(ann.token, '&scope=all')).status, 403)
  t.strictSame(await looks(), [])
  await open(admin.token, '&scope=all&lastEventId=1')
  await open(admin.token, '&scope=all')
  t.strictSame(await looks(), [look], 'an EventSource connects again at each break')
  await open((await node.login(admin.caller.userId)).token, '&scope=all')
  t.equal((await looks()).length, 2, 'another login')
})

t.test('a playback changes the figures when it starts and when it ends, and is added to the history when it ends', async (t) => {
  const { ann, node, movie, open } = await setUp(t)
  const client = await open(ann.token, '&types=playback.*,history.*,analytics.*')
  const { id: from } = await client.first('hello')
  const { session } = allowed(await node.playback.start(ann.caller, { movieId: movie }, ORIGIN))
  const changed = await client.first('analytics.changed')
  t.match(changed.data, { userId: ann.caller.userId, hour: /T\d\d:00:00\.000Z$/ })
  for (const positionMs of [1_000, 2_000]) allowed(await node.playback.heartbeat(ann.caller, session.id, { positionMs }, ORIGIN))
  allowed(await node.playback.end(ann.caller, session.id, ORIGIN))
  const replayed = await open(ann.token, `&types=playback.*,history.*,analytics.*&lastEventId=${from}`)
  while (!kinds(client).includes('playback.ended') || kinds(client).at(-1) !== 'analytics.changed') await new Promise(setImmediate)
  const begun = ['playback.started', 'analytics.changed']
  const ended = ['playback.ended', 'history.added', 'analytics.changed']
  t.strictSame(kinds(client), ['hello', ...begun, 'playback.progress', 'playback.progress', ...ended])
  const added = await client.first('history.added')
  t.match(added.data, { id: session.id, movieId: movie, source: 'playback' })
  t.equal((await replayed.first('history.added')).id, added.id)
})

t.test('too long ago, too much, no number, or beyond the newest: one reset, and on from now', async (t) => {
  const { ann, node, mark, open } = await setUp(t)
  for (const asked of ['x', '-1', '99999999', '1e3']) {
    const client = await open(ann.token, `${MARKS}&lastEventId=${asked}`)
    await client.first('reset')
    await mark(ann)
    await client.first('movie.unwatched')
    t.strictSame(kinds(client), ['hello', 'reset', 'movie.watched', 'movie.unwatched'], asked)
    client.close()
  }
  node.clock.setNow(node.clock.now() + 24 * 3_600_000 + 1000)
  const late = await open(ann.token, '&lastEventId=1')
  await late.first('reset')
  t.strictSame(kinds(late), ['hello', 'reset'])
})

t.test('each client gets its own events, by its current grants; events of accounts go to admins', async (t) => {
  const { admin, ann, node, library, mark, movie, open } = await setUp(t)
  const [boss, all, own] = [await open(admin.token), await open(admin.token, '&scope=all'), await open(ann.token)]
  for (const client of [boss, all, own]) await client.first('hello')
  await mark(admin)
  const { session } = allowed(await node.playback.start(ann.caller, { movieId: movie }, ORIGIN))
  allowed(await node.playback.heartbeat(ann.caller, session.id, { positionMs: 1830, playState: 'playing' }, ORIGIN))
  t.match((await own.first('playback.progress')).data, { sessionId: session.id, movieId: movie, position: 1.83, playState: 'playing' })
  t.match((await all.first('playback.progress')).data, { sessionId: session.id, userId: ann.caller.userId }, 'whose session it is')
  await node.person()
  await boss.first('user.created')
  allowed(await node.users.change(admin.caller, ann.caller.userId, { libraryAccess: 'selected', libraryIds: [] }, ORIGIN))
  await own.first('access.changed')
  await boss.first('user.updated')
  node.mediaFiles.put('/films/Nosferatu (1922).mkv')
  await node.scan(library)
  await boss.first('scan.completed')
  t.match((await boss.first('movie.added')).data, { libraryId: library })
  t.notOk(kinds(own).some((kind) => /^(user|movie|scan)\./.test(kind)))
  t.notOk(kinds(boss).some((kind) => kind.startsWith('playback.')))
})

t.test('changed preferences are announced to every login of their user, and to nobody else', async (t) => {
  const { admin, ann, node, open } = await setUp(t)
  const tablet = await node.login(ann.caller.userId)
  const own = [await open(ann.token), await open(tablet.token)]
  const others = [await open((await node.person()).token), await open(admin.token, '&scope=all')]
  for (const client of [...own, ...others]) await client.first('hello')
  allowed(await node.preferences.put(ann.caller, { theme: 'dark' }, ORIGIN))
  await node.person()
  for (const client of own) {
    const { data, id } = await client.first('preferences.changed')
    t.strictSame(data, { seq: id, at: data['at'] })
  }
  await others[1]?.first('user.created')
  for (const client of others) t.notOk(kinds(client).includes('preferences.changed'))
})

t.test('kinds can be chosen', async (t) => {
  const { admin, node, library, mark, open } = await setUp(t)
  const client = await open(admin.token, '&types=scan.completed,library.*')
  await mark(admin)
  await node.scan(library)
  await client.first('scan.completed')
  t.strictSame(kinds(client), ['hello', 'scan.completed'])
})

t.test('access tokens only; everybody’s playback for admins only; strange questions are 422', async (t) => {
  const { ann, node, movie, open, port } = await setUp(t)
  const { session } = allowed(await node.playback.start(ann.caller, { movieId: movie }, ORIGIN))
  const stream = node.streamAccess.issue(session).token
  t.equal((await open('')).status, 401)
  t.equal((await open('nonsense')).status, 401)
  t.equal((await open(stream)).status, 401, 'a stream token')
  t.equal((await open(ann.token, '&scope=all')).status, 403)
  t.match((await node.auditLog.list({ type: 'AccessDenied' }, 'desc', { limit: 10 })).items, [
    { actor: { id: ann.caller.userId }, changes: [{ path: 'operation', to: 'GET /api/events' }, {}] },
  ])
  for (const query of ['&scope=some', '&types=', '&types=a b', '&types=movie', '&types=movie.*,'])
    t.equal((await open(ann.token, query)).status, 422, query)
  const url = `http://127.0.0.1:${port}/api/events`
  for (const headers of [{ authorization: `Bearer ${ann.token}` }, { cookie: `session_token=${ann.token}` }]) {
    const client = await openEvents(url, headers)
    t.equal(client.status, 200)
    client.close()
  }
})

t.test('ten a user, the eleventh is 429; one that closes makes room', async (t) => {
  const { admin, ann, open } = await setUp(t)
  const clients = []
  for (let n = 0; n < 10; n++) clients.push(await open(ann.token))
  t.match(await open(ann.token), { status: 429, headers: { 'retry-after': /^\d+$/ } })
  t.equal((await open(admin.token)).status, 200)
  clients[0]?.close()
  for (let tries = 0; (await open(ann.token)).status !== 200; tries++) if (tries > 100) t.fail('no room')
})

t.test('a quiet stream has a comment every 15 seconds', async (t) => {
  const { ann, node, open } = await setUp(t)
  const client = await open(ann.token)
  await client.first('hello')
  await node.clock.advance(15_000)
  while (!client.text().includes('\n:\n')) await new Promise((resolve) => setImmediate(resolve))
  t.match(client.text(), /\n:\n\n$/)
})

t.test('it ends at once with its login, by sign-out or because the account is disabled, and in time when the login expires', async (t) => {
  const { admin, ann, node, open } = await setUp(t)
  const client = await open(ann.token)
  await client.first('hello')
  await node.signIns.signOut(ann.caller, ORIGIN)
  await client.ended
  const bob = await node.person()
  const other = await open(bob.token)
  await other.first('hello')
  allowed(await node.users.change(admin.caller, bob.caller.userId, { enabled: false }, ORIGIN))
  await other.ended
  t.pass('both are over')
})

t.test('when the server stops, every reader is notified', async (t) => {
  const { ann, app, open } = await setUp(t)
  const client = await open(ann.token)
  await client.first('hello')
  const closing = app.close()
  await client.first('server.stopping')
  await client.ended
  await closing
})

t.test('administrators hear when a projection has been rebuilt', async (t) => {
  const { admin, ann, node, mark, open } = await setUp(t)
  const [told, other, untold] = [await open(admin.token), await open(admin.token, '&types=movie.*'), await open(ann.token)]
  await untold.first('hello')
  allowed(await node.projections.rebuild('movies', admin.caller, ORIGIN))
  await node.clock.advance(20_000)
  const { data } = await told.first('projection.rebuilt')
  t.match(data, { name: 'movies', seq: /^\d+$/, at: /Z$/ })
  await mark(ann)
  await untold.first('movie.unwatched')
  t.strictSame(
    [...kinds(other), ...kinds(untold)].filter((kind) => kind.startsWith('projection.')),
    [],
  )
})
