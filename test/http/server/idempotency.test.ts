import t from 'tap'
import { createMemoryIdempotencyStore } from '../../../src/adapters/memory/idempotency-store.ts'
import { allowed, createCluster, openNodeFixture } from '../../fixtures/node-fixture.ts'
import { openNode, openTwoNodes } from './two-nodes.ts'
import { ViewsBehind } from '../../../src/app/consistency/read-your-writes.ts'
import { refuse } from '../../../src/domain/refusal.ts'
import type { HttpServices } from '../../../src/http/server/app.ts'
import type { LibraryId } from '../../../src/vocabulary/id.ts'
import { ANN_TOKEN, idOf, library } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const URL = '/v1/libraries'
const body = { name: 'Films', paths: ['/media/films'] }
const key = (text: string) => ({ headers: { 'idempotency-key': text } })

/** A server whose libraries `make` creates; records the seeds it was given. */
async function start(t: { teardown(done: () => unknown): unknown }, make: HttpServices['libraries']['create']) {
  const seeds: (string | undefined)[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      libraries: {
        ...services.libraries,
        create: async (caller, request, origin) => {
          seeds.push(origin.seed)
          return make(caller, request, origin)
        },
      },
    }),
  })
  return { server, seeds, post: (more: object, asked: object = body) => server.ask('POST', URL, { body: asked, ...more }) }
}

const made: HttpServices['libraries']['create'] = async (_caller, { name }) => ({ ...library, name })

t.test('a repeat with the same key and body is answered from store; without a key each request is carried out', async (t) => {
  const { seeds, post } = await start(t, made)
  const first = await post(key('one'))
  t.match(first, { status: 201, headers: { location: `/v1/libraries/${library.id}`, 'idempotency-replayed': undefined } })
  const second = await post(key('one'))
  t.match(second, {
    status: 201,
    text: first.text,
    headers: { location: `/v1/libraries/${library.id}`, 'idempotency-replayed': 'true', 'content-type': first.headers['content-type'] },
  })
  t.equal(seeds.length, 1)
  t.type(seeds[0], 'string')
  await post({})
  await post({})
  t.strictSame(seeds.slice(1), [undefined, undefined])
})

t.test('the same key with another body, and a key of no or too great length, are 422', async (t) => {
  const { server, seeds, post } = await start(t, made)
  await post(key('one'))
  const other = await post(key('one'), { ...body, name: 'Other' })
  t.match(other, { status: 422 })
  t.strictSame(other.json(), { error: 'Validation error', details: [{ path: 'Idempotency-Key', message: 'was used for another request' }] })
  t.equal((await post(key('k'.repeat(255)))).status, 201)
  for (const text of ['', 'k'.repeat(256)]) t.equal((await post(key(text))).status, 422, `${text.length} characters`)
  t.equal((await post(key('one'), {})).status, 422, 'a body of the wrong shape')
  t.equal(seeds.length, 2)
  t.equal((await server.anon('POST', URL, { body, ...key('one') })).status, 401)
  const ann = { authorization: `Bearer ${ANN_TOKEN}`, ...key('one').headers }
  t.equal((await server.anon('POST', URL, { body, headers: ann })).status, 403, 'what one may not do is not shown to another')
})

t.test('while the first one runs a repeat is 409', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { post, seeds } = await start(t, async (...args) => (await promise, made(...args)))
  const first = post(key('one'))
  while (seeds.length === 0) await new Promise(setImmediate)
  t.match(await post(key('one')), {
    status: 409,
    headers: { 'retry-after': '1' },
    text: '{"error":"The request with this key is still running; try again"}',
  })
  resolve()
  t.equal((await first).status, 201)
  t.equal((await post(key('one'))).headers['idempotency-replayed'], 'true')
})

t.test('stored, but not visible yet: it is 503, and the retry continues with the same seed to the first result', async (t) => {
  let behind = true
  const { seeds, post } = await start(t, async (...args) => {
    if (behind) throw new ViewsBehind()
    return made(...args)
  })
  t.match(await post(key('one')), { status: 503, headers: { 'x-outcome': 'stored', 'retry-after': '1' } })
  behind = false
  t.match(await post(key('one')), { status: 201, headers: { 'idempotency-replayed': undefined } })
  t.equal(seeds[0], seeds[1])
  t.equal((await post(key('one'))).headers['idempotency-replayed'], 'true')
})

t.test('what was refused did nothing: the key may be used again, also with another body', async (t) => {
  const { post } = await start(t, async (caller, request, origin) =>
    request.name === 'Taken' ? refuse('conflict', 'No') : made(caller, request, origin),
  )
  t.equal((await post(key('one'), { ...body, name: 'Taken' })).status, 409)
  t.equal((await post(key('one'))).status, 201)
})

t.test('after a day the key is new', async (t) => {
  const { server, seeds, post } = await start(t, made)
  await post(key('one'))
  await server.clock.advance(24 * 3_600_000)
  t.equal((await post(key('one'))).headers['idempotency-replayed'], undefined)
  t.not(seeds[0], seeds[1])
})

t.test('a repeat is judged by the rights of today', async (t) => {
  const { one, two, library, movie } = await openTwoNodes(t)
  const { token, caller } = await one.fixture.person()
  const play = (movieId: string, key: string) => two.askWhole('POST', '/v1/playback/sessions', { token, body: { movieId }, key })
  const grant = async (libraryIds: readonly LibraryId[]) => {
    const rights = { libraryAccess: 'selected', libraryIds } as const
    allowed(await one.fixture.accountChanges.change(caller.userId, rights, { actor: 'cli', command: 'test' }))
    await one.fixture.seen()
    await two.fixture.seen()
  }
  const first = await play(movie, 'one')
  t.equal(first.status, 201)
  await grant([library])
  t.match(
    await play(movie, 'one'),
    { status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } },
    'other rights, still granted',
  )
  await grant([])
  const [lost, unknown] = [await play(movie, 'one'), await play(idOf('nowhere'), 'other')]
  t.equal(lost.status, 404)
  t.equal(lost.body, unknown.body)
  const shown = ({ headers }: typeof lost) => Object.keys(headers).toSorted()
  t.strictSame(shown(lost), shown(unknown))
  await grant([library])
  t.match(await play(movie, 'one'), { status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } }, 'granted again')
  t.equal((await one.fixture.events()).filter(({ type }) => type === 'PlaybackStarted').length, 1)
})

t.test('what was answered about an account is kept sealed with its key, and erasing it erases the answer', async (t) => {
  const cluster = createCluster()
  const fixture = await openNodeFixture(t, { cluster })
  const idempotencyStore = createMemoryIdempotencyStore({ clock: cluster.clock })
  const kept: string[] = []
  const watched = {
    ...idempotencyStore,
    settle: (key: string, answer: string) => (kept.push(answer), idempotencyStore.settle(key, answer)),
  }
  const node = await openNode(t, { cluster, name: 'one', fixture, idempotencyStore: watched })
  const { token, caller } = await fixture.person({ role: 'admin' })
  const bodyOfAnn = { name: 'Ann Droid', email: 'ann@example.org', password: 'correct horse' }
  const post = () => node.ask('POST', '/v1/users', { token, body: bodyOfAnn, key: 'one' })
  const first = await post()
  t.equal(first.status, 201)
  t.equal(kept.length, 1)
  t.notMatch(kept.join(), /Ann Droid|ann@example/)
  t.strictSame(await post(), first, 'a repeat is given it')
  const { id }: { id: string } = JSON.parse(first.body)
  t.equal((await node.ask('DELETE', `/v1/users/${id}?erase=true`, { token })).status, 202)
  const after = await post()
  t.equal(after.status, 404, 'what was made is there for nobody')
  t.notMatch(after.body, /Ann|example/)
  t.ok(fixture.access.users.get(caller.userId))
})

t.test('the same key and body of two users are two requests', async (t) => {
  const { one, movie } = await openTwoNodes(t)
  const people = [await one.fixture.person(), await one.fixture.person()]
  const ids: unknown[] = []
  for (const { token } of people) {
    const answer = await one.askWhole('POST', '/v1/playback/sessions', { token, body: { movieId: movie }, key: 'one' })
    t.match(answer, { status: 201, headers: { 'idempotency-replayed': undefined } })
    ids.push(Reflect.get(Object(JSON.parse(answer.body)), 'id'))
  }
  t.not(ids[0], ids[1])
})

t.test('a key that was used on one route is new on another, and may not be used again for another path of its route', async (t) => {
  const { server, post } = await start(t, made)
  const scan = (id: string) => server.ask('POST', `${URL}/${id}/scan`, { body: {}, ...key('one') })
  t.equal((await post(key('one'))).status, 201)
  t.match(await scan(library.id), { status: 202, headers: { 'idempotency-replayed': undefined } })
  t.match(await scan(library.id), { status: 202, headers: { 'idempotency-replayed': 'true' } })
  t.match(await scan(idOf('other')), { status: 422, text: /was used for another request/ })
})
