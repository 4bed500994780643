/** Bodies of up to 1 MB that are designed to be expensive: the schema bounds their cost. */
import t from 'tap'
import { Type } from 'typebox'
import { createValidatorCompiler } from '../../../src/http/server/validation.ts'
import { idOf } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

interface Invalid {
  readonly details: readonly { readonly path: string; readonly message: string }[]
}

/** A list that counts accesses to its items. */
function countedList(length: number): { readonly list: readonly number[]; looks(): number } {
  let looks = 0
  const get = (list: readonly number[], name: string | symbol): unknown => {
    if (typeof name === 'string' && /^\d+$/.test(name)) looks++
    return Reflect.get(list, name)
  }
  return {
    list: new Proxy(
      Array.from({ length }, () => 1),
      { get },
    ),
    looks: () => looks,
  }
}

t.test('of a list that is too long no more is looked at than it may hold', async (t) => {
  const list = Type.Array(Type.String(), { maxItems: 30 })
  const deep = Type.Object({
    capabilities: Type.Object({ containers: list, video: Type.Array(Type.Object({ hdr: list }), { maxItems: 40 }) }),
  })
  const check = createValidatorCompiler()({ schema: { ...deep }, method: 'POST', url: '/', httpPart: 'body' })
  const [containers, hdr] = [countedList(520_000), countedList(520_000)]
  check({ capabilities: { containers: containers.list, video: [{ hdr: hdr.list }] } })
  t.ok(containers.looks() < 200, `${containers.looks()} looks`)
  t.ok(hdr.looks() < 200, `${hdr.looks()} looks`)
})

t.test('one POST with half a million numbers is answered by what is wrong with the list', async (t) => {
  const server = await startServer(t)
  const raw = `{"movieId":"${idOf('movie')}","capabilities":{"containers":[${'1,'.repeat(519_999)}1]}}`
  const res = await server.ask('POST', '/v1/playback/sessions', { raw, headers: JSON_TYPE })
  t.equal(res.status, 422)
  const { details } = res.json<Invalid>()
  t.match(details[0], { path: 'capabilities.containers', message: /30/ })
  t.ok(details.length <= 20)
})

t.test('at most 20 problems are reported', async (t) => {
  const server = await startServer(t)
  const res = await server.ask('POST', '/v1/libraries', { body: { name: ' ', paths: Array.from({ length: 50 }, () => 5) } })
  t.equal(res.json<Invalid>().details.length, 20)
  t.equal(res.json<Invalid>().details[0]?.path, 'name')
})

t.test('a relative folder is reported together with a wrong name', async (t) => {
  const server = await startServer(t)
  for (const path of ['films', '', '/films/../etc', '/fi\0lms', '/..', '..']) {
    const res = await server.ask('POST', '/v1/libraries', { body: { name: '', paths: ['/films', path, '/more..films'] } })
    t.strictSame([res.status, res.json<Invalid>().details.map((problem) => problem.path)], [422, ['name', 'paths.1']], JSON.stringify(path))
  }
})

t.test('a body of 5,000 levels is 400, with an idempotency key and without, and so is one of 500,000', async (t) => {
  const server = await startServer(t)
  for (const depth of [101, 5_000, 500_000]) {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const raw = `{"name":"Films","paths":["/a"],"x":${open.repeat(Math.min(depth, 170_000))}1${close.repeat(Math.min(depth, 170_000))}}`
      for (const key of [{}, { 'idempotency-key': `${open}${depth}` }]) {
        const res = await server.ask('POST', '/v1/libraries', { raw, headers: { ...JSON_TYPE, ...key } })
        t.equal(res.status, 400, `${depth} ${open}`)
      }
    }
  }
  const flat = `{"name":"[[[[[${'{'.repeat(150)}","paths":["/a\\"${'['.repeat(500)}"]}`
  t.equal((await server.ask('POST', '/v1/libraries', { raw: flat, headers: JSON_TYPE })).status, 201, 'brackets in texts are no levels')
})

t.test('a folder that is named twice or lies outside the media roots is reported together with a wrong name', async (t) => {
  const server = await startServer(t, { config: { mediaRoots: ['/films'] } })
  const res = await server.ask('POST', '/v1/libraries', { body: { name: '', paths: ['/films/a', '/films//a/', 'films', '/etc'] } })
  const { details } = res.json<Invalid>()
  t.strictSame([res.status, details.map(({ path }) => path).toSorted()], [422, ['name', 'paths.1', 'paths.2', 'paths.3']])
  t.match(
    details.filter(({ path }) => path === 'paths.1' || path === 'paths.3').toSorted((a, b) => a.path.localeCompare(b.path)),
    [{ message: 'This folder is named twice' }, { message: /MARQUEE_MEDIA_ROOTS/ }],
  )
})

t.test('a wrong folder in `path` is reported together with a wrong name, and so are those of a scan with its mode', async (t) => {
  const server = await startServer(t, { config: { mediaRoots: ['/films'] } })
  for (const path of ['films', '/films/../etc', '/etc']) {
    const res = await server.ask('POST', '/v1/libraries', { body: { name: '', path } })
    t.strictSame(
      [
        res.status,
        res
          .json<Invalid>()
          .details.map((problem) => problem.path)
          .toSorted(),
      ],
      [422, ['name', 'path']],
      path,
    )
  }
  const { id } = (await server.ask('POST', '/v1/libraries', { body: { name: 'Films', path: '/films' } })).json<{ id: string }>()
  const res = await server.ask('POST', `/v1/libraries/${id}/scan`, { body: { mode: 'half', paths: ['/films', '../etc'] } })
  t.strictSame(
    [
      res.status,
      res
        .json<Invalid>()
        .details.map((problem) => problem.path)
        .toSorted(),
    ],
    [422, ['mode', 'paths.1']],
  )
})
