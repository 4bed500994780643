/** A client with types generated from the served API description: it compiles, and drives the main use cases against a server process. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { film } from '../../fixtures/media-files.ts'
import { ADMIN, scannedMovies, signIn } from './server-process.ts'
import { inEachTopology } from './topologies.ts'

const MODULES = resolve(import.meta.dirname, '../../../node_modules')
const COMPILE_MS = 60_000
const OPTIONS = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--erasableSyntaxOnly',
]
const MODULE = ['--target', 'es2024', '--lib', 'es2024,dom', '--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node']

const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './types.ts'

const [url = '', email = '', password = ''] = process.argv.slice(2)
const api = createClient<paths, 'application/json'>({ baseUrl: url })
const need = <T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T => {
  if (data === undefined) throw new Error(response.status + ' ' + JSON.stringify(error))
  return data
}

const signedIn = need(await api.POST('/api/auth/sign-in/email', { body: { email, password } }))
if (!('token' in signedIn)) throw new Error('It asks for a second factor')
const { token } = signedIn
api.use({ onRequest: ({ request }) => request.headers.set('authorization', 'Bearer ' + token) })
const { items } = need(await api.GET('/v1/movies', { params: { query: { limit: 5, sort: 'title' } } }))
const [first] = items
if (!first) throw new Error('no movies')
const path = { id: first.id }
const movie = need(await api.GET('/v1/movies/{id}', { params: { path } }))
const mark = need(await api.PUT('/v1/movies/{id}/watched', { params: { path } }))
const after = need(await api.GET('/v1/movies/{id}', { params: { path } }))
const session = need(await api.POST('/v1/playback/sessions', { body: { movieId: movie.id, startPosition: 1 } }))
const params = { path: { id: session.id } }
const beat = need(await api.POST('/v1/playback/sessions/{id}/heartbeat', { params, body: { position: 1.5, playState: 'playing' } }))
const ended = await api.DELETE('/v1/playback/sessions/{id}', { params })
const gone = await api.GET('/v1/playback/sessions/{id}', { params })
console.log(JSON.stringify({
  title: movie.title, watched: after.watched, mark, movieId: session.movieId, beat, ended: ended.response.status, error: gone.error?.error,
}))
`

/** Missing members and paths: each line must fail to compile. */
const WRONG = [
  "need(await api.GET('/v1/movies/{id}', { params: { path } })).titel",
  "await api.POST('/v1/playback/sessions', { body: { movie: first.id } })",
  "await api.GET('/v1/films', {})",
]

inEachTopology('a client with types made from the description compiles, and plays the main path', {}, async (t, installation) => {
  const { folder } = installation
  const media = join(folder, 'media')
  await mkdir(media)
  await symlink(await film(join(folder, 'clip')), join(media, 'Sintel (2010).mkv'))
  const server = await installation.start({ media })
  const api = await signIn(server.url)

  const described = await api.send('GET', '/v1/openapi.json')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'types.ts'), astToString(await openapiTS(described.json as unknown as OpenAPI3)))
  await writeFile(join(folder, 'client.ts'), PROGRAM)
  await writeFile(join(folder, 'wrong.ts'), PROGRAM + WRONG.join('\n'))

  t.match(await compile(folder, 'client.ts'), { exitCode: 0, stdout: '' })
  const wrong = await compile(folder, 'wrong.ts')
  const lines = [...wrong.stdout.matchAll(/^wrong\.ts\((\d+),\d+\): error/gm)].map(([, line]) => Number(line))
  const start = PROGRAM.split('\n').length
  t.strictSame(
    [...new Set(lines)],
    WRONG.map((_, index) => start + index),
    wrong.stdout,
  )

  await scannedMovies(api)
  const { email, password } = ADMIN
  const { stdout } = await execa(process.execPath, ['client.ts', server.url, email, password], { cwd: folder, timeout: COMPILE_MS })
  t.match(JSON.parse(stdout), {
    title: 'Sintel',
    watched: true,
    movieId: /^[\w-]{21}$/,
    ended: 204,
    error: String,
  })
  t.equal(await server.end('SIGTERM'), 0)
})

const compile = (folder: string, file: string) =>
  execa(process.execPath, [join(MODULES, 'typescript-native/lib/tsc.js'), ...OPTIONS, ...MODULE, file], {
    cwd: folder,
    timeout: COMPILE_MS,
    reject: false,
  })
