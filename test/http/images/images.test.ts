import t from 'tap'
import { ADMIN_TOKEN, ANN_TOKEN, idOf, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { serverOf } from '../http-server.ts'
import { addImageRoutes } from '../../../src/http/images/images-routes.ts'
import { createFakeServer } from '../../fixtures/fake-services/server.ts'
import { createFakeImages } from '../../fixtures/fake-services/images.ts'

const startServer = serverOf(addImageRoutes, () => ({ ...createFakeServer(), ...createFakeImages() }))

const URL = `/api/images/${idOf('poster')}`

t.test('an image is public, typed, and kept: a day, with a version a year', async (t) => {
  const server = await startServer(t)
  const res = await server.anon('GET', URL)
  t.match(res, {
    status: 200,
    text: 'image',
    headers: {
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=86400',
      etag: /^"[\w-]{22}"$/,
      'content-length': '5',
      'x-content-type-options': 'nosniff',
    },
  })
  t.equal((await server.anon('GET', `${URL}?v=2&w=300`)).headers['cache-control'], 'public, max-age=31536000, immutable')
  t.match(await server.anon('HEAD', URL), { status: 200, text: '', headers: { 'content-length': '5', etag: res.headers['etag'] } })
  for (const tag of [res.headers['etag'] ?? '', `W/${res.headers['etag']}`, '*']) {
    t.match(await server.anon('GET', URL, { headers: { 'if-none-match': tag } }), {
      status: 304,
      text: '',
      headers: { etag: res.headers['etag'] },
    })
  }
})

t.test('a credential that is out of date does not hide a public image', async (t) => {
  const server = await startServer(t)
  t.equal((await server.anon('GET', URL, { headers: { cookie: 'session_token=old' } })).status, 200)
})

t.test('what stands for a broken image is kept for a minute, whatever its version', async (t) => {
  const server = await startServer(t)
  const res = await server.anon('GET', `/api/images/${idOf('broken')}?v=2`)
  t.match(res, { status: 200, headers: { 'cache-control': 'public, max-age=60' } })
})

t.test('an unknown image is 404', async (t) => {
  const server = await startServer(t)
  for (const id of [idOf('unknown'), 'x', '..%2f..%2fetc%2fpasswd']) t.equal((await server.anon('GET', `/api/images/${id}`)).status, 404)
})

t.test('sizes and forms outside the limits are 422', async (t) => {
  const server = await startServer(t)
  for (const query of ['w=0', 'w=3841', 'h=0', 'h=x', 'fit=fill', 'q=0', 'q=101', 'format=svg', 'w=1&w=2'])
    t.equal((await server.anon('GET', `${URL}?${query}`)).status, 422, query)
  t.equal((await server.anon('GET', `${URL}?w=1&h=3840&fit=contain&q=100&format=webp`)).status, 200)
})

t.test('an image that is not public wants an access token and a grant, and is kept by nobody else', async (t) => {
  const server = await startServer(t)
  const url = `/api/images/${idOf('private')}`
  const unknown = `/api/images/${idOf('unknown')}`
  for (const token of ['', `?token=${STREAM_TOKEN}`, '?token=expired']) {
    const [hidden, missing] = [await server.anon('GET', `${url}${token}`), await server.anon('GET', `${unknown}${token}`)]
    t.equal(hidden.status, token === '' ? 404 : 401, token)
    t.strictSame([missing.status, missing.text], [hidden.status, hidden.text], 'a stranger cannot tell a private image from a missing one')
  }
  t.strictSame(
    (await server.anon('GET', `${url}?token=${ANN_TOKEN}`)).text,
    (await server.anon('GET', `/api/images/${idOf('unknown')}`)).text,
    'to who may not see it it is as unknown as any other',
  )
  for (const asked of [
    { url: `${url}?token=${ADMIN_TOKEN}`, headers: {} },
    { url, headers: { authorization: `Bearer ${ADMIN_TOKEN}` } },
    { url, headers: { cookie: `session_token=${ADMIN_TOKEN}` } },
  ]) {
    const res = await server.anon('GET', asked.url, { headers: asked.headers })
    t.match(res, { status: 200, headers: { 'cache-control': 'private, no-cache', vary: /Authorization, Cookie/ } })
  }
})
