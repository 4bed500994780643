import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { Validator } from '@seriousme/openapi-schema-validator'
import { idOf, movie, session, library, scan } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly security: readonly object[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>>
}

interface Description {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly components: { readonly schemas: Readonly<Record<string, unknown>>; readonly securitySchemes: unknown }
}

const server = await startServer(t)
const description = (await server.ask('GET', '/v1/openapi.json')).json<Description>()
const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
)

t.test('the description is OpenAPI 3.1 and needs a login; the documentation has a public copy', async (t) => {
  t.match(description, { openapi: '3.1.0', info: { title: 'Marquee', version: '0.0.0' } })
  t.equal((await server.anon('GET', '/v1/openapi.json')).status, 401)
  t.match(await server.anon('GET', '/docs/openapi.json'), { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } })
  t.strictSame((await server.anon('GET', '/docs/openapi.json')).json(), description)
})

t.test('the documentation pages need nothing from elsewhere and load the copy beside them', async (t) => {
  const page = await server.anon('GET', '/docs')
  t.match(page, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  t.notMatch(page.text, /(?:src|href)="(?:https?:)?\/\//)
  for (const [, path] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    t.equal((await server.anon('GET', new URL(path ?? '', 'http://x/docs').pathname)).status, 200, path ?? '')
  }
  t.match((await server.anon('GET', '/docs/static/swagger-initializer.js')).text, "resolveUrl('./openapi.json')")
})

t.test('it is clean in redocly', { timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-openapi-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(description))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const cli = fileURLToPath(new URL('bin/cli.js', import.meta.resolve('@redocly/cli/package.json')))
  const command = [cli, 'lint', '--config', join(ROOT, 'redocly.yaml'), file]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env, cwd: ROOT }).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  )
  t.match(stderr + stdout, /is valid/)
  t.notMatch(stderr + stdout, /warning|error/i)
})

t.test('it is valid by the schema of OpenAPI', async (t) => {
  const validator = new Validator()
  t.match(await validator.validate(JSON.parse(JSON.stringify(description))), { valid: true })
  t.equal(validator.version, '3.1')
})

t.test('it holds every route and no other, each operation under a name of its own', (t) => {
  const described = operations.map(({ method, path }) => `${method} ${path}`)
  t.ok(described.length > 0)
  t.strictSame(described.toSorted(), server.routes().toSorted())
  t.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  t.end()
})

t.test('every operation is tagged with a tag that is described, and names its errors with one body in two forms', (t) => {
  const tags = new Set(description.tags.map(({ name }) => name))
  for (const { path, method, tags: own, responses } of operations) {
    t.ok(own.length === 1 && own.every((tag) => tags.has(tag)), `${method} ${path}`)
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
    t.ok(errors.length > 0)
    for (const [, response] of errors)
      t.strictSame(response.content, {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      })
    const needed = path.startsWith('/v1') ? ['401', '413', '429', '503'] : ['413', '503']
    for (const status of needed) t.ok(status in responses, `${status} of ${method} ${path}`)
  }
  t.end()
})

t.test('every operation that refuses a body of another media type says so', (t) => {
  const silent = operations.filter(({ responses }) => !('415' in responses)).map(({ operationId }) => operationId)
  t.strictSame(silent.toSorted(), ['revokeOtherSessions', 'signOut'])
  t.end()
})

t.test('resources have names, references none that are made up', (t) => {
  const names = Object.keys(description.components.schemas)
  for (const name of ['Library', 'Scan', 'Movie', 'MovieSummary', 'MovieSummaryPage', 'Credits', 'FileStats', 'Session', 'Error'])
    t.ok(names.includes(name), name)
  t.notOk(names.some((name) => /^(def|schema)-/.test(name)))
  t.match(description.components.securitySchemes, {
    bearer: { type: 'http', scheme: 'bearer' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'session_token' },
    streamToken: { type: 'apiKey', in: 'query', name: 'token' },
  })
  t.end()
})

const PARAMETERS: Readonly<Record<string, string>> = {
  imageId: idOf('poster'),
  sessionId: session.id,
  movieId: movie.id,
  quality: 'original',
  filename: 'seg-0.m4s',
  scanId: scan.id,
}

/** The path of an operation, for samples. */
function urlOf(path: string): string {
  const id = path.startsWith('/v1/libraries') ? library.id : path.startsWith('/v1/movies') ? movie.id : session.id
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => PARAMETERS[name] ?? id)
}

t.test('without credentials every operation that is not public answers 401', async (t) => {
  for (const { method, path, security } of operations) {
    const url = urlOf(path)
    const res = await server.anon(method as 'GET', url)
    if (security.length > 0) t.match(res, { status: 401, text: '{"error":"Missing or invalid authentication"}' }, `${method} ${url}`)
    else t.not(res.status, 401, `${method} ${url}`)
  }
  t.strictSame(
    operations
      .filter(({ security }) => security.length === 0)
      .map(({ path }) => path)
      .toSorted(),
    [
      '/api/auth/get-session',
      '/api/auth/oidc/callback',
      '/api/auth/oidc/start',
      '/api/auth/options',
      '/api/auth/sign-in/email',
      '/api/auth/sign-out',
      '/api/auth/sign-up/email',
      '/api/auth/two-factor/passkey-options',
      '/api/auth/two-factor/verify',
      '/api/auth/two-factor/verify-passkey',
      '/api/images/{imageId}',
      '/healthz',
      '/readyz',
    ],
  )
})

t.test('every PATCH, PUT and DELETE describes 412, and none is carried out for a tag that matches nothing', async (t) => {
  const writes = operations.filter(({ method, path }) => path.startsWith('/v1/') && ['PATCH', 'PUT', 'DELETE'].includes(method))
  const isRead = (path: string) => operations.some((other) => other.method === 'GET' && other.path === path)
  for (const { method, path, responses } of writes) {
    t.ok('412' in responses, `${method} ${path}`)
    // A PUT without a body may be 422 already.
    if (method === 'PUT') continue
    const { status } = await server.ask(method as 'DELETE', urlOf(path), { headers: { 'if-match': '"nope"' } })
    t.ok(status === 412 || (status === 404 && isRead(path)), `${method} ${path}: ${status}`)
  }
  t.ok(writes.length > 20, `${writes.length} writes`)
})

t.test('every identifier in the description has 21 characters', async (t) => {
  /** Names from other systems: metadata providers, players, Trakt, and the event stream's positions. */
  const others = new Set(['externalIds', 'tmdbId', 'imdbId', 'deviceId', 'lastEventId'])
  const found: string[] = []
  const wrong: string[] = []
  const judge = (name: string, schema: unknown, path: string): void => {
    if (!/^(?:id|ids|.+Ids?)$/.test(name) || others.has(name) || path.includes('/TraktItem/')) return
    found.push(path)
    const text = JSON.stringify(schema)
    if (text.includes('"string"') && !text.includes('"minLength":21') && !text.includes('"$ref"')) wrong.push(`${path}: ${text}`)
  }
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    const one = value as { readonly properties?: object; readonly in?: string; readonly name?: string; readonly schema?: unknown }
    if (one.in !== undefined && one.name !== undefined) judge(one.name, one.schema, `${path} (${one.name})`)
    for (const [name, schema] of Object.entries(one.properties ?? {})) judge(name, schema, `${path}.${name}`)
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`)
  }
  walk(description, '')
  t.ok(found.length > 50, `${found.length} identifiers`)
  t.strictSame(wrong, [])
})
