/**
 * No password, token or key is in any response, log line or file. Each secret that a server receives or issues is distinctive; then all its
 * output is searched for it, in every encoding in which it might have been stored.
 */
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { makeClip } from '../../fixtures/media-files.ts'
import { distinctive, heldBy, heldByFiles } from '../../fixtures/planted.ts'
import { scannedMovies, signIn, startServer } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

t.test('the search finds a secret in every encoding, wherever it begins', async (t) => {
  const secrets = { it: distinctive('secret') }
  for (const before of ['', 'x', 'xx', 'xxx']) {
    const plain = Buffer.from(`${before}${secrets.it}y`)
    const utf16 = Buffer.from(plain.toString(), 'utf16le')
    const packed = Buffer.concat([Buffer.from('something else'), gzipSync(plain), Buffer.from('and more')])
    const texts = [plain, plain.toString('base64'), plain.toString('base64url'), plain.toString('hex'), plain.toString('hex').toUpperCase()]
    for (const text of [...texts, utf16, Buffer.from(utf16).swap16(), packed, gzipSync(plain).subarray(0, -9)])
      t.strictSame(heldBy(Buffer.from(text), secrets), ['it'])
  }
  t.strictSame(heldBy(Buffer.from('nothing of it'), secrets), [])
})

t.test('what is secret stands in no answer, no log line and no file', async (t) => {
  const folder = testFolder(t)
  const [dataDir, media] = [join(folder, 'data'), join(folder, 'media')]
  for (const path of [dataDir, media]) await mkdir(path)
  await makeClip({ path: join(media, 'A Clip (2020).mkv') })
  const secrets: Record<string, string> = {}
  const secret = (name: string): string => (secrets[name] = distinctive(name.replaceAll(' ', '-')))
  const admin = { email: 'admin@localhost', password: secret('password of the administrator') }
  const env = {
    MARQUEE_ADMIN_PASSWORD: admin.password,
    MARQUEE_SETUP_TOKEN: secret('setup token'),
    MARQUEE_SECRET: secret('secret that signs tokens'),
    MARQUEE_SIGN_UP: 'open',
    MARQUEE_TMDB_KEY: secret('key of the provider'),
    MARQUEE_TMDB_URL: 'http://127.0.0.1:9',
    MARQUEE_LOG_LEVEL: 'trace',
  }
  const server = await startServer({ dataDir, media, env })
  t.teardown(() => server.child.kill('SIGKILL'))
  const answers: string[] = []

  async function ask(method: string, path: string, token: string, body?: object): Promise<{ status: number; text: string }> {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    answers.push(text)
    return { status: answer.status, text }
  }

  const fixture = await signIn(server.url, admin)
  secrets['token of the administrator'] = fixture.token
  const ann = { email: 'ann@example.org', password: secret('first password'), name: 'Ann' }
  const made = JSON.parse((await ask('POST', '/v1/users', fixture.token, ann)).text) as { id: string }
  for (const password of [secret('wrong password'), secret('password of nobody')]) {
    const email = password.startsWith('wrong') ? ann.email : 'nobody@example.org'
    t.equal((await ask('POST', '/api/auth/sign-in/email', '', { email, password })).status, 401)
  }
  const login = await signIn(server.url, ann)
  secrets['token of a user'] = login.token
  const next = secret('second password')
  const change = { currentPassword: ann.password, newPassword: next }
  t.equal((await ask('POST', '/api/auth/change-password', login.token, change)).status, 200)
  t.equal((await ask('POST', '/v1/users/me/erase', login.token, { password: secret('guessed password') })).status, 422)
  t.equal((await ask('POST', `/v1/users/${made.id}/password`, fixture.token, { password: secret('third password') })).status, 204)
  t.equal((await ask('GET', `/v1/users/me?token=${secret('token of nobody')}`, '')).status, 401)
  t.equal(
    (await ask('POST', '/api/auth/sign-in/email', '', { email: ann.email, password: { [secret('misplaced password')]: 1 } })).status,
    422,
  )

  const ben = {
    email: 'ben@example.org',
    name: 'Ben',
    password: secret('password of a sign-up'),
    setupToken: secret('guessed setup token'),
  }
  t.equal((await ask('POST', '/api/auth/sign-up/email', '', ben)).status, 200)
  const late = { ...ben, email: 'not an address', password: secret('password of a refused sign-up') }
  t.equal((await ask('POST', '/api/auth/sign-up/email', '', late)).status, 422)
  t.equal((await ask('GET', '/v1/users/me', secret('bearer of nobody'))).status, 401)
  t.equal((await ask('GET', `/api/events?token=${secret('event token of nobody')}`, '')).status, 401)
  const cookie = { cookie: `session_token=${secret('cookie of nobody')}` }
  const refused = await fetch(`${server.url}/v1/users/me`, { headers: cookie, signal: AbortSignal.timeout(30_000) })
  answers.push(await refused.text())
  t.equal(refused.status, 401)

  // The answer to this request is the only one that may hold the secret; the URL, which only administrators see, may hold a token.
  const key = Buffer.from(distinctive('secret-of-a-webhook')).toString('base64')
  secrets['secret of a webhook'] = key
  const urls = { 'token in the URL of a webhook': distinctive('token-in-a-url') }
  const webhook = { url: `https://127.0.0.1:9/${Object.values(urls).join('')}`, events: ['*'], secret: `whsec_${key}` }
  t.equal(
    (await fixture.send('POST', '/v1/admin/webhooks', { ...webhook, url: `${webhook.url}?` })).status,
    422,
    'its address is not public',
  )
  const hook = await fixture.send('POST', '/v1/admin/webhooks', { ...webhook, url: webhook.url.replace('127.0.0.1', 'webhook.invalid') })
  t.equal(hook.status, 201)
  t.equal((await ask('POST', `/v1/admin/webhooks/${hook.json['id']}/test`, fixture.token)).status, 200)

  const movie = (await scannedMovies(fixture)).get('A Clip')
  const started = await fixture.send('POST', '/v1/playback/sessions', { movieId: movie?.id })
  const session = started.json as unknown as { masterPlaylistUrl: string; streamToken: string }
  secrets['stream token'] = session.streamToken
  const playlist = await fetch(`${server.url}${session.masterPlaylistUrl}?token=${session.streamToken}`)
  t.equal(playlist.status, 200)
  await playlist.text()

  const { paths } = JSON.parse((await ask('GET', '/v1/openapi.json', fixture.token)).text) as { paths: Record<string, { get?: object }> }
  const lists = Object.entries(paths).flatMap(([path, { get }]) => (get && !path.includes('{') && path !== '/api/events' ? path : []))
  t.ok(lists.length > 20, `${lists.length} routes without an id`)
  for (const path of lists) await ask('GET', path, fixture.token)
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = JSON.parse((await ask('GET', `/v1/audit?limit=100${cursor && `&cursor=${cursor}`}`, fixture.token)).text) as {
      nextCursor: string | null
    }
    cursor = page.nextCursor
  }
  const size = /\n(\d+)\n/.exec((await ask('GET', '/v1/audit/checkpoint', fixture.token)).text)?.[1]
  await ask('GET', `/v1/audit/tile/entries/000.p/${size}`, fixture.token)
  await server.end('SIGTERM')

  const hashes = Object.entries(secrets).flatMap(([name, text]) =>
    (['hex', 'base64', 'base64url'] as const).map((form) => [`${form} hash of ${name}`, createHash('sha256').update(text).digest(form)]),
  )
  const answered = Buffer.from(answers.join('\n'))
  t.strictSame(heldBy(answered, { ...secrets, ...Object.fromEntries(hashes) }), [], 'answers')
  t.strictSame(heldBy(Buffer.from(server.output()), { ...secrets, ...Object.fromEntries(hashes) }), [], 'log')
  t.strictSame(heldBy(Buffer.from(server.output()), urls), [], 'URLs in the log')
  t.strictSame(await heldByFiles(dataDir, { ...secrets, ...urls }), [], 'files')
})
