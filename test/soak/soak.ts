/**
 * Soaks a server: a household uses it in periods, four by default, and rests after each, so that the server can be measured with nothing
 * under way. Its caches are full before the first one: whatever it then still holds more of after the last one has leaked.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { argumentsOf, childrenOf } from '../bench/process-cpu.ts'
import { makeClip, mediaSet, type MediaSet } from '../fixtures/media-files.ts'
import { ADMIN, scannedMovies, signIn } from '../system/whole/server-process.ts'
import { signInAs, type Caller, type Tally } from './caller.ts'
import { diskFigures } from './disk.ts'
import { openHousehold, type Household } from './household.ts'
import { takeSample, type Sample } from './samples.ts'
import { CACHE_BYTES, startSoakServer, type SoakServer } from './soak-server.ts'

export interface SoakOptions {
  /** An empty folder. */
  readonly folder: string
  /** Minutes of each. The warm-up before them lasts as long as the first. */
  readonly periods: readonly number[]
  /** Uses the media set if it is there; a short run uses clips. */
  readonly films: 'set' | 'clips'
  readonly print?: (line: string) => void
}

export interface Soaked {
  readonly samples: readonly Sample[]
  readonly tally: Tally
  /** The server's exit code after SIGTERM. */
  readonly exitCode: number | null
  readonly output: string
}

const KEEP_BACKUPS = 2
const CLIPS = 3
/** Longest wait for the server's background work to end after a period. */
const REST_MS = 60_000
/** Longer than all lasts that waits for more to do: threads for passwords and texts, pictures' process, vanished players. */
const SETTLE_MS = 33_000
const LOOK_EVERY_MS = 500
const MINUTE_MS = 60_000
/** A full cache has room for less than one more segment. */
const FULL = 0.9
const MB = 1024 * 1024
const ROOT = resolve(import.meta.dirname, '../..')

export async function soak({ folder, periods, films, print = () => {} }: SoakOptions): Promise<Soaked> {
  const [dataDir, media, backups] = ['data', 'media', 'backups'].map((name) => join(folder, name)) as [string, string, string]
  for (const path of [dataDir, media, backups]) mkdirSync(path, { recursive: true })
  const set = films === 'set' ? mediaSet() : undefined
  const guest = await fill(media, join(folder, 'guest.mp4'), set)
  const hook = await openReceiver()
  const server = await startSoakServer({ dataDir, media })
  const tally: Tally = new Map()
  const samples: Sample[] = []
  try {
    const admin = await signInAs(server.url, ADMIN, tally)
    const api = await signIn(server.url)
    const movies = [...(await scannedMovies(api)).values()].map(({ id }) => id)
    const backUp = () => backedUp({ dataDir, backups })
    const household = await openHousehold({ url: server.url, media, movies, guest, hook: hook.url, backUp, tally })
    if (set) await warmUp(household, { ms: (periods[0] ?? 0) * MINUTE_MS, dataDir })
    for (const [n, minutes] of periods.entries()) {
      await household.live(minutes * MINUTE_MS)
      const { events, sessions } = await rested(server, admin)
      const pid = server.child.pid ?? 0
      samples.push(await takeSample({ pid, inspectorPort: server.inspectorPort, dataDir, backups, events, sessions }))
      print(`Period ${n + 1} of ${periods.length}: ${events} events, ${[...tally.values()].reduce((a, b) => a + b, 0)} requests`)
    }
  } catch (cause) {
    const { exitCode, signalCode } = server.child
    server.child.kill('SIGKILL')
    throw new Error(`The soak was cut short (exit code ${exitCode}, signal ${signalCode}). The server printed:\n${server.output()}`, {
      cause,
    })
  } finally {
    hook.close()
  }
  return { samples, tally, exitCode: await server.end('SIGTERM'), output: server.output() }
}

/** A cache that fills looks like a leak. @throws Error it is not full by then */
async function warmUp(household: Household, { ms, dataDir }: { readonly ms: number; readonly dataDir: string }): Promise<void> {
  await household.playAll()
  await household.live(ms)
  const { 'disk: cache (MB)': mb = 0 } = diskFigures(dataDir, 1)
  if (mb * MB < CACHE_BYTES * FULL) throw new Error(`The cache of ${CACHE_BYTES} bytes holds ${mb.toFixed(1)} MB after the warm-up`)
}

/** Returns the film that comes and goes: outside of the library. */
async function fill(media: string, guest: string, set: MediaSet | undefined): Promise<string> {
  if (set) await cp(set.movies, media, { recursive: true, dereference: true })
  else
    for (let n = 0; n < CLIPS; n++)
      await makeClip({ path: join(media, `Soak Film ${n} (200${n}).mp4`), seconds: 30 + n, width: 160, height: 90 })
  return makeClip({ path: guest, seconds: 5, width: 160, height: 90 })
}

/** Settles when all sessions are over, nothing runs for the server, and what was idle has had time to end. */
async function rested({ child }: SoakServer, admin: Caller): Promise<{ readonly events: number; readonly sessions: number }> {
  const deadline = performance.now() + SETTLE_MS + REST_MS
  const pid = child.pid ?? 0
  await sleep(SETTLE_MS)
  while (((await activeSessions(admin)) > 0 || isBusy(pid)) && performance.now() < deadline) await sleep(LOOK_EVERY_MS)
  return { events: await eventsIn(admin), sessions: await activeSessions(admin) }
}

/** A child without arguments has ended. */
const isBusy = (pid: number): boolean => childrenOf(pid).some((running) => argumentsOf(running).length > 0)

async function activeSessions(admin: Caller): Promise<number> {
  const { items } = (await admin.send('GET', '/v1/playback/sessions/active?scope=all&limit=100')).json as unknown as {
    readonly items: object[]
  }
  return items.length
}

/** The second line of a checkpoint is the size of its tree. */
async function eventsIn(admin: Caller): Promise<number> {
  const text = await admin.bytes('/v1/audit/checkpoint')
  const events = Number(text.split('\n')[1])
  if (!Number.isInteger(events)) throw new Error(`The checkpoint has no size: ${text}`)
  return events
}

async function backedUp({ dataDir, backups }: { readonly dataDir: string; readonly backups: string }): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/cli.ts'), 'backup', backups, '--keep', String(KEEP_BACKUPS)]
  const env = { PATH: process.env['PATH'], MARQUEE_DATA_DIR: dataDir }
  const child = spawn(process.execPath, args, { cwd: dataDir, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The backup failed: ${complaint}`)
}

async function openReceiver(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => void request.resume().once('end', () => response.writeHead(204).end()))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
