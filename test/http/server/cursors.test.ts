import t from 'tap'
import { createCursors, type CursorScope } from '../../../src/http/server/cursors.ts'
import { ADMIN_TOKEN, ANN_TOKEN, idOf } from '../../fixtures/samples.ts'
import { SECRET, startServer, type TestServer } from '../http-server.ts'

const point = { value: 'a film', id: idOf('movie') }
const scope: CursorScope = { userId: idOf('ann'), route: 'movies', query: { sort: 'title', order: 'asc', libraryId: [] } }

t.test('a cursor contains the point that it was made of, for any sort value', (t) => {
  const cursors = createCursors([SECRET])
  for (const value of ['a film', 'кролик "x"', '', 12.5, null, false]) {
    t.strictSame(cursors.decode(cursors.encode({ ...point, value }, scope), scope), { ...point, value })
  }
  t.match(cursors.encode(point, scope), /^[\w-]+\.[\w-]{43}$/)
  t.end()
})

t.test('the members of filters may stand in any order', (t) => {
  const cursors = createCursors([SECRET])
  const same = { ...scope, query: { libraryId: [], order: 'asc', sort: 'title' } }
  t.strictSame(cursors.decode(cursors.encode(point, scope), same), point)
  t.end()
})

t.test('a cursor of another user, route, filter, order or secret names nothing', (t) => {
  const cursors = createCursors([SECRET])
  const cursor = cursors.encode(point, scope)
  for (const other of [
    { ...scope, userId: idOf('bob') },
    { ...scope, route: 'recently-added' },
    { ...scope, query: { sort: 'title', order: 'desc', libraryId: [] } },
    { ...scope, query: { sort: 'title', order: 'asc', libraryId: [idOf('library')] } },
    { ...scope, query: null },
  ]) {
    t.equal(cursors.decode(cursor, other), undefined)
  }
  t.equal(createCursors(['another secret of at least 32 characters']).decode(cursor, scope), undefined)
  t.end()
})

t.test('every changed character and every cut makes it worthless', (t) => {
  const cursors = createCursors([SECRET])
  const cursor = cursors.encode(point, scope)
  for (let n = 0; n < cursor.length; n++) {
    const other = cursor[n] === 'A' ? 'B' : 'A'
    t.equal(cursors.decode(cursor.slice(0, n) + other + cursor.slice(n + 1), scope), undefined, `character ${n}`)
    t.equal(cursors.decode(cursor.slice(0, n), scope), undefined, `cut at ${n}`)
  }
  for (const text of ['.', '..', `${cursor}.`, `${cursor}x`, `.${cursor}`, 'x'.repeat(4096)])
    t.equal(cursors.decode(text, scope), undefined)
  t.end()
})

t.test('the secret before this one still verifies', (t) => {
  const old = createCursors(['the old secret of at least 32 characters']).encode(point, scope)
  t.strictSame(createCursors([SECRET, 'the old secret of at least 32 characters']).decode(old, scope), point)
  t.end()
})

interface Page {
  readonly items: readonly { readonly title: string }[]
  readonly nextCursor: string | null
}

async function walk(server: TestServer, limits: readonly number[], path = '/v1/movies'): Promise<string[]> {
  const titles: string[] = []
  for (let cursor: string | null = '', n = 0; cursor !== null; n++) {
    const limit = limits[n % limits.length]
    const page: Page = (await server.ask('GET', `${path}?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)).json<Page>()
    titles.push(...page.items.map(({ title }) => title))
    cursor = page.nextCursor
  }
  return titles
}

t.test('a walk yields each item once, also when the page size changes; a page that is exactly full is the last one', async (t) => {
  const server = await startServer(t)
  const all = Array.from({ length: 25 }, (_, n) => `Film ${n}`)
  for (const limits of [[1], [7], [20], [25], [100], [2, 5, 1]]) t.strictSame(await walk(server, limits), all, limits.join())
  t.strictSame(await walk(server, [10], '/v1/movies/recently-added'), all)
  t.equal((await server.ask('GET', '/v1/movies?limit=25')).json<Page>().nextCursor, null)
  t.notOk('total' in (await server.ask('GET', '/v1/movies')).json<object>())
})

t.test('a cursor taken to another list, order, filter or user is 422 on cursor', async (t) => {
  const server = await startServer(t)
  const cursor = encodeURIComponent((await server.ask('GET', '/v1/movies?limit=2')).json<Page>().nextCursor ?? '')
  t.equal((await server.ask('GET', `/v1/movies?sort=title&order=asc&cursor=${cursor}`)).status, 200, 'the defaults written out')
  for (const url of [
    `/v1/movies/recently-added?cursor=${cursor}`,
    `/v1/libraries?cursor=${cursor}`,
    `/v1/movies?sort=addedAt&cursor=${cursor}`,
    `/v1/movies?order=desc&cursor=${cursor}`,
    `/v1/movies?q=film&cursor=${cursor}`,
    `/v1/movies?libraryId=${idOf('library')}&cursor=${cursor}`,
    `/v1/movies?cursor=${cursor.slice(0, -1)}`,
    '/v1/movies?cursor=nonsense',
  ]) {
    const res = await server.ask('GET', url)
    t.match(res, { status: 422 }, url)
    t.match(res.json(), { details: [{ path: 'cursor' }] })
  }
  const ann = { headers: { authorization: `Bearer ${ANN_TOKEN}` } }
  t.equal((await server.ask('GET', `/v1/movies?cursor=${cursor}`, ann)).status, 422)
  t.equal((await server.anon('GET', `/v1/movies?cursor=${cursor}`, { headers: { cookie: `session_token=${ADMIN_TOKEN}` } })).status, 200)
})
