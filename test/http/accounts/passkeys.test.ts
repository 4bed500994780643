/** Passkeys over HTTP, made by a software authenticator: the whole application on in-memory engines. */
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { createAuthenticator, type Authenticator } from '../../fixtures/authenticator.ts'
import { eventsIn } from '../../fixtures/node-fixture.ts'
import { openSecondFactor, openSecondFactorNode, PASSWORD } from '../../fixtures/second-factor-fixture.ts'

/** Of requests without a server. */
const ORIGIN = 'http://localhost:80'.replace(':80', '')

type Creation = Parameters<Authenticator['create']>[0]
type Request = Parameters<Authenticator['get']>[0] & { readonly allowCredentials: readonly { readonly id: string }[] }

async function open(t: Test) {
  const fixture = await openSecondFactor(t)
  const { send, signIn, token } = fixture

  async function make(key: Authenticator, name = 'Key ring', origin = ORIGIN) {
    const { json } = await send('POST', '/api/auth/passkeys/options', { password: PASSWORD }, token)
    const { options, ticket } = json as { readonly options: Creation; readonly ticket: string }
    const body = { ticket, name, response: key.create(options, origin) }
    return { options, body, answer: await send('POST', '/api/auth/passkeys', body, token) }
  }

  async function begin() {
    const { challenge } = (await signIn()).json as { readonly challenge: string }
    const { json } = await send('POST', '/api/auth/two-factor/passkey-options', { challenge })
    return { challenge, options: json['options'] as Request }
  }
  const verify = (challenge: string, response: JsonObject) => send('POST', '/api/auth/two-factor/verify-passkey', { challenge, response })
  const list = async () =>
    (await send('GET', '/api/auth/passkeys', undefined, token)).json['items'] as readonly { id: string; name: string }[]
  return { ...fixture, make, begin, verify, list }
}

t.test('a passkey signs in instead of a code, on every node, until it is removed', async (t) => {
  const { turnOn, make, begin, verify, list, send, token, cluster, userId } = await open(t)
  await turnOn()
  t.equal((await begin()).options, null, 'there is none yet')
  const key = createAuthenticator()
  const { answer, options } = await make(key)
  t.match(options, { rp: { id: 'localhost' }, user: { name: 'ann@example.org' }, excludeCredentials: [] })
  t.match(answer, { status: 201, json: { id: /^x[\w-]{20}$/, name: 'Key ring' } })
  t.strictSame(await list(), [answer.json])

  const { challenge, options: asked } = await begin()
  t.match(asked, { rpId: 'localhost', allowCredentials: [{ transports: ['usb'] }] })
  const other = await openSecondFactorNode(t, cluster, 'two')
  const signed = key.get(asked, ORIGIN)
  const signedIn = await other.send('POST', '/api/auth/two-factor/verify-passkey', { challenge, response: signed })
  t.match(signedIn, { status: 200, json: { token: String, user: { email: 'ann@example.org' } } })
  t.equal((await verify(challenge, signed)).status, 422, 'an answer counts once')

  const stored = JSON.stringify((await eventsIn(cluster.log)).filter(({ type }) => type === 'PasskeyAdded'))
  t.match(stored, userId)
  t.notMatch(stored, /Key ring|publicKey/, 'it is sealed')

  const { id = '' } = (await list())[0] ?? {}
  t.equal((await send('DELETE', `/api/auth/passkeys/${id}`, undefined, token)).status, 204)
  t.equal((await send('DELETE', `/api/auth/passkeys/${id}`, undefined, token)).status, 404)
  t.strictSame(await list(), [])
  const again = await begin()
  t.equal(again.options, null)
  t.equal((await verify(again.challenge, key.get({ ...asked, challenge: asked.challenge }, ORIGIN))).status, 422)
})

t.test('nobody is signed in by another key, another site, another sign-in, or by what is no answer', async (t) => {
  const { turnOn, make, begin, verify, wait } = await open(t)
  await turnOn()
  const [key, stranger] = [createAuthenticator(), createAuthenticator()]
  await make(key)
  const { challenge, options } = await begin()
  wait(1)
  const later = await begin()
  for (const [what, response] of Object.entries({
    'another key': { ...stranger.get(options, ORIGIN), id: options.allowCredentials[0]?.id ?? '' },
    'a key that nobody knows': stranger.get(options, ORIGIN),
    'another site': key.get(options, 'https://evil.example'),
    'another host': key.get({ ...options, rpId: 'evil.example' }, ORIGIN),
    'another sign-in': key.get(later.options, ORIGIN),
    nothing: {},
    'no answer': { id: options.allowCredentials[0]?.id ?? '', response: { clientDataJSON: 5 } },
  }))
    t.match(await verify(challenge, response), { status: 422, json: { details: [{ path: 'response' }] } }, what)
  t.equal((await verify('forged', key.get(options, ORIGIN))).status, 401)
  t.equal((await verify(challenge, key.get(options, ORIGIN))).status, 200)
  const old = await begin()
  wait(5 * 60_000)
  t.equal((await verify(old.challenge, key.get(old.options, ORIGIN))).status, 401, 'too late')
})

t.test('a request that names no host is refused', async (t) => {
  const { send, signIn, turnOn, app } = await open(t)
  await turnOn()
  const { challenge } = (await signIn()).json
  const options = { method: 'POST', url: '/api/auth/two-factor/passkey-options', payload: { challenge } } as const
  t.equal((await send('POST', options.url, options.payload)).status, 200)
  t.match(await app.inject({ ...options, headers: { host: 'a b' } }), { statusCode: 400, body: /The Host header is not a host/ })
})

t.test('adding one takes the password, a second factor that is on, and an answer of this page in time', async (t) => {
  const { turnOn, make, send, token, wait, own, list } = await open(t)
  const key = createAuthenticator()
  t.match((await make(key)).answer, { status: 409, json: { error: /second factor is not on/ } })
  const { backupCodes } = await turnOn()
  t.equal((await send('POST', '/api/auth/passkeys/options', { password: 'wrong' }, token)).status, 422)
  t.match((await make(key, 'Key', 'https://evil.example')).answer, { status: 422, json: { details: [{ path: 'response' }] } })
  t.match((await make(key, '  ')).answer, { status: 422, json: { details: [{ path: 'name' }] } })
  const { body, answer } = await make(key)
  t.equal(answer.status, 201)
  t.equal((await make(key, 'Renamed')).answer.status, 201)
  t.match(await list(), [{ name: 'Renamed' }], 'the same key replaces itself')
  wait(5 * 60_000)
  t.match(await send('POST', '/api/auth/passkeys', body, token), { status: 409, json: { error: /too long/ } })
  for (let n = 2; n <= 10; n += 1) t.equal((await make(createAuthenticator())).answer.status, 201)
  t.match((await make(createAuthenticator())).answer, { status: 409, json: { error: /at most 10/ } })
  await own('disable', { password: PASSWORD, code: backupCodes[0] ?? '' })
  t.strictSame(await list(), [], 'they go with the second factor')
})
