import t from 'tap'
import { startServer } from '../http-server.ts'

t.test('errors are problem details for who asks for them by name', async (t) => {
  const server = await startServer(t)
  for (const accept of ['application/problem+json', 'application/json;q=0.5, Application/Problem+JSON;q=0.9']) {
    const refused = await server.ask('GET', '/v1/movies?limit=0&sort=colour', { headers: { accept } })
    t.match(refused, { status: 422, headers: { 'content-type': 'application/problem+json', 'x-error-code': 'validation_error' } })
    t.match(refused.json(), {
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Validation error',
      code: 'validation_error',
      errors: [{ path: 'limit' }, { path: 'sort' }],
    })
  }
  const accept = 'application/problem+json'
  t.strictSame((await server.anon('GET', '/v1/movies', { headers: { accept } })).json(), {
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    detail: 'Missing or invalid authentication',
    code: 'unauthenticated',
  })
  for (const url of ['/nowhere', '/v1/%ff']) {
    t.equal((await server.ask('GET', url, { headers: { accept } })).headers['content-type'], 'application/problem+json; charset=utf-8', url)
  }
  t.match(await server.ask('GET', '/v1/users/me', { headers: { accept } }), {
    status: 200,
    headers: { 'content-type': /^application\/json/ },
  })
})

t.test('all other clients get the plain error body, and nothing else', async (t) => {
  const server = await startServer(t)
  for (const accept of ['*/*', 'application/*', 'application/json', 'application/problem+json;q=0', '']) {
    const res = await server.ask('GET', '/nowhere', { headers: { accept } })
    t.strictSame(res.json(), { error: 'Not found' }, accept)
    t.equal(res.headers['content-type'], 'application/json; charset=utf-8')
  }
})

t.test('a body that is too large is reported as a problem, too', async (t) => {
  const server = await startServer(t)
  const headers = { accept: 'application/problem+json', 'content-type': 'application/json' }
  const res = await server.ask('POST', '/v1/libraries', { raw: Buffer.alloc(1_048_577, 0x20), headers })
  t.match(res, { status: 413, headers: { 'content-type': 'application/problem+json' } })
  t.match(res.json(), { status: 413, code: 'too_large' })
})
