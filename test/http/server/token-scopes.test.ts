/** Which scope an access token needs for each operation: a new operation without a row fails. */
import t from 'tap'
import { DEVIATING, missingScope, neededScope } from '../../../src/http/server/token-scopes.ts'
import { startServer } from '../http-server.ts'

/** `-`: no access token is judged, because the operation is public or has tokens of its own. */
const TABLE = `
POST   /api/auth/two-factor/verify                            -
GET    /api/auth/two-factor                                   sign-in
POST   /api/auth/two-factor/enable                            sign-in
POST   /api/auth/two-factor/activate                          sign-in
POST   /api/auth/two-factor/disable                           sign-in
POST   /api/auth/two-factor/generate-backup-codes             sign-in
POST   /api/auth/two-factor/passkey-options                   -
POST   /api/auth/two-factor/verify-passkey                    -
GET    /api/auth/passkeys                                     sign-in
POST   /api/auth/passkeys/options                             sign-in
POST   /api/auth/passkeys                                     sign-in
DELETE /api/auth/passkeys/{passkeyId}                         sign-in
DELETE /v1/users/{id}/second-factor                           sign-in
GET    /api/auth/oidc/start                                   -
GET    /api/auth/oidc/callback                                -
GET    /api/auth/oidc                                         sign-in
POST   /api/auth/oidc/link                                    sign-in
DELETE /api/auth/oidc/link                                    sign-in
GET    /v1/users/{id}/single-sign-on                          sign-in
DELETE /v1/users/{id}/single-sign-on                          sign-in
PUT    /v1/users/{id}/single-sign-on/consent                  sign-in
DELETE /v1/users/{id}/single-sign-on/consent                  sign-in
POST   /api/auth/sign-in/email                                -
POST   /api/auth/sign-out                                     -
GET    /api/auth/options                                      -
POST   /api/auth/sign-up/email                                -
GET    /api/auth/get-session                                  -
GET    /api/auth/list-sessions                                sign-in
POST   /api/auth/revoke-session                               sign-in
POST   /api/auth/revoke-other-sessions                        sign-in
POST   /api/auth/change-password                              sign-in
GET    /v1/users/me/access-tokens                             sign-in
POST   /v1/users/me/access-tokens                             sign-in
DELETE /v1/users/me/access-tokens/{id}                        sign-in
GET    /v1/users/me                                           read
PATCH  /v1/users/me                                           sign-in
GET    /v1/users/me/export                                    sign-in
POST   /v1/users/me/erase                                     sign-in
GET    /v1/users/me/preferences                               read
PUT    /v1/users/me/preferences                               write
GET    /v1/users                                              admin
POST   /v1/users                                              sign-in
GET    /v1/users/{id}                                         admin
PATCH  /v1/users/{id}                                         sign-in
DELETE /v1/users/{id}                                         sign-in
PUT    /v1/users/{id}/libraries                               admin
POST   /v1/users/{id}/password                                sign-in
GET    /v1/users/{id}/logins                                  sign-in
DELETE /v1/users/{id}/logins/{loginId}                        sign-in
GET    /v1/home                                               read
GET    /v1/libraries                                          read
POST   /v1/libraries                                          admin
GET    /v1/libraries/{id}                                     read
PATCH  /v1/libraries/{id}                                     admin
DELETE /v1/libraries/{id}                                     admin
GET    /v1/admin/libraries/removed                            admin
POST   /v1/admin/libraries/{id}/restore                       admin
GET    /v1/libraries/{id}/stats                               read
GET    /v1/admin/folders                                      admin
POST   /v1/libraries/{id}/scan                                admin
DELETE /v1/libraries/{id}/scan                                admin
GET    /v1/libraries/{id}/scan                                read
GET    /v1/libraries/{id}/scans                               read
GET    /v1/libraries/{id}/scans/{scanId}/changes              read
GET    /v1/libraries/{id}/scans/{scanId}                      read
GET    /v1/movies                                             read
GET    /v1/movies/recently-added                              read
GET    /v1/movies/anchors                                     read
GET    /v1/movies/{id}                                        read
PATCH  /v1/movies/{id}                                        admin
GET    /v1/movies/{id}/credits                                read
GET    /v1/movies/{id}/file-stats                             read
PUT    /v1/movies/{id}/watched                                playback
DELETE /v1/movies/{id}/watched                                playback
POST   /v1/movies/marks                                       playback
GET    /v1/movies/{id}/resume-history                         read
PUT    /v1/movies/{id}/resume                                 playback
DELETE /v1/movies/{id}/resume                                 playback
PUT    /v1/movies/{id}/watchlist                              playback
DELETE /v1/movies/{id}/watchlist                              playback
POST   /v1/movies/{id}/match                                  admin
GET    /v1/movies/{id}/match/candidates                       admin
GET    /v1/admin/match-posters/{name}                         admin
GET    /v1/facets                                             read
GET    /v1/people/{id}                                        read
GET    /v1/collections                                        read
GET    /v1/collections/{id}                                   read
GET    /v1/search                                             read
POST   /v1/playback/sessions                                  playback
GET    /v1/playback/sessions/{id}                             read
DELETE /v1/playback/sessions/{id}                             playback
GET    /v1/playback/sessions/active                           read
POST   /v1/playback/sessions/{id}/heartbeat                   playback
POST   /v1/playback/sessions/{id}/seek                        playback
GET    /v1/admin/playback/sessions/{id}                       admin
POST   /v1/admin/playback/sessions/{id}/commands              admin
POST   /v1/admin/playback/sessions/{id}/terminate             admin
GET    /v1/playback/continue-watching                         read
DELETE /v1/playback/continue-watching/{movieId}               playback
GET    /v1/history                                            read
GET    /v1/movies/{id}/history                                read
GET    /v1/history/{id}/timeline                              read
DELETE /v1/history/{id}                                       write
POST   /v1/history/import                                     write
GET    /v1/history/imports                                    read
GET    /v1/history/imports/{id}/unmatched                     read
DELETE /v1/history/imports/{id}                               write
GET    /v1/history/export                                     read
GET    /v1/movies/{id}/life                                   read
GET    /v1/libraries/{id}/changes                             read
GET    /v1/analytics/overview                                 read
GET    /v1/analytics/plays                                    read
GET    /v1/analytics/top                                      read
GET    /v1/analytics/concurrency                              read
GET    /v1/analytics/finish                                   read
GET    /v1/analytics/rewatched                                read
GET    /v1/analytics/year/{year}                              read
GET    /api/stream/{sessionId}/master.m3u8                    playback
GET    /api/stream/{sessionId}/{quality}/playlist.m3u8        playback
GET    /api/stream/{sessionId}/{quality}/iframes.m3u8         playback
GET    /api/stream/{sessionId}/{quality}/{filename}           playback
GET    /api/stream/{sessionId}/subtitles/{filename}           playback
GET    /api/stream/{sessionId}/trickplay/{filename}           playback
GET    /api/stream/{sessionId}/file                           playback
GET    /api/agent/sources/{fileId}                            -
GET    /api/images/{imageId}                                  -
GET    /v1/changes                                            read
GET    /api/events                                            read
GET    /v1/audit                                              admin
GET    /v1/users/me/audit                                     sign-in
GET    /v1/audit/checkpoint                                   admin
GET    /v1/audit/key                                          admin
POST   /v1/audit/verify                                       admin
GET    /v1/audit/proof                                        admin
GET    /v1/audit/consistency                                  admin
GET    /v1/erasures/{id}                                      admin
GET    /v1/admin/projections                                  admin
POST   /v1/admin/projections/{name}/rebuild                   admin
GET    /v1/admin/webhooks                                     admin
POST   /v1/admin/webhooks                                     admin
GET    /v1/admin/webhooks/{id}                                admin
PATCH  /v1/admin/webhooks/{id}                                admin
DELETE /v1/admin/webhooks/{id}                                admin
POST   /v1/admin/webhooks/{id}/test                           admin
GET    /v1/admin/webhooks/{id}/deliveries                     admin
POST   /v1/admin/webhooks/{id}/deliveries/{deliveryId}/retry  admin
GET    /v1/admin/server                                       admin
GET    /v1/speedtest                                          read
POST   /v1/speedtest                                          playback
GET    /healthz                                               -
GET    /readyz                                                -
GET    /v1/openapi.json                                       read`

interface Described {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).join(' '))

t.test('the description names the scope of each operation, as this table does', async (t) => {
  const server = await startServer(t)
  const { paths } = (await server.anon('GET', '/docs/openapi.json')).json() as { paths: Record<string, Record<string, Described>> }
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  const scopeOf = ({ security }: Described) => security.flatMap(({ bearer, accessToken }) => bearer ?? accessToken ?? [])[0] ?? '-'
  t.strictSame(operations.map((one) => `${one.method} ${one.path} ${scopeOf(one)}`).toSorted(), rowsOf(TABLE).toSorted())
  const ids = new Set(operations.map(({ operationId }) => operationId))
  t.strictSame(
    [...DEVIATING].filter((id) => !ids.has(id)),
    [],
    'each exception is an operation',
  )
})

t.test('what is not said otherwise needs the most that its method and callers suggest', async (t) => {
  const needed = (method: string, access: 'public' | 'user' | 'admin' | 'stream') => neededScope({ id: undefined, method, access })
  t.equal(needed('GET', 'public'), null)
  t.equal(needed('GET', 'user'), 'read')
  t.equal(needed('HEAD', 'user'), 'read')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) t.equal(needed(method, 'user'), 'write')
  t.equal(needed('GET', 'admin'), 'admin')
  t.equal(needed('GET', 'stream'), 'playback')
})

t.test('a sign-in lacks nothing, a token lacks what it does not name', async (t) => {
  for (const scope of ['read', 'playback', 'write', 'admin', 'sign-in', null] as const) t.equal(missingScope({}, scope), undefined)
  t.equal(missingScope({ scopes: ['admin'] }, 'read'), undefined)
  t.match(missingScope({ scopes: ['admin', 'write', 'playback', 'read'] }, 'sign-in'), /sign in/)
  t.match(missingScope({ scopes: ['admin'] }, 'write'), /lacks the scope `write`/)
})
