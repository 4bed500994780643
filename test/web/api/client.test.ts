import t, { type Test } from 'tap'
import { addressOf, answerOf, api, valueOf } from '../../../web/api/client.ts'
import { isPassing, NO_ANSWER, RequestFailed } from '../../../web/api/problems.ts'

interface Sent {
  readonly address: string
  readonly init: RequestInit
}

function fetchWith(t: Test, fetch: typeof globalThis.fetch): void {
  const before = globalThis.fetch
  globalThis.fetch = fetch
  t.teardown(() => void (globalThis.fetch = before))
}

/** Answers every request in the place of a server, and keeps what was sent. */
function answerWith(t: Test, ...answers: readonly Response[]): readonly Sent[] {
  const sent: Sent[] = []
  const left = [...answers]
  fetchWith(t, async (address, init = {}) => {
    sent.push({ address: address instanceof Request ? address.url : `${address}`, init })
    const answer = left.shift()
    if (!answer) throw new TypeError('Failed to fetch')
    return answer
  })
  return sent
}

t.test('parameters of a path are encoded, lists of a query repeated, and what is undefined left out', async (t) => {
  t.equal(addressOf('/v1/movies/{id}/life', { path: { id: 'a/b?' } }), '/v1/movies/a%2Fb%3F/life')
  t.equal(
    addressOf('/v1/movies', { query: { q: 'a & ü', genre: ['x', 'y z'], year: undefined, watched: false, limit: 0 } }),
    '/v1/movies?q=a%20%26%20%C3%BC&genre=x&genre=y%20z&watched=false&limit=0',
  )
  t.equal(addressOf('/v1/home', { query: {} }), '/v1/home')
})

t.test('a body is sent as JSON, and a request without one has no type', async (t) => {
  const sent = answerWith(t, Response.json({ movieId: 'm' }), new Response(null, { status: 204 }))
  await api.PUT('/v1/movies/{id}/resume', { params: { path: { id: 'm' } }, body: { position: 1 } })
  await api.DELETE('/v1/movies/{id}/resume', { params: { path: { id: 'm' } } })
  t.match(sent, [
    { address: '/v1/movies/m/resume', init: { method: 'PUT', body: '{"position":1}', headers: { 'content-type': 'application/json' } } },
    { address: '/v1/movies/m/resume', init: { method: 'DELETE', headers: {} } },
  ])
  t.notOk('body' in (sent[1]?.init ?? {}))
  t.strictSame(Object.keys(sent[1]?.init.headers ?? {}), [])
})

t.test('answers are values: JSON, text, nothing, a problem, and silence', async (t) => {
  const request = () => answerOf(api.GET('/v1/movies/{id}', { params: { path: { id: 'm' } } }))
  answerWith(
    t,
    Response.json({ id: 'm' }, { headers: { etag: '"1"' } }),
    new Response(null, { status: 204 }),
    Response.json({ error: 'Not found' }, { status: 404 }),
    new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': '3' } }),
  )
  t.match(await request(), { ok: true, value: { id: 'm' }, etag: '"1"' })
  t.match(await request(), { ok: true, value: undefined })
  t.match(await request(), { ok: false, problem: { status: 404, message: 'Not found' } })
  t.match(await request(), { ok: false, problem: { status: 502, message: 'Error 502', retryAfterSeconds: 3 } })
  t.match(await request(), { ok: false, problem: { status: 0 } })
})

t.test('texts stay texts, and an abort is thrown', async (t) => {
  answerWith(t, new Response('marquee\n12\n'))
  t.equal(await valueOf(api.GET('/v1/audit/checkpoint', { parseAs: 'text' })), 'marquee\n12\n')
  await t.rejects(valueOf(api.GET('/v1/facets')), RequestFailed)
  fetchWith(t, async () => {
    throw new DOMException('', 'AbortError')
  })
  await t.rejects(valueOf(api.GET('/v1/facets')), { name: 'AbortError' })
})

t.test('a server that restarts or is busy may answer in a moment, a film whose file is missing does not', async (t) => {
  const request = () => answerOf(api.GET('/v1/movies/{id}', { params: { path: { id: 'm' } } }))
  const unavailable = (code: string) =>
    Response.json({ error: 'It is missing' }, { status: 503, headers: { 'retry-after': '30', 'x-error-code': code } })
  answerWith(t, unavailable('file_unavailable'), unavailable('unavailable'), new Response('', { status: 503 }))
  const passing: boolean[] = []
  for (let n = 0; n < 3; n += 1) {
    const answer = await request()
    passing.push(!answer.ok && isPassing(answer.problem))
  }
  t.strictSame(passing, [false, true, true])
  t.ok(isPassing(NO_ANSWER))
})
