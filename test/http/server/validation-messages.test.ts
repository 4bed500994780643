/** What a client learns about a text in the wrong form: what is wanted. */
import t from 'tap'
import { startServer } from '../http-server.ts'

interface Refused {
  readonly details: readonly { readonly path: string; readonly message: string }[]
}

const PASSWORD = 'a long password'

t.test('a text in the wrong form is refused with what is wanted', async (t) => {
  const server = await startServer(t)
  for (const [method, url, body, path, message] of [
    ['POST', '/v1/users', { email: 'ann.example.org', name: 'Ann', password: PASSWORD }, 'email', /^must be an e-mail address/],
    [
      'POST',
      '/v1/users',
      { email: 'ann@example.org', name: ' ', password: PASSWORD },
      'name',
      /^must have 1 to 200 characters, not only sp/,
    ],
    ['POST', '/v1/libraries', { name: 'Films', paths: ['/films'], language: 'German' }, 'language', /^must look like de$/],
    ['POST', '/v1/admin/webhooks', { url: 'https://example.org', events: ['added'] }, 'events.0', /^must look like movie\.\*$/],
    ['POST', '/api/auth/passkeys', { name: ' ', ticket: 'x', response: {} }, 'name', /^must not be blank$/],
  ] as const) {
    const answer = await server.ask(method, url, { body })
    t.equal(answer.status, 422, url)
    const { details } = answer.json<Refused>()
    t.match(details.find((detail) => detail.path === path)?.message, message, `${url}: ${answer.text}`)
  }
})
