import fastify from 'fastify'
import t from 'tap'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { App } from '../../../src/http/server/app.ts'
import { addEntityTags } from '../../../src/http/server/entity-tags.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { addErrorHandler } from '../../../src/http/server/error-handler.ts'
import { notFound } from '../../../src/http/server/errors.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { admin, ann, idOf, library } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

t.test('one thing has a strong tag, which differs by caller; a list a weak one; both answer 304 to who knows them', async (t) => {
  const server = await startServer(t)
  const [one, list] = [`/v1/libraries/${library.id}`, '/v1/libraries?limit=2']
  for (const [url, form] of [
    [one, /^"[\w-]{22}\.[\w-]{8}"$/],
    [list, /^W\/"[\w-]{22}\.[\w-]{8}"$/],
  ] as const) {
    const res = await server.ask('GET', url)
    const { etag = '' } = res.headers
    t.match(etag, form)
    t.match(res.headers, { 'cache-control': 'private, no-cache', vary: 'Authorization, Cookie, Accept-Encoding' })
    t.equal((await server.ask('GET', url)).headers['etag'], etag, 'the same for the same')
    t.equal((await server.ask('HEAD', url)).headers['etag'], etag, 'HEAD tells it too')
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const unchanged = await server.ask('GET', url, { headers: { 'if-none-match': known } })
      t.match(unchanged, { status: 304, text: '', headers: { etag, vary: res.headers['vary'], 'cache-control': 'private, no-cache' } })
      t.notOk(unchanged.headers['content-type'])
    }
    t.equal((await server.ask('GET', url, { headers: { 'if-none-match': '"other"' } })).status, 200)
    const other = await server.ask('GET', url, { headers: { authorization: `Bearer ${'b'.repeat(43)}`, 'if-none-match': etag } })
    t.equal(other.status, 200, 'what one caller knows is not what another one is shown')
  }
  t.not((await server.ask('GET', '/v1/libraries?limit=1')).headers['etag'], (await server.ask('GET', list)).headers['etag'])
})

t.test('errors and refused reads have no tag, and what is unknown stays 404 whatever the client knows', async (t) => {
  const server = await startServer(t)
  const unknown = await server.ask('GET', `/v1/libraries/${idOf('unknown')}`, { headers: { 'if-none-match': '*' } })
  t.match(unknown, { status: 404, headers: { etag: undefined } })
  t.match(await server.ask('GET', '/v1/movies?limit=0', { headers: { 'if-none-match': '*' } }), {
    status: 422,
    headers: { etag: undefined },
  })
  t.equal((await server.anon('GET', '/v1/movies', { headers: { 'if-none-match': '*' } })).status, 401)
})

t.test('a list of the catalogue that has not changed is answered without a query', async (t) => {
  let changed: string | undefined = 'one'
  let queries = 0
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      lastChanges: { catalogue: () => changed },
      movies: { ...services.movies, list: async (...args) => (queries++, services.movies.list(...args)) },
    }),
  })
  const { etag = '' } = (await server.ask('GET', '/v1/movies')).headers
  t.match(etag, /^W\/"[\w-]{22}"$/)
  const again = () => server.ask('GET', '/v1/movies', { headers: { 'if-none-match': etag } })
  t.match(await again(), { status: 304, text: '', headers: { etag } })
  t.equal(queries, 1)
  t.equal((await server.ask('GET', '/v1/movies?limit=3', { headers: { 'if-none-match': etag } })).status, 200, 'another query')
  changed = 'two'
  t.equal((await again()).status, 200)
  changed = undefined
  t.match(
    await again(),
    { status: 200, headers: { etag: /^W\/"[\w-]{22}\.[\w-]{8}"$/ } },
    'while nobody knows, the answer itself is looked at',
  )
})

t.test('a list that was just sent is sent again without a query, until it may show something else', async (t) => {
  let changed = 'one'
  let queries = 0
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      lastChanges: { catalogue: () => changed },
      movies: { ...services.movies, list: async (...args) => (queries++, services.movies.list(...args)) },
    }),
  })
  const asked = async (query = '') => {
    const before = queries
    const { status, text, headers } = await server.ask('GET', `/v1/movies${query}`)
    t.equal(status, 200)
    return { text, type: headers['content-type'], etag: headers['etag'], queries: queries - before }
  }
  const first = await asked()
  t.equal(first.queries, 1)
  t.strictSame(await asked(), { ...first, queries: 0 }, 'the same bytes, tag and type')
  t.equal((await asked('?limit=3')).queries, 1, 'another list')
  changed = 'two'
  t.equal((await asked()).queries, 1, 'a change')
  for (const query of ['?sort=random', '?sort=random']) t.equal((await asked(query)).queries, 1, 'another order each time')
  await asked('?sort=random&seed=7')
  t.equal((await asked('?sort=random&seed=7')).queries, 0)
})

t.test(
  'a movie that was just sent is sent again without a query, with the same strong tag, until it may show something else',
  async (t) => {
    let changed: string | undefined = 'one'
    let holds: boolean | undefined
    let queries = 0
    const server = await startServer(t, {
      services: (services) => ({
        ...services,
        lastChanges: { catalogue: () => changed },
        movies: {
          ...services.movies,
          async get(...args) {
            queries++
            const found = await services.movies.get(...args)
            return isRefusal(found) || holds === undefined ? found : { ...found, holds: async () => holds === true }
          },
        },
      }),
    })
    const { items } = JSON.parse((await server.ask('GET', '/v1/movies')).text) as { readonly items: readonly { readonly id: string }[] }
    const id = items[0]?.id ?? ''
    const asked = async (method: 'GET' | 'HEAD' = 'GET', headers = {}) => {
      const before = queries
      const res = await server.ask(method, `/v1/movies/${id}`, { headers })
      return { status: res.status, text: res.text, type: res.headers['content-type'], etag: res.headers['etag'], queries: queries - before }
    }
    changed = undefined
    const first = await asked()
    t.match(first, { status: 200, etag: /^"[\w-]{22}\.[\w-]{8}"$/, queries: 1 })
    t.strictSame(await asked(), first, 'nothing is kept while nobody knows whether it has changed')
    changed = 'one'
    t.strictSame(await asked(), first)
    t.strictSame(await asked(), { ...first, queries: 0 }, 'the same bytes, tag and type')
    t.strictSame(await asked('HEAD'), { ...first, text: '', queries: 0 })
    t.match(await asked('GET', { 'if-none-match': first.etag }), { status: 304, text: '', etag: first.etag, queries: 0 })
    t.match(await asked('GET', { 'if-none-match': '*' }), { status: 304, queries: 1 })
    changed = 'two'
    holds = true
    t.strictSame(await asked(), first, 'a change')
    t.strictSame(await asked(), { ...first, queries: 0 }, 'what is beside the catalogue holds')
    holds = false
    t.strictSame(await asked(), first, 'it does no more')
  },
)

t.test('a URL without a read has no tag: a write to it that depends on a tag is 412, and `*` is left to the handler', async (t) => {
  const server = await startServer(t)
  const movie = `/v1/movies/${idOf('movie')}`
  for (const [method, url, body] of [
    ['DELETE', `${movie}/watched`],
    ['PUT', `${movie}/watched`, {}],
    ['DELETE', `${movie}/watchlist`],
    ['PUT', `${movie}/watchlist`],
    ['DELETE', `${movie}/resume`],
    ['PUT', `${movie}/resume`, { position: 1 }],
    ['DELETE', `/v1/playback/continue-watching/${idOf('movie')}`],
  ] as const) {
    for (const tag of ['"nope"', 'W/"nope"', '""', 'nope', '"a", "b"', ''])
      t.match(
        await server.ask(method, url, { body, headers: { 'if-match': tag } }),
        { status: 412, headers: { 'x-error-code': 'precondition_failed' } },
        `${method} ${url} ${tag}`,
      )
    t.ok((await server.ask(method, url, { body, headers: { 'if-match': '*' } })).status < 300, `${method} ${url} *`)
  }
  const unknown = `/v1/history/${idOf('unknown')}`
  t.equal((await server.ask('DELETE', unknown, { headers: { 'if-match': '*' } })).status, 404)
  t.equal((await server.ask('DELETE', unknown, { headers: { 'if-match': '"nope"' } })).status, 412)
})

t.test('a write may depend on what was read: 412 when it has changed, 404 where there is nothing', async (t) => {
  const app: App = fastify().withTypeProvider<TypeBoxTypeProvider>()
  t.teardown(() => app.close())
  let name = 'Films'
  let caller = admin
  app.decorateRequest('caller', null)
  app.decorateRequest('failure', null)
  app.addHook('onRequest', async (request) => void (request.caller = caller))
  addErrorHandler(app, createTestClock())
  addEntityTags(app, { lastChanges: { catalogue: () => undefined }, readYourWrites: { waitFor: async () => {} } })
  const response = { 200: { content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } } } }
  app.get<{ Params: { id: string } }>('/v1/things/:id', { schema: { response } }, async ({ params }) => {
    if (params.id !== 'known') throw notFound()
    return { name, secret: 'not shown' }
  })
  app.patch('/v1/things/:id', async () => ({ name: (name = 'Renamed') }))
  app.delete('/v1/things/:id', async (_request, reply) => reply.code(204).send())

  const send = (method: 'GET' | 'PATCH' | 'DELETE', id: string, headers: Record<string, string> = {}) =>
    app.inject({ method, url: `/v1/things/${id}`, headers })
  const { etag } = (await send('GET', 'known')).headers
  t.equal((await send('PATCH', 'known', { 'if-match': '"other"' })).statusCode, 412)
  t.equal((await send('PATCH', 'known', { 'if-match': `W/${etag}` })).statusCode, 412, 'a weak tag matches nothing')
  t.equal((await send('PATCH', 'unknown', { 'if-match': '"other"' })).statusCode, 404)
  t.equal(name, 'Films')
  caller = ann
  t.equal((await send('PATCH', 'known', { 'if-match': String(etag) })).statusCode, 412, 'the tag of another caller')
  caller = admin
  t.equal((await send('PATCH', 'known', { 'if-match': `"other", ${etag}` })).statusCode, 200)
  t.equal((await send('DELETE', 'known', { 'if-match': String(etag) })).statusCode, 412, 'it has changed since')
  t.equal((await send('DELETE', 'known', { 'if-match': '*' })).statusCode, 204)
  t.equal((await send('PATCH', 'known')).statusCode, 200, 'who says nothing is not held up')
})
