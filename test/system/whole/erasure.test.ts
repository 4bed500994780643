/**
 * An erased person leaves no readable trace. Personal data is distinctive, and the server is used in every way. After the erasure all files
 * are searched for it, in every encoding in which it might have been stored. Older backups of the vault are out of scope.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { MongoClient } from 'mongodb'
import type { Test } from 'tap'
import { makeClip } from '../../fixtures/media-files.ts'
import { distinctive, heldBy, heldByFiles, type Planted } from '../../fixtures/planted.ts'
import { scannedMovies, signIn, type Api } from './server-process.ts'
import { inEachTopology, type Installation } from './topologies.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const PASSWORD = 'correct horse'
const ANSWER_MS = 30_000
const EVENTS_MS = 1_500

const group = (): string =>
  randomBytes(2)
    .toString('hex')
    .replace(/^0+(?=.)/, '')
const network = ['2001', 'db8', `a${randomBytes(1).toString('hex')}1`, `b${randomBytes(1).toString('hex')}2`].join(':')

const PLANTED = {
  email: distinctive('email'),
  'new email': distinctive('new-email'),
  name: distinctive('name'),
  'new name': distinctive('new-name'),
  client: distinctive('client'),
  device: distinctive('device'),
  'id of the device': distinctive('device-id'),
  'user agent': distinctive('agent'),
  preferences: distinctive('preferences'),
  address: `${network}:${['c', 'd', 'e', 'f'].map((letter) => letter + group().slice(-3).padStart(3, '1')).join(':')}`,
  network,
} satisfies Planted
const email = `${PLANTED.email}@example.org`

interface Sent {
  readonly token?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A request as the person's player sends it, through a proxy. */
async function byPerson(url: string, method: string, path: string, { token, body, headers = {} }: Sent = {}) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-forwarded-for': PLANTED.address,
      'user-agent': `${PLANTED['user agent']}/1.0`,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    text,
    json: (/^[[{]/.test(text) && !text.includes('\n') ? JSON.parse(text) : {}) as Record<string, never>,
  }
}

interface Lived {
  readonly url: string
  readonly admin: Api
  readonly userId: string
  readonly token: string
  readonly movieId: string
}

/** Repeated with its key: the stored response is returned. */
async function makePerson(t: Test, url: string, admin: Api): Promise<string> {
  const headers = { 'idempotency-key': 'make the person' }
  const body = { email: email.toUpperCase(), name: `Ann ${PLANTED.name}`, password: PASSWORD }
  const [made, again] = [
    await byPerson(url, 'POST', '/v1/users', { token: admin.token, headers, body }),
    await byPerson(url, 'POST', '/v1/users', { token: admin.token, headers, body }),
  ]
  t.strictSame([made.status, again.status, again.json['id']], [201, 201, made.json['id']])
  return made.json['id'] ?? ''
}

async function signInAsPerson(t: Test, url: string): Promise<string> {
  const attempt = (address: string, password: string) =>
    byPerson(url, 'POST', '/api/auth/sign-in/email', { body: { email: address, password } })
  t.equal((await attempt(email, 'wrong')).status, 401)
  t.equal((await attempt(`not-${email}`, 'wrong')).status, 401)
  const { status, json } = await attempt(email, PASSWORD)
  t.equal(status, 200)
  return json['token'] ?? ''
}

async function play(t: Test, { url, token, movieId, admin }: Lived, watch: boolean): Promise<void> {
  const client = { name: PLANTED.client, version: '1', device: PLANTED.device, deviceId: PLANTED['id of the device'] }
  const headers = { 'idempotency-key': `play ${watch}` }
  const started = await byPerson(url, 'POST', '/v1/playback/sessions', { token, headers, body: { movieId, client } })
  t.equal(started.status, 201)
  const { id } = started.json
  const segments = await byPerson(url, 'GET', `${started.json['masterPlaylistUrl']}?token=${started.json['streamToken']}`)
  t.equal(segments.status, 200)
  for (const position of [0, 1, 2]) {
    t.equal((await byPerson(url, 'POST', `/v1/playback/sessions/${id}/heartbeat`, { token, body: { position } })).status, 200)
    await sleep(300)
  }
  t.equal((await admin.send('GET', '/v1/playback/sessions/active?scope=all')).status, 200)
  const message = `Dinner, ${PLANTED.name}`
  const told = await admin.send('POST', `/v1/admin/playback/sessions/${id}/commands`, { command: 'message', message })
  t.equal(told.status, 202)
  t.match((await byPerson(url, 'POST', `/v1/playback/sessions/${id}/heartbeat`, { token, body: { position: 3 } })).text, message)
  if (watch) t.equal((await byPerson(url, 'DELETE', `/v1/playback/sessions/${id}`, { token })).status, 204)
  else t.equal((await admin.send('POST', `/v1/admin/playback/sessions/${id}/terminate`, { message })).status, 204)
}

/** Listens until an event arrives. */
async function hearEvents({ url, token }: Lived): Promise<string> {
  const leave = new AbortController()
  const answer = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': PLANTED.address, 'user-agent': PLANTED['user agent'] },
    signal: leave.signal,
  })
  let heard = ''
  const listening = (async () => {
    for await (const piece of answer.body ?? []) heard += Buffer.from(piece).toString()
  })().catch(() => {})
  await sleep(EVENTS_MS)
  leave.abort()
  await listening
  return heard
}

/** Everything that a person does, and everything that others do with the account. */
async function live(t: Test, lived: Lived): Promise<void> {
  const { url, admin, userId, token, movieId } = lived
  const own = async (method: string, path: string, body?: object) => {
    const { status } = await byPerson(url, method, path, { token, ...(body ? { body } : {}) })
    t.ok(status < 300, `${method} ${path}: ${status}`)
  }
  const events = hearEvents(lived)
  await play(t, lived, true)
  t.match(await events, /event:|data:|:/)
  await play(t, lived, false)
  await own('PUT', '/v1/users/me/preferences', { note: PLANTED.preferences })
  await own('GET', '/v1/users/me/preferences')
  await own('PUT', `/v1/movies/${movieId}/watchlist`)
  await own('PUT', `/v1/movies/${movieId}/watched`)
  const items = [{ title: 'A Clip', year: 2020, watchedAt: '2026-01-01T20:00:00Z' }]
  const imported = { token, headers: { 'idempotency-key': 'import' }, body: { source: 'trakt', items } }
  t.ok((await byPerson(url, 'POST', '/v1/history/import', imported)).status < 300)
  for (const path of [
    '/v1/history',
    '/v1/history/export?format=csv',
    '/v1/analytics/overview',
    '/v1/users/me/audit',
    '/v1/users/me/export',
  ])
    await own('GET', path)
  await own('PATCH', '/v1/users/me', { name: `Ann ${PLANTED['new name']}`, email: `${PLANTED['new email']}@example.org` })
  await own('GET', '/v1/playback/continue-watching')
  t.equal((await byPerson(url, 'GET', '/v1/users', { token })).status, 403, 'a refused call')
  t.equal((await byPerson(url, 'POST', '/v1/users/me/erase', { token, body: { password: 'wrong' } })).status, 422)
  for (const path of [
    `/v1/users?q=${PLANTED['new name']}`,
    `/v1/users/${userId}/logins`,
    `/v1/history?userId=${userId}`,
    '/v1/history/export?scope=all&format=csv',
    '/v1/analytics/top?scope=all&by=client',
    `/v1/audit?actorId=${userId}`,
    '/v1/changes',
  ])
    t.equal((await admin.send('GET', path)).status, 200, path)
  const again = await byPerson(url, 'POST', '/api/auth/sign-in/email', {
    body: { email: `${PLANTED['new email']}@example.org`, password: PASSWORD },
  })
  t.equal(again.status, 200)
  await byPerson(url, 'POST', '/api/auth/sign-out', { token: again.json['token'] ?? '' })
}

async function marquee(installation: Installation, ...args: readonly string[]) {
  const folder = installation.topology === 'one process' ? installation.dataDir : join(installation.dataDir, 'api-1')
  const env = { PATH: process.env['PATH'] ?? '', MARQUEE_DATA_DIR: folder }
  return execa(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/cli.ts'), ...args], {
    cwd: installation.folder,
    env,
    extendEnv: false,
    reject: false,
  })
}

async function judgeWhatIsLeft(t: Test, installation: Installation, { admin, userId }: Lived, checkpoint: string): Promise<void> {
  const notes = join(installation.folder, 'checkpoint')
  writeFileSync(notes, checkpoint)
  t.match(await marquee(installation, 'verify', '--checkpoint', notes), {
    exitCode: 0,
    stdout: /every chain holds, and so does 1 checkpoint/,
  })
  t.equal((await admin.send('GET', `/v1/users/${userId}`)).status, 404)
  const top = await admin.send('GET', '/v1/analytics/top?scope=all&by=user&metric=plays')
  const counted = (top.json['items'] as unknown as { key: string; plays: number }[]).find(({ key }) => key === userId)
  t.match(counted, { label: 'erased user', plays: 3 }, 'the plays are counted')
  const history = await admin.send('GET', `/v1/history?userId=${userId}&limit=100`)
  t.ok((history.json['items'] as unknown as object[]).length >= 3, 'and listed')
  t.match(JSON.stringify((await admin.send('GET', `/v1/audit?actorId=${userId}&limit=100`)).json), /"erased user"/)
}

/** One line for each text in a document of the server. */
async function heldByMongo(t: Test, url: string): Promise<readonly string[]> {
  const client = new MongoClient(url)
  const found: string[] = []
  let documents = 0
  try {
    for (const { name } of (await client.db('admin').admin().listDatabases()).databases) {
      const database = client.db(name)
      for (const { name: collection } of await database.listCollections().toArray()) {
        for await (const bytes of database.collection(collection).find({}, { raw: true })) {
          documents++
          found.push(...heldBy(Buffer.from(bytes as unknown as Uint8Array), PLANTED).map((text) => `${text}: ${name}.${collection}`))
        }
      }
    }
  } finally {
    await client.close()
  }
  t.ok(documents > 100, `${documents} documents`)
  return [...new Set(found)]
}

async function heldByLog(installation: Installation): Promise<readonly string[]> {
  const log = await installation.openLog()
  const found: string[] = []
  const head = await log.head()
  const leave = new AbortController()
  for await (const batch of log.follow('0'.repeat(20) as typeof head, leave.signal)) {
    for (const event of batch) found.push(...heldBy(Buffer.from(JSON.stringify(event)), PLANTED).map((text) => `${text}: ${event.type}`))
    if ((batch.at(-1)?.position ?? head) >= head) break
  }
  leave.abort()
  await log.close()
  return found
}

inEachTopology('an erased person leaves no readable trace, and everything else still verifies', {}, async (t, installation) => {
  const media = join(installation.folder, 'media')
  mkdirSync(media)
  await makeClip({ path: join(media, 'A Clip (2020).mkv'), seconds: 20 })
  const server = await installation.start({ media, env: { MARQUEE_TRUSTED_PROXIES: '127.0.0.1', MARQUEE_LOG_LEVEL: 'info' } })
  const { url } = server
  const admin = await signIn(url)
  const movieId = (await scannedMovies(admin)).get('A Clip')?.id ?? ''
  const userId = await makePerson(t, url, admin)
  const lived = { url, admin, userId, movieId, token: await signInAsPerson(t, url) }
  await live(t, lived)
  const audit = JSON.stringify((await admin.send('GET', `/v1/audit?actorId=${userId}&limit=100`)).json)
  for (const name of ['address', 'user agent', 'client', 'new name'] as const)
    t.ok(audit.includes(PLANTED[name]), `the audit knew: ${name}`)

  const checkpoint = await (await fetch(`${url}/v1/audit/checkpoint`, { headers: { authorization: `Bearer ${admin.token}` } })).text()
  const erased = await admin.send('DELETE', `/v1/users/${userId}?erase=true`)
  t.equal(erased.status, 202)
  t.equal((await admin.send('DELETE', `/v1/users/${userId}?erase=true`)).status, 202, 'a repeat')
  t.match((await admin.send('GET', `/v1/erasures/${erased.json['id']}`)).json, { subject: userId, keyId: userId })
  await judgeWhatIsLeft(t, installation, lived, checkpoint)
  const replayed = { token: admin.token, headers: { 'idempotency-key': 'make the person' } }
  const body = { email: email.toUpperCase(), name: `Ann ${PLANTED.name}`, password: PASSWORD }
  t.equal((await byPerson(url, 'POST', '/v1/users', { ...replayed, body })).status, 404, 'the kept answer is gone')
  t.equal(await server.end('SIGTERM'), 0)

  t.strictSame(heldBy(Buffer.from(server.output()), PLANTED), [], 'what it printed')
  t.strictSame(await heldByFiles(installation.dataDir, PLANTED), [], 'files')
  t.strictSame(await heldByLog(installation), [], 'log')
  if (installation.mongodbUrl !== null) t.strictSame(await heldByMongo(t, installation.mongodbUrl), [], 'documents')
})
