/** The command `api`: what it sends, prints, and refuses to send. */
import t from 'tap'
import type { ApiAnswer } from '../../src/app/operator/operator-commands.ts'
import { refuse } from '../../src/domain/refusal.ts'
import { run } from './offline-run.ts'

const answering = (answer: ApiAnswer) => ({ answers: { callApi: async () => answer } })

t.test('a request is sent with its method, path and body', async (t) => {
  const { code, asked } = await run(t, ['api', 'get', '/v1/movies?limit=3'])
  t.equal(code, 0)
  t.strictSame(asked, [['callApi', { method: 'GET', path: '/v1/movies?limit=3', body: null }]])
  const body = '{"name":"Films"}'
  t.strictSame((await run(t, ['api', 'PATCH', '/v1/libraries/x', '--body', body])).asked, [
    ['callApi', { method: 'PATCH', path: '/v1/libraries/x', body }],
  ])
  t.match((await run(t, ['api', 'PUT', '/v1/x', '--body', '@body.json'], { files: { 'body.json': body } })).asked, [['callApi', { body }]])
})

t.test('an answer is indented for a person, and as it came with --json', async (t) => {
  const body = '{"items":[{"title":"A\\u007f film"}]}'
  const given = answering({ status: 200, body })
  t.strictSame((await run(t, ['api', 'GET', '/v1/movies'], given)).lines, [JSON.stringify({ items: [{ title: 'A film' }] }, null, 2)])
  t.strictSame((await run(t, ['api', 'GET', '/v1/movies', '--json'], given)).lines, [body])
  const csv = answering({ status: 200, body: 'a,b\n1,2\n' })
  t.strictSame((await run(t, ['api', 'GET', '/v1/history/export?format=csv'], csv)).lines, ['a,b\n1,2'])
  const empty = answering({ status: 204, body: '' })
  t.strictSame((await run(t, ['api', 'DELETE', '/v1/libraries/x'], empty)).lines, [])
  t.strictSame((await run(t, ['api', 'DELETE', '/v1/libraries/x', '--json'], empty)).lines, ['{}'])
})

t.test('an error is printed with its status and problems, and ends with exit code 1', async (t) => {
  const details = [
    { path: 'limit', message: 'must be <= 100' },
    { path: '', message: 'must be an object' },
  ]
  const invalid = answering({ status: 422, body: JSON.stringify({ error: 'Validation error', details }) })
  t.match(await run(t, ['api', 'GET', '/v1/movies?limit=200', '--json'], invalid), {
    code: 1,
    lines: [],
    complaints: ['Validation error (HTTP 422).', '  limit: must be <= 100', '  the body: must be an object'],
  })
  t.match(await run(t, ['api', 'GET', '/v1/x'], answering({ status: 502, body: '<html>' })), {
    code: 1,
    complaints: ['The request failed (HTTP 502).'],
  })
  const refusing = { answers: { callApi: async () => refuse('invalid', 'The answer is no text but image/webp: use HTTP') } }
  t.match(await run(t, ['api', 'GET', '/api/images/x'], refusing), {
    code: 1,
    complaints: ['The answer is no text but image/webp: use HTTP.'],
  })
})

t.test('what is no request of the API is not sent, with exit code 2', async (t) => {
  const wrong: readonly (readonly [args: readonly string[], complaint: RegExp])[] = [
    [['TRACE', '/v1/movies'], /^TRACE is no method of the API: GET/],
    [['GET', 'v1/movies'], /no path of the API/],
    [['GET', '/metrics'], /begins with \/v1\/ or \/api\//],
    [['GET', '/v1/../docs/json'], /no path of the API/],
    [['GET', '//elsewhere/v1/movies'], /no path of the API/],
    [['GET', '/v1/movies', '--body', '{}'], /GET has no --body/],
    [['POST', '/v1/libraries', '--body', '@gone.json'], /@gone.json: this file cannot be read/],
    [['POST', '/v1/libraries', '--body', '{name}'], /--body is not JSON/],
    [['POST', '/v1/libraries', '--body', JSON.stringify('x'.repeat(600_000))], /longer than 500 kB/],
  ]
  for (const [args, complaint] of wrong)
    t.match(await run(t, ['api', ...args]), { code: 2, complaints: [complaint], asked: [] }, args.slice(0, 2).join(' '))
})
