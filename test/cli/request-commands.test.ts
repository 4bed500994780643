/** Commands that send requests of the API: what they send for what a person names, and what they print. */
import t from 'tap'
import type { ApiAnswer, ApiAsk } from '../../src/app/operator/operator-commands.ts'
import { run } from './offline-run.ts'

type Answers = Readonly<Record<string, object | readonly object[] | ApiAnswer>>

/** Answers each request from a table by method and path; of a list of answers the last one repeats. */
function api(answers: Answers) {
  const asked: ApiAsk[] = []
  const callApi = async (ask: ApiAsk): Promise<ApiAnswer> => {
    const key = `${ask.method} ${ask.path}`
    const all = [answers[key] ?? { status: 404, body: '{"error":"Not found"}' }].flat() as readonly object[]
    const before = asked.filter(({ method, path }) => `${method} ${path}` === key).length
    asked.push(ask)
    const answer = all[Math.min(before, all.length - 1)] ?? {}
    return 'status' in answer ? (answer as ApiAnswer) : { status: 200, body: JSON.stringify(answer) }
  }
  return { asked, given: { answers: { callApi } } }
}

const EMPTY: ApiAnswer = { status: 204, body: '' }
const USER = '/v1/users/uuuuuuuuuuuuuuuuuuuuu'
const LIBRARY = '/v1/libraries/lllllllllllllllllllll'

t.test('a user is changed in what is given, and removed', async (t) => {
  const { asked, given } = api({ [`PATCH ${USER}`]: { id: 'u', role: 'user' }, [`DELETE ${USER}`]: EMPTY })
  const change = ['user', 'change', 'Ann@Example.org']
  t.match(await run(t, [...change, '--role', 'user', '--streams', '1000'], given), { code: 0, lines: [/changed: role, streams/] })
  t.match(await run(t, [...change, '--name', 'Ann B', '--streams', 'unlimited', '--json'], given), { lines: ['{"id":"u","role":"user"}'] })
  t.match(await run(t, ['user', 'remove', 'ann@example.org'], given), { code: 0, lines: [/`user erase u{21}`/] })
  t.strictSame(
    asked.map(({ method, body }) => [method, body]),
    [
      ['PATCH', '{"role":"user","maxConcurrentStreams":1000}'],
      ['PATCH', '{"name":"Ann B","maxConcurrentStreams":null}'],
      ['DELETE', null],
    ],
  )
  t.match(await run(t, ['user', 'change', 'nobody', '--name', 'N'], given), { code: 1, complaints: ['There is no user nobody'] })
  t.match(await run(t, ['user', 'remove', 'nobody'], given), { code: 1, complaints: ['There is no user nobody'] })
  for (const wrong of [[], ['--role', 'king'], ['--streams', '0'], ['--streams', '1001'], ['--streams', 'many']])
    t.equal((await run(t, [...change, ...wrong], given)).code, 2, wrong.join(' '))
})

t.test('the link of a user by e-mail is allowed and forbidden', async (t) => {
  const path = `${USER}/single-sign-on/consent`
  const { asked, given } = api({ [`PUT ${path}`]: { id: 'u' }, [`DELETE ${path}`]: EMPTY })
  t.match(await run(t, ['user', 'allow-link', 'Ann@Example.org'], given), { code: 0, lines: [/linked by the next sign-in .* seven days/] })
  t.match(await run(t, ['user', 'forbid-link', 'ann@example.org'], given), { code: 0, lines: [/needs the password/] })
  t.match(asked, [{ method: 'PUT', body: null }, { method: 'DELETE' }])
  t.match(await run(t, ['user', 'allow-link', 'nobody'], given), { code: 1, complaints: ['There is no user nobody'] })
  const off = api({ [`PUT ${path}`]: { status: 404, body: '{"error":"This server has no identity provider"}' } }).given
  t.match(await run(t, ['user', 'allow-link', 'ann@example.org'], off), { code: 1, complaints: ['This server has no identity provider.'] })
})

t.test('a library is renamed, removed, and restored by its name', async (t) => {
  const removedAt = '2026-01-01T00:00:00.000Z'
  const twice = ['s', 'u'].map((id) => ({ id, name: 'Series', removedAt }))
  const removed = { items: [{ id: 'r', name: 'Old Films', removedAt }, ...twice] }
  const { asked, given } = api({
    [`PATCH ${LIBRARY}`]: { name: 'Movies' },
    [`DELETE ${LIBRARY}`]: EMPTY,
    'GET /v1/admin/libraries/removed': removed,
    'POST /v1/admin/libraries/r/restore': { name: 'Old Films' },
  })
  t.match(await run(t, ['library', 'rename', 'films', 'Movies'], given), { code: 0, lines: ['The library Films is now called Movies.'] })
  t.match(await run(t, ['library', 'remove', 'Films'], given), { code: 0, lines: [/library restore l{21}$/] })
  t.match(await run(t, ['library', 'restore', 'old films'], given), { code: 0, lines: ['The library Old Films is back.'] })
  t.match(await run(t, ['library', 'restore', 'x'], given), {
    code: 1,
    complaints: [/Removed are: Old Films \(r\), Series \(s\), Series \(u\)$/],
  })
  t.match(await run(t, ['library', 'restore', 'series'], given), { code: 1, complaints: ['Several are called series: name one by its id'] })
  t.match(await run(t, ['library', 'rename', 'x', 'y'], given), { code: 1, complaints: ['There is no library "x"'] })
  t.match(await run(t, ['library', 'remove', 'x'], given), { code: 1, complaints: ['There is no library "x"'] })
  t.match(asked, [
    { body: '{"name":"Movies"}' },
    { method: 'DELETE' },
    { method: 'GET' },
    { method: 'POST', body: '{}' },
    { method: 'GET' },
    { method: 'GET' },
  ])
  t.equal(asked.length, 6)
})

t.test('webhooks are listed, added and removed', async (t) => {
  const webhook = { id: 'w1', url: 'https://a.example/', events: ['*'], template: 'json', enabled: false }
  const twice = { ...webhook, id: 'w2', url: 'https://b.example/' }
  const { asked, given } = api({
    'GET /v1/admin/webhooks': { items: [webhook, twice, { ...twice, id: 'w3' }] },
    'POST /v1/admin/webhooks': { ...webhook, secret: 'whsec_x' },
    'DELETE /v1/admin/webhooks/w1': EMPTY,
    'DELETE /v1/admin/webhooks/w3': EMPTY,
  })
  t.match((await run(t, ['webhook', 'list'], given)).lines, [/^ID/, /^w1 +https:\/\/a.example\/ +\* +json +disabled$/])
  const added = await run(t, ['webhook', 'add', 'https://c.example/', '--events', 'movie.added,scan.*', '--template', 'ntfy'], given)
  t.match(added, { code: 0, lines: ['whsec_x', /not shown again.*webhook remove w1/] })
  t.strictSame(asked[1]?.body, '{"url":"https://c.example/","events":["movie.added","scan.*"],"template":"ntfy"}')
  t.match(await run(t, ['webhook', 'remove', 'https://a.example/'], given), { code: 0, lines: [/is removed/] })
  t.match(await run(t, ['webhook', 'remove', 'w3'], given), { code: 0 })
  t.match(await run(t, ['webhook', 'remove', 'https://b.example/'], given), { code: 1, complaints: [/by its id/] })
  t.match(await run(t, ['webhook', 'remove', 'w9'], given), { code: 1, complaints: ['There is no webhook w9'] })
  t.strictSame((await run(t, ['webhook', 'list'], api({ 'GET /v1/admin/webhooks': { items: [] } }).given)).lines, ['There is no webhook.'])
})

t.test('snapshots are dropped, which has no end to wait for', async (t) => {
  const { given } = api({ 'POST /v1/admin/projections/snapshots/rebuild': { status: 202, body: '' } })
  t.match(await run(t, ['rebuild', 'snapshots'], given), { code: 0, lines: [/^The snapshots are dropped/] })
})

t.test('read models are listed, and rebuilt to the end', async (t) => {
  const movies = { name: 'movies', seq: '812', state: 'live', rebuild: null }
  const at = (progress: number) => ({ items: [{ ...movies, rebuild: { progress } }] })
  const { given } = api({
    'POST /v1/admin/projections/movies/rebuild': movies,
    'GET /v1/admin/projections': [at(0), at(0.5), { items: [movies] }],
  })
  t.match(await run(t, ['rebuild', 'movies'], given), { code: 0, lines: ['0 %', '50 %', 'movies is rebuilt.'] })
  t.match((await run(t, ['rebuild'], api({ 'GET /v1/admin/projections': at(0.25) }).given)).lines, [
    /^READ MODEL/,
    /^movies +812 +live +25 %$/,
  ])
  t.match(await run(t, ['rebuild', 'nothing'], given), {
    code: 1,
    complaints: ['Not found.', 'The read models are: movies, snapshots.'],
  })
})
