/** A household of five that uses the server: each member repeats turns of a day, from signing in to watching, until told to rest. */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN } from '../system/whole/server-process.ts'
import { signInAs, type Caller, type Tally } from './caller.ts'
import { playThrough, view, type Viewing } from './player.ts'

export interface HouseholdOptions {
  readonly url: string
  readonly media: string
  /** Films that the members play. */
  readonly movies: readonly string[]
  /** A film file that comes and goes. */
  readonly guest: string
  readonly hook: string
  /** Backs up into a folder that keeps a few. */
  readonly backUp: () => Promise<void>
  readonly tally: Tally
}

export interface Household {
  /** Each film once, as it is, from its first to its last segment. */
  playAll(): Promise<void>
  /** All members take turns until the time is over; settles when the last one has finished its turn. */
  live(ms: number): Promise<void>
}

const PASSWORD = 'a long soak password'
const MEMBERS = ['ann', 'ben', 'cem', 'dea'].map((name) => ({ email: `${name}@example.org`, name, password: PASSWORD }))
const PAUSE_MS = 250
const LISTEN_MS = 3_000
const SCAN_MS = 3_000
const WAYS: readonly Viewing['way'][] = ['copied', 'direct', 'encoded']
const READS = [
  '/v1/home',
  '/v1/movies?limit=50',
  '/v1/movies/recently-added',
  '/v1/search?q=big',
  '/v1/facets',
  '/v1/history',
  '/v1/analytics/overview',
  '/v1/analytics/top',
  '/v1/playback/continue-watching',
  '/v1/changes',
]

export async function openHousehold(options: HouseholdOptions): Promise<Household> {
  const admin = await signInAs(options.url, ADMIN, options.tally)
  for (const member of MEMBERS) await admin.send('POST', '/v1/users', { ...member, libraryAccess: 'all' })
  await admin.send('POST', '/v1/admin/webhooks', { url: options.hook, events: ['*'] })
  let turn = 0
  return {
    async playAll() {
      for (const movieId of options.movies) await playThrough(admin, movieId)
    },
    async live(ms) {
      const untilMs = performance.now() + ms
      const isOver = () => performance.now() > untilMs
      const repeat = async (work: (n: number) => Promise<void>) => {
        while (!isOver()) {
          await work(turn++)
          await sleep(PAUSE_MS)
        }
      }
      const members = MEMBERS.map((member) => repeat((n) => dayOf(options, member, n)))
      await Promise.all([...members, repeat((n) => keep(options, admin, n))])
    },
  }
}

/** Signs in, reads, watches, marks, and signs out or is signed out. */
async function dayOf({ url, movies, tally }: HouseholdOptions, account: (typeof MEMBERS)[number], n: number): Promise<void> {
  const caller = await signInAs(url, account, tally)
  const movieId = movies[n % movies.length] ?? ''
  const [way = 'direct', vanishes] = [WAYS[n % WAYS.length], n % 4 === 3]
  const listening = caller.listen(LISTEN_MS, undefined).then((last) => caller.listen(LISTEN_MS, last))
  for (const path of READS) await caller.send('GET', path)
  await lookAt(caller, movieId)
  await view(caller, { movieId, way, vanishes })
  await caller.send(n % 2 === 0 ? 'PUT' : 'DELETE', `/v1/movies/${movieId}/watched`)
  await caller.send(n % 2 === 0 ? 'PUT' : 'DELETE', `/v1/movies/${movieId}/watchlist`)
  await leave(caller, n)
  await listening
}

/** A film's page, with its poster. */
async function lookAt(caller: Caller, movieId: string): Promise<void> {
  const { json } = await caller.send('GET', `/v1/movies/${movieId}`)
  const { poster, backdrop } = (json['images'] ?? {}) as { readonly poster?: string | null; readonly backdrop?: string | null }
  for (const url of [poster, backdrop]) if (url) await caller.bytes(url)
}

/** Signs out, or revokes the login. */
async function leave(caller: Caller, n: number): Promise<void> {
  if (n % 2 === 0) return void (await caller.send('POST', '/api/auth/sign-out', {}))
  const { json } = await caller.send('GET', '/api/auth/get-session')
  const { id } = (json['session'] ?? {}) as { readonly id?: string }
  await caller.send('POST', '/api/auth/revoke-session', { id })
}

/** The administrator: files come and go, scans, views are rebuilt, and there are backups. */
async function keep({ media, guest, backUp }: HouseholdOptions, admin: Caller, n: number): Promise<void> {
  const copy = join(media, 'Soak Guest (2001).mp4')
  copyFileSync(guest, copy)
  await scan(admin)
  rmSync(copy)
  await scan(admin)
  const { json } = await admin.send('GET', '/v1/admin/projections')
  const views = (json['items'] ?? []) as readonly { readonly name: string }[]
  const view = views[n % Math.max(1, views.length)]
  if (view) await admin.send('POST', `/v1/admin/projections/${view.name}/rebuild`)
  await admin.send('GET', '/v1/admin/server')
  await backUp()
}

async function scan(admin: Caller): Promise<void> {
  const { json } = await admin.send('GET', '/v1/libraries')
  for (const { id } of (json['items'] ?? []) as readonly { readonly id: string }[]) await admin.send('POST', `/v1/libraries/${id}/scan`)
  await sleep(SCAN_MS)
}
