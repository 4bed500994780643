/**
 * Permissions on every route: each operation of the description has a row, so a new route without one fails. The whole application runs on
 * in-memory engines; only the streaming engine is a fake.
 */
import t, { type Test } from 'tap'
import type { App } from '../../../src/http/server/app.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { serveNode } from '../../fixtures/serve-node.ts'

/**
 * Statuses for: nobody, a user without grants, the user with a grant who owns the session, another user with a grant, an admin.
 * `{id}` is the granted library, its movie, or that session, depending on the path; `:unknown` replaces it with a missing one.
 * `-`: not requested. A row for a route that does not exist yet is allowed.
 */
const MATRIX = `
POST   /api/auth/sign-in/email                     401 401 401 401 401
POST   /api/auth/sign-out                          200 200 200 200 200
POST   /api/auth/sign-up/email                     403 403 403 403 403
GET    /api/auth/options                           200 200 200 200 200
GET    /api/auth/get-session                       200 200 200 200 200
GET    /api/auth/list-sessions                     401 200 200 200 200
POST   /api/auth/revoke-session                    401 404 404 404 404
POST   /api/auth/revoke-other-sessions             401 200 -   200 200
POST   /api/auth/change-password                   401 422 422 422 422
GET    /v1/users/me                                401 200 200 200 200
PATCH  /v1/users/me                                401 200 200 200 200
GET    /v1/users/me/preferences                    401 200 200 200 200
PUT    /v1/users/me/preferences                    401 200 200 200 200
POST   /api/auth/two-factor/verify                 401 401 401 401 401
GET    /api/auth/two-factor                        401 200 200 200 200
POST   /api/auth/two-factor/enable                 401 422 422 422 422
POST   /api/auth/two-factor/activate               401 409 409 409 409
POST   /api/auth/two-factor/disable                401 422 422 422 422
POST   /api/auth/two-factor/generate-backup-codes  401 422 422 422 422
POST   /api/auth/two-factor/passkey-options        401 401 401 401 401
POST   /api/auth/two-factor/verify-passkey         401 401 401 401 401
GET    /api/auth/passkeys                          401 200 200 200 200
POST   /api/auth/passkeys/options                  401 422 422 422 422
POST   /api/auth/passkeys                          401 409 409 409 409
DELETE /api/auth/passkeys/{passkeyId}     :unknown 401 404 404 404 404
DELETE /v1/users/{id}/second-factor       :unknown 401 403 403 403 404
GET    /api/auth/oidc/start                        404 404 404 404 404
GET    /api/auth/oidc/callback                     404 404 404 404 404
GET    /api/auth/oidc                              401 200 200 200 200
POST   /api/auth/oidc/link                         401 404 404 404 404
DELETE /api/auth/oidc/link                         401 404 404 404 404
GET    /v1/users/{id}/single-sign-on      :unknown 401 403 403 403 404
DELETE /v1/users/{id}/single-sign-on      :unknown 401 403 403 403 404
PUT    /v1/users/{id}/single-sign-on/consent :unknown 401 403 403 403 404
DELETE /v1/users/{id}/single-sign-on/consent :unknown 401 403 403 403 404
GET    /v1/users/me/access-tokens                  401 200 200 200 200
POST   /v1/users/me/access-tokens                  401 422 422 422 422
DELETE /v1/users/me/access-tokens/{id}    :unknown 401 404 404 404 404
GET    /v1/users/me/export                         401 200 200 200 200
GET    /v1/users/me/audit                          401 200 200 200 200
POST   /v1/users/me/erase                          401 422 422 422 422
GET    /v1/users                                   401 403 403 403 200
POST   /v1/users                                   401 403 403 403 422
GET    /v1/users/{id}                     :unknown 401 403 403 403 404
PATCH  /v1/users/{id}                     :unknown 401 403 403 403 404
DELETE /v1/users/{id}                     :unknown 401 403 403 403 404
PUT    /v1/users/{id}/libraries           :unknown 401 403 403 403 404
POST   /v1/users/{id}/password            :unknown 401 403 403 403 404
GET    /v1/users/{id}/logins              :unknown 401 403 403 403 404
DELETE /v1/users/{id}/logins/{loginId}    :unknown 401 403 403 403 404
GET    /v1/home                                    401 200 200 200 200
GET    /v1/libraries                               401 200 200 200 200
POST   /v1/libraries                               401 403 403 403 422
GET    /v1/libraries/{id}                          401 404 200 200 200
PATCH  /v1/libraries/{id}                          401 403 403 403 200
DELETE /v1/libraries/{id}                 :unknown 401 403 403 403 404
POST   /v1/libraries/{id}/scan            :unknown 401 403 403 403 404
GET    /v1/libraries/{id}/scan                     401 404 200 200 200
DELETE /v1/libraries/{id}/scan            :unknown 401 403 403 403 404
GET    /v1/libraries/{id}/scans                    401 404 200 200 200
GET    /v1/libraries/{id}/scans/{scanId}           401 404 200 200 200
GET    /v1/libraries/{id}/scans/{scanId}/changes   401 404 200 200 200
GET    /v1/libraries/{id}/stats                    401 404 200 200 200
GET    /v1/admin/libraries/removed                 401 403 403 403 200
GET    /v1/admin/folders                           401 403 403 403 200
POST   /v1/admin/libraries/{id}/restore   :unknown 401 403 403 403 404
GET    /v1/movies                                  401 200 200 200 200
GET    /v1/movies/recently-added                   401 200 200 200 200
GET    /v1/movies/anchors                          401 200 200 200 200
GET    /v1/movies/{id}                             401 404 200 200 200
PATCH  /v1/movies/{id}                             401 403 403 403 200
POST   /v1/movies/{id}/match              :unknown 401 403 403 403 404
GET    /v1/movies/{id}/match/candidates   :unknown 401 403 403 403 404
GET    /v1/admin/match-posters/{name}              401 403 403 403 404
GET    /v1/movies/{id}/credits                     401 404 200 200 200
GET    /v1/movies/{id}/file-stats                  401 404 200 200 200
POST   /v1/movies/marks                            401 404 200 200 200
PUT    /v1/movies/{id}/watched                     401 404 200 200 200
DELETE /v1/movies/{id}/watched                     401 404 200 200 200
GET    /v1/movies/{id}/resume-history              401 404 200 200 200
GET    /v1/movies/{id}/history                     401 404 200 200 200
PUT    /v1/movies/{id}/resume                      401 404 200 200 200
DELETE /v1/movies/{id}/resume                      401 404 204 204 204
PUT    /v1/movies/{id}/watchlist                   401 404 200 200 200
DELETE /v1/movies/{id}/watchlist                   401 404 200 200 200
GET    /v1/facets                                  401 200 200 200 200
GET    /v1/search                                  401 200 200 200 200
GET    /v1/changes                                 401 200 200 200 200
GET    /v1/collections                             401 200 200 200 200
GET    /v1/collections/{id}               :unknown 401 404 404 404 404
GET    /v1/people/{id}                    :unknown 401 404 404 404 404
POST   /v1/playback/sessions                       401 404 201 201 201
GET    /v1/playback/sessions/{id}                  401 403 200 403 403
POST   /v1/playback/sessions/{id}/heartbeat        401 403 200 403 403
POST   /v1/playback/sessions/{id}/seek             401 403 200 403 403
DELETE /v1/playback/sessions/{id}                  401 403 204 403 403
GET    /v1/playback/sessions/active                401 200 200 200 200
GET    /v1/playback/continue-watching              401 200 200 200 200
DELETE /v1/playback/continue-watching/{movieId}    401 404 204 204 204
GET    /v1/admin/playback/sessions/{id}            401 403 403 403 200
POST   /v1/admin/playback/sessions/{id}/terminate :unknown 401 403 403 403 404
POST   /v1/admin/playback/sessions/{id}/commands :unknown 401 403 403 403 404
GET    /api/stream/{sessionId}/master.m3u8         401 403 200 403 403
GET    /api/stream/{sessionId}/{quality}/playlist.m3u8 401 403 200 403 403
GET    /api/stream/{sessionId}/{quality}/iframes.m3u8 401 403 200 403 403
GET    /api/stream/{sessionId}/{quality}/{filename} 401 403 200 403 403
GET    /api/stream/{sessionId}/subtitles/{filename} 401 403 200 403 403
GET    /api/stream/{sessionId}/trickplay/{filename} 401 403 404 403 403
GET    /api/stream/{sessionId}/file                401 403 503 403 403
GET    /api/agent/sources/{fileId}                 401 401 401 401 401
GET    /api/images/{imageId}                       200 200 200 200 200
GET    /api/events                                 401 200 200 200 200
GET    /v1/speedtest                               401 200 200 200 200
POST   /v1/speedtest                               401 200 200 200 200
GET    /v1/history                                 401 200 200 200 200
GET    /v1/analytics/overview                      401 200 200 200 200
GET    /v1/analytics/plays                         401 200 200 200 200
GET    /v1/analytics/top                           401 200 200 200 200
GET    /v1/analytics/concurrency                   401 200 200 200 200
GET    /v1/analytics/finish                        401 200 200 200 200
GET    /v1/analytics/rewatched                     401 200 200 200 200
GET    /v1/analytics/year/{year}                   401 200 200 200 200
GET    /v1/history/{id}/timeline          :unknown 401 404 404 404 404
DELETE /v1/history/{id}                   :unknown 401 404 404 404 404
GET    /v1/movies/{id}/life                        401 404 200 200 200
GET    /v1/libraries/{id}/changes                  401 404 200 200 200
POST   /v1/history/import                          401 422 422 422 422
GET    /v1/history/imports                         401 200 200 200 200
GET    /v1/history/imports/{id}/unmatched :unknown 401 404 404 404 404
DELETE /v1/history/imports/{id}           :unknown 401 404 404 404 404
GET    /v1/history/export                          401 200 200 200 200
GET    /v1/audit                                   401 403 403 403 200
GET    /v1/audit/checkpoint                        401 403 403 403 200
GET    /v1/audit/key                               401 403 403 403 200
GET    /v1/audit/proof                             401 403 403 403 422
GET    /v1/audit/consistency                       401 403 403 403 422
POST   /v1/audit/verify                            401 403 403 403 422
GET    /v1/erasures/{id}                  :unknown 401 403 403 403 404
GET    /v1/admin/projections                       401 403 403 403 200
POST   /v1/admin/projections/{name}/rebuild        401 403 403 403 404
GET    /v1/admin/webhooks                          401 403 403 403 200
POST   /v1/admin/webhooks                          401 403 403 403 422
GET    /v1/admin/webhooks/{id}            :unknown 401 403 403 403 404
PATCH  /v1/admin/webhooks/{id}            :unknown 401 403 403 403 404
DELETE /v1/admin/webhooks/{id}            :unknown 401 403 403 403 404
POST   /v1/admin/webhooks/{id}/test       :unknown 401 403 403 403 404
GET    /v1/admin/webhooks/{id}/deliveries :unknown 401 403 403 403 404
POST   /v1/admin/webhooks/{id}/deliveries/{deliveryId}/retry :unknown 401 403 403 403 404
GET    /v1/admin/server                            401 403 403 403 200
GET    /healthz                                    200 200 200 200 200
GET    /readyz                                     200 200 200 200 200
GET    /v1/openapi.json                            401 200 200 200 200`

const BODIES: Readonly<Record<string, object>> = {
  'POST /api/auth/sign-in/email': { email: 'nobody@example.org', password: 'x' },
  'POST /api/auth/change-password': { currentPassword: 'wrong', newPassword: 'long enough' },
  'POST /v1/users/me/erase': { password: 'wrong' },
  'POST /api/auth/two-factor/verify': { challenge: 'forged', code: '123456' },
  'POST /api/auth/two-factor/enable': { password: 'wrong' },
  'POST /api/auth/two-factor/activate': { code: '123456' },
  'POST /api/auth/two-factor/disable': { password: 'wrong', code: '123456' },
  'POST /api/auth/two-factor/generate-backup-codes': { password: 'wrong', code: '123456' },
  'POST /api/auth/two-factor/passkey-options': { challenge: 'forged' },
  'POST /api/auth/two-factor/verify-passkey': { challenge: 'forged', response: {} },
  'POST /api/auth/passkeys/options': { password: 'wrong' },
  'POST /api/auth/passkeys': { ticket: 'forged', name: 'Key', response: {} },
  'POST /api/auth/oidc/link': { password: 'wrong' },
  'POST /v1/users/me/access-tokens': { name: 'Script', scopes: ['read'], password: 'wrong' },
  'POST /api/auth/revoke-session': { id: 'zzzzzzzzzzzzzzzzzzzzz' },
  'PUT /v1/users/{id}/libraries': { libraryAccess: 'all', libraryIds: [] },
  'POST /v1/users/{id}/password': { password: 'long enough' },
  'POST /v1/movies/{id}/match': { title: 'Other', year: 1999 },
  'PUT /v1/movies/{id}/resume': { position: 60 },
  'POST /v1/playback/sessions/{id}/heartbeat': { position: 1 },
  'POST /v1/admin/playback/sessions/{id}/commands': { command: 'pause' },
  'POST /v1/playback/sessions/{id}/seek': { position: 1 },
}

const UNKNOWN = 'zzzzzzzzzzzzzzzzzzzzz'
const IMAGE = `RIFF0000WEBPVP8 ${'x'.repeat(64)}`
/** In this order: the owner last, who may end the session that the others must not. */
const ORDER = ['nobody', 'without grant', 'another user', 'admin', 'owner'] as const
type Who = (typeof ORDER)[number]
const COLUMNS: readonly Who[] = ['nobody', 'without grant', 'owner', 'another user', 'admin']

interface Row {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly unknown: boolean
  readonly statuses: readonly string[]
}

function rowOf(line: string): Row {
  const [method = '', path = '', ...rest] = line.trim().split(/\s+/)
  const unknown = rest[0] === ':unknown'
  return { operation: `${method} ${path}`, method, path, unknown, statuses: unknown ? rest.slice(1) : rest }
}

const ROWS = MATRIX.trim().split('\n').map(rowOf)

interface World {
  readonly fixture: NodeFixture
  readonly app: App
  readonly people: Readonly<Record<Exclude<Who, 'nobody'>, Person>>
  readonly ids: Readonly<Record<string, string>>
}

async function makeWorld(t: Test): Promise<World> {
  const fixture = await openNodeFixture(t)
  fixture.mediaFiles.put('/films/Metropolis (1927)/Metropolis (1927).mkv')
  fixture.mediaFiles.put('/films/Metropolis (1927)/poster.webp', { content: IMAGE })
  fixture.mediaFiles.put('/films/Metropolis (1927)/poster.jpg', { content: IMAGE })
  const library = await fixture.newLibrary('/films')
  const scan = await fixture.scan(library)
  const movie = await fixture.movieNamed('Metropolis')
  const granted = { libraryAccess: 'selected', libraryIds: [library] } as const
  const people = {
    'without grant': await fixture.person({ libraryAccess: 'selected' }),
    owner: await fixture.person(granted),
    'another user': await fixture.person(granted),
    admin: await fixture.person({ role: 'admin' }),
  }
  const app = await serveNode(t, fixture)
  const image = movie.artwork.poster?.imageId ?? UNKNOWN
  return { fixture, app, people, ids: { library, movie: movie.id, scan: scan.id, image } }
}

/** The path of an existing resource, and of a missing one. */
async function pathsOf({ fixture, people, ids }: World, { path, unknown }: Row) {
  const session = /sessions\/\{id\}|sessionId/.test(path)
    ? allowed(await fixture.playback.start(people.owner.caller, { movieId: ids['movie'] ?? '' }, ORIGIN)).session.id
    : UNKNOWN
  const kind = path.includes('sessions/') ? session : path.includes('/libraries/') ? ids['library'] : ids['movie']
  const filename = path.includes('subtitles') ? '0.vtt' : 'init.mp4'
  const fill = (id: string) =>
    Object.entries({
      id,
      sessionId: session,
      scanId: ids['scan'],
      movieId: ids['movie'],
      imageId: ids['image'],
      loginId: UNKNOWN,
      filename,
      quality: 'original',
      year: '2026',
    })
      .reduce((filled, [name, value]) => filled.replace(`{${name}}`, value ?? UNKNOWN), path)
      .concat(path.endsWith('/speedtest') ? '?bytes=1' : path === '/v1/search' ? '?q=metropolis' : '')
  return { real: fill(unknown ? UNKNOWN : (kind ?? UNKNOWN)), unknown: fill(UNKNOWN).replace(ids['movie'] ?? '', UNKNOWN) }
}

function bodyOf({ operation, path, method }: Row, { ids }: World): object | undefined {
  if (operation === 'POST /v1/playback/sessions') return { movieId: ids['movie'] }
  if (operation === 'POST /v1/movies/marks') return { items: [{ movieId: ids['movie'], watched: true }] }
  const known = BODIES[operation]
  return known ?? (['POST', 'PUT', 'PATCH'].includes(method) && !path.endsWith('/speedtest') ? {} : undefined)
}

/** Sends the request with a separate login, which it may end. Endless responses are cut off. */
async function ask(world: World, row: Row, { who, url }: { readonly who: Who; readonly url: string }) {
  const login = who === 'nobody' ? undefined : await world.fixture.login(world.people[who].caller.userId)
  const body = bodyOf(row, world)
  const answer = await world.app.inject({
    method: row.method as 'GET',
    url,
    payloadAsStream: true,
    headers: { ...(login ? { authorization: `Bearer ${login.token}` } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  })
  const stream = answer.stream()
  if (row.path === '/api/events') stream.destroy()
  let text = ''
  if (row.path !== '/api/events') for await (const chunk of stream) text += String(chunk)
  return { status: String(answer.statusCode), text }
}

/** Every operation of the description, as `GET /path/{id}`. */
async function operationsOf(app: App): Promise<readonly string[]> {
  const { paths } = (await app.inject('/docs/openapi.json')).json<{ readonly paths: Readonly<Record<string, object>> }>()
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
}

t.test('every route has a row', async (t) => {
  const operations = await operationsOf((await makeWorld(t)).app)
  const rows = ROWS.map(({ operation }) => operation)
  t.strictSame(
    operations.filter((operation) => !rows.includes(operation)),
    [],
  )
  t.strictSame(new Set(rows).size, rows.length, 'one each')
})

t.test('everybody gets what the table says, and what is not visible is answered as what is not there', async (t) => {
  const world = await makeWorld(t)
  const there = new Set(await operationsOf(world.app))
  for (const row of ROWS.filter(({ operation }) => there.has(operation))) {
    const paths = await pathsOf(world, row)
    const got = new Map<Who, string>()
    for (const who of ORDER) {
      if (row.statuses[COLUMNS.indexOf(who)] === '-') continue
      const { status, text } = await ask(world, row, { who, url: paths.real })
      got.set(who, status)
      if (who === 'without grant' && status === '404') {
        t.equal((await ask(world, row, { who, url: paths.unknown })).text, text, `${row.operation}: invisible as unknown`)
      }
    }
    t.strictSame(
      COLUMNS.map((who) => got.get(who) ?? '-'),
      row.statuses,
      row.operation,
    )
  }
})

t.test('library grants leak through no side door: what is not granted is in no list, and its name in no answer', async (t) => {
  const world = await makeWorld(t)
  const lists = ROWS.filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/v1/') && !path.includes('{') && path !== '/v1/speedtest',
  )
  for (const row of lists) {
    const { text } = await ask(world, row, { who: 'without grant', url: row.path })
    t.notMatch(text, /metropolis/i, row.path)
    for (const id of [world.ids['library'], world.ids['movie'], world.ids['image']]) t.notMatch(text, id, row.path)
  }
})
