/**
 * Runs a server in a process of its own over a generated household or site for `scale.ts`: films, five years of viewings, and users with a
 * token each. `scale-server.ts <JSON of ScaleSite>`; it sends `ScaleServed` when it is ready, and ends when its parent disconnects.
 */
import { statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isRefusal } from '../../src/domain/refusal.ts'
import { CHEAP } from '../fixtures/node-fixture.ts'
import { appendMovies } from './movies.ts'
import { AUTHOR, createBenchServer, openNodeFixture } from './node.ts'
import { appendViewings } from './viewings.ts'

export interface ScaleSite {
  readonly folder: string
  readonly films: number
  readonly users: number
  /** Of viewings, approximately. */
  readonly events: number
}

export interface ScaleServed {
  readonly port: number
  readonly tokens: readonly string[]
  readonly movieIds: readonly string[]
  /** Events in the log. */
  readonly head: number
  readonly appendSeconds: number
  readonly behindSeconds: number
}

const SOME_MOVIES = 1000

/** Of all films: a session starts only if the file is there. */
const FILE = 'film.mkv'

const site = JSON.parse(process.argv[2] ?? '{}') as ScaleSite
const startMs = performance.now()
const fixture = await openNodeFixture(site.folder, CHEAP)
const { ports, services, background } = fixture

function got<Value>(value: Value): Exclude<Value, { readonly refusal: string } | undefined> {
  if (value === undefined || isRefusal(value)) throw new Error(JSON.stringify(value))
  return value as never
}

const path = join(site.folder, FILE)
writeFileSync(path, 'A film')
const { size: sizeBytes, mtimeMs, ino: inode } = statSync(path)
const oneFile = () => ({ path, root: site.folder, stamp: { sizeBytes, modifiedAtMs: Math.floor(mtimeMs), inode }, companions: 'none' })

const admin = got(
  await services.accounts.registerFirstAdmin({ email: 'admin@localhost', name: 'Admin', password: 'a long password' }, AUTHOR),
)
const libraryIds = [got(await services.libraries.createBy(AUTHOR, { name: 'Films', paths: [site.folder] }))]
const userIds = [admin.userId]
// Passwords are hashed one at a time.
for (let n = 1; n < site.users; n++) {
  const account = { email: `user${n}@example.org`, name: `User ${n}`, password: 'a long password', role: 'user' } as const
  userIds.push(got(await services.accounts.register(account, AUTHOR)).userId)
}
const films = await appendMovies(ports.log, ports.ids, { count: site.films, libraryIds, fileOf: oneFile })
await appendViewings(ports.log, { events: site.events, films, userIds, libraryId: libraryIds[0] as never })
const appendedMs = performance.now()
await background.caughtUp()
const caughtUpMs = performance.now()

const tokens: string[] = []
for (const userId of userIds) {
  const wanted = { name: 'bench', scopes: ['read', 'playback', 'write'] as const, expiresInDays: 1 }
  tokens.push(got(await services.accessTokens.issue(userId, wanted, AUTHOR)).token)
}
const app = await createBenchServer(fixture)
await app.listen({ host: '127.0.0.1', port: 0 })
process.once('disconnect', () => process.exit())
const served: ScaleServed = {
  port: (app.server.address() as AddressInfo).port,
  tokens,
  movieIds: films.slice(0, SOME_MOVIES).map(({ movieId }) => movieId),
  head: Number(await ports.log.head()),
  appendSeconds: (appendedMs - startMs) / 1000,
  behindSeconds: (caughtUpMs - appendedMs) / 1000,
}
process.send?.(served)
