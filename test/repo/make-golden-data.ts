/**
 * Makes a golden data folder: starts an earlier commit of this repository on two generated films, lives a short evening there, stops it, and
 * packs its data folder with a list of what it showed. `test/system/whole/golden-data.test.ts` opens each of them.
 *
 * `node --disable-warning=ExperimentalWarning test/repo/make-golden-data.ts <commit> <name>` writes `test/golden/data/<name>.tar.gz`. The
 * commit runs on the packages in `node_modules`: if it needs others, name a folder that has them as a third argument.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { codeAt, fromBase32, stepAt } from '../../src/app/accounts/totp.ts'
import { makeClip } from '../fixtures/media-files.ts'
import type { ShownByGolden } from '../fixtures/golden-data.ts'
import { ADMIN, scannedMovies, signIn, startServer, type Api } from '../system/whole/server-process.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const ARCHIVES = join(REPOSITORY, 'test/golden/data')
/** Nobody has films there: when the folder is opened, the library is offline on every machine. */
const FILMS = join(tmpdir(), 'marquee-golden-films')
const VIEWER = { email: 'ann@example.org', password: 'correct horse' }
const SECURED = { email: 'ben@example.org', password: 'battery staple' }
const [FIRST, SECOND] = ['A First Film', 'A Second Film']
const FILM_SECONDS = 120
const BEATS_S = [10, 20, 30.5]
/** Everything that a server makes again, and the lock. */
const LEFT_OUT = ['lock', 'cache', 'compiled-code', 'blobs']

const [commit, name, packages = join(REPOSITORY, 'node_modules')] = process.argv.slice(2)
if (commit === undefined || name === undefined) throw new Error('Give a commit and a name, such as 81b2c3d 01-first-server')
await make(commit, name)

async function make(commit: string, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-golden-'))
  try {
    const [sources, data] = [join(folder, 'sources'), join(folder, 'data')]
    for (const path of [sources, data]) await mkdir(path)
    await checkOut(commit, sources)
    for (const [n, title] of [FIRST, SECOND].entries()) {
      const path = join(FILMS, `${title} (200${n + 1})`, `${title} (200${n + 1}).mp4`)
      await makeClip({ path, seconds: FILM_SECONDS + n, width: 64, height: 48, fps: 1 })
    }
    const shown = await live(sources, data)
    await writeFile(join(folder, 'shown.json'), `${JSON.stringify({ commit, ...shown }, null, 2)}\n`)
    await mkdir(ARCHIVES, { recursive: true })
    const archive = join(ARCHIVES, `${name}.tar.gz`)
    const owner = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
    const without = LEFT_OUT.map((path) => `--exclude=data/${path}`)
    await execa('tar', ['-c', '-I', 'gzip -9', '-f', archive, '-C', folder, ...owner, ...without, 'data', 'shown.json'])
    console.log(`${archive} is written.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(FILMS, { recursive: true, force: true })
  }
}

async function checkOut(commit: string, sources: string): Promise<void> {
  const archive = `${sources}.tar`
  await execa('git', ['archive', '-o', archive, commit], { cwd: REPOSITORY })
  await execa('tar', ['-xf', archive, '-C', sources])
  await symlink(resolve(packages), join(sources, 'node_modules'))
  // Only some states have a web client, and a server starts without it.
  await execa(process.execPath, ['web/build.ts'], { cwd: sources, reject: false })
}

/** Lives an evening on a server of these sources; returns what it showed at the end. */
async function live(sources: string, dataDir: string): Promise<Omit<ShownByGolden, 'commit'>> {
  const server = await startServer({ root: sources, dataDir, media: FILMS })
  try {
    const admin = await signIn(server.url)
    const movies = await scannedMovies(admin)
    const isApart = await addUser(admin, VIEWER, 'Ann')
    const viewer = isApart ? await signIn(server.url, VIEWER) : admin
    await watch({ admin, viewer, movieId: movies.get(FIRST)?.id })
    await mark({ admin, viewer, movieId: movies.get(SECOND)?.id })
    const token = { name: 'Home automation', scopes: ['playback'], password: isApart ? VIEWER.password : ADMIN.password }
    await ifKnown(viewer.send('POST', '/v1/users/me/access-tokens', token))
    const secured = await secure(server.url, admin)
    const shown = await viewer.send('GET', '/v1/movies?limit=100')
    expect(shown, 200)
    const { items } = shown.json as unknown as { items: ShownByGolden['movies'] }
    return {
      accounts: isApart ? [ADMIN, VIEWER] : [ADMIN],
      viewer: isApart ? VIEWER : ADMIN,
      ...(secured ? { secured } : {}),
      movies: items.map(({ id, title, year, watched, position }) => ({ id, title, year, watched, position })),
    }
  } finally {
    if ((await server.end('SIGTERM')) !== 0) console.error(server.output())
  }
}

/** False if that state has no accounts beside the first. */
async function addUser(admin: Api, user: typeof VIEWER, name: string): Promise<boolean> {
  const added = await admin.send('POST', '/v1/users', { ...user, name, role: 'user' })
  if (added.status === 404) return false
  expect(added, 201)
  const { id } = added.json as unknown as { id: string }
  expect(await admin.send('PATCH', `/v1/users/${id}`, { libraryAccess: 'all' }), 200)
  return true
}

/** An account with a second factor; undefined if that state has none. */
async function secure(url: string, admin: Api): Promise<ShownByGolden['secured']> {
  if ((await admin.send('GET', '/api/auth/two-factor')).status === 404 || !(await addUser(admin, SECURED, 'Ben'))) return undefined
  const secured = await signIn(url, SECURED)
  const enabled = await secured.send('POST', '/api/auth/two-factor/enable', { password: SECURED.password })
  expect(enabled, 200)
  const secret = String(enabled.json['secret'])
  const code = codeAt(fromBase32(secret), stepAt(Date.now()))
  expect(await secured.send('POST', '/api/auth/two-factor/activate', { code }), 200)
  return { ...SECURED, secret }
}

interface Evening {
  readonly admin: Api
  readonly viewer: Api
  readonly movieId: string | undefined
}

async function watch({ admin, viewer, movieId }: Evening): Promise<void> {
  const begun = await viewer.send('POST', '/v1/playback/sessions', { movieId, client: { name: 'Golden', device: 'Test' } })
  expect(begun, 201)
  const { id } = begun.json as unknown as { id: string }
  for (const position of BEATS_S) {
    expect(await viewer.send('POST', `/v1/playback/sessions/${id}/heartbeat`, { position }), 200)
    await sleep(300)
  }
  await ifKnown(admin.send('POST', `/v1/admin/playback/sessions/${id}/commands`, { command: 'message', message: 'Dinner is ready' }))
  expect(await viewer.send('DELETE', `/v1/playback/sessions/${id}`), 204)
}

async function mark({ admin, viewer, movieId }: Evening): Promise<void> {
  expect(await viewer.send('PUT', `/v1/movies/${movieId}/watched`), 200)
  await ifKnown(viewer.send('PUT', `/v1/movies/${movieId}/watchlist`))
  await ifKnown(viewer.send('PUT', '/v1/users/me/preferences', { subtitles: ['de'] }))
  const items = [
    { title: FIRST, year: 2001, watchedAt: '2024-05-01T20:15:00Z', position: 15 },
    { title: 'Elsewhere', watchedAt: '2024-05-02T20:15:00Z' },
  ]
  await ifKnown(viewer.send('POST', '/v1/history/import', { source: 'golden', items }))
  await ifKnown(admin.send('PATCH', `/v1/movies/${movieId}`, { tagline: 'Two minutes of bars' }))
  await ifKnown(admin.send('GET', '/v1/audit'))
  await ifKnown(admin.send('POST', '/v1/admin/webhooks', { url: 'https://hooks.example.org/marquee', events: ['movie.added'] }))
}

type Answer = Awaited<ReturnType<Api['send']>>

/** A state may not have the route yet; if it has, a refusal is printed, since the folder then shows less than it could. */
async function ifKnown(asked: Promise<Answer>): Promise<void> {
  const { status, json } = await asked
  if (status >= 400 && status !== 404 && status !== 405) console.error(`Refused with ${status}: ${JSON.stringify(json)}`)
}

function expect({ status, json }: Answer, wanted: number): void {
  if (status !== wanted) throw new Error(`Answered with ${status} instead of ${wanted}: ${JSON.stringify(json)}`)
}
