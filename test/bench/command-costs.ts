/**
 * Measures durable commands of the whole server, in turns with posts to a bare Fastify: marks by 64 clients, heartbeats of 8 devices, each
 * of which sends the next one after the last answer. CPU time counts, which other programs on the machine disturb less than rates.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { measuredLoad, type Load } from './load.ts'
import { cpuMs } from './process-cpu.ts'
import { median, wholeNumber, type Report } from './table.ts'
import { BARE_FASTIFY, signIn, startProgram, stopProgram, type Started } from './whole-server.ts'

export const ADMIN = { email: 'admin@localhost', name: 'Admin', password: 'a long password' }

const CLIENTS = 64
const DEVICES = 8
const ROUNDS = 4
/** A round ends after these requests, or this time. */
const ROUND = { requests: 8000, durationMs: 20_000 }
/** The server looks at its files and makes what the sessions will need. */
const SETTLE_MS = 3000
const GOAL = { marks: 0.5, beatsPerSecond: 2000, beatsP99Ms: 20 }
const ROOT = join(import.meta.dirname, '../..')

export async function measureCommandCosts(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-commands-'))
  const open: Started[] = []
  try {
    const site = await openSite(folder)
    open.push(site.ours)
    const bare = await startProgram(BARE_FASTIFY, folder)
    open.push(bare)
    await measureMarks(report, site, bare)
    await measureBeats(report, site, bare)
  } finally {
    for (const started of open) await stopProgram(started)
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface CommandSite {
  readonly ours: Started
  readonly token: string
  readonly movies: readonly string[]
  /** Sessions that play, one a device. */
  readonly sessions: readonly string[]
}

/** A whole server over films, some of which are being played. */
export async function openSite(folder: string, nodeArgs: readonly string[] = []): Promise<CommandSite> {
  const dataDir = join(folder, 'data')
  const fill = [
    '--disable-warning=ExperimentalWarning',
    'test/bench/command-films.ts',
    dataDir,
    join(folder, 'films'),
    String(CLIENTS),
    String(DEVICES),
  ]
  await execa(process.execPath, fill, { cwd: ROOT, stderr: 'inherit' })
  const ours = await startProgram([...nodeArgs, 'src/main.ts'], dataDir)
  const token = await signIn(ours.port, ADMIN)
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(`http://127.0.0.1:${ours.port}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const json = (await answer.json()) as { readonly id: string; readonly items: readonly { readonly id: string }[] }
    return answer.ok ? json : undefined
  }
  const movies = (await ask('GET', `/v1/movies?limit=${CLIENTS}&availability=all`))?.items.map(({ id }) => id) ?? []
  const begun: (string | undefined)[] = []
  for (const movieId of movies) begun.push((await ask('POST', '/v1/playback/sessions', { movieId }))?.id)
  const sessions = begun.filter((id) => id !== undefined)
  if (movies.length !== CLIENTS || sessions.length !== DEVICES) throw new Error(`${movies.length} films, ${sessions.length} sessions`)
  await sleep(SETTLE_MS)
  return { ours, token, movies, sessions }
}

/** Each client marks a film of its own as watched, and as unwatched. */
export function marksOf({ ours, token, movies }: CommandSite): Load {
  const turns = new Map<number, number>()
  const next = (client: number): string => {
    const turn = turns.get(client) ?? 0
    turns.set(client, turn + 1)
    return `${turn % 2 === 0 ? 'PUT' : 'DELETE'} /v1/movies/${movies[client] ?? ''}/watched`
  }
  return { port: ours.port, token, connections: CLIENTS, ...ROUND, next }
}

export function beatsOf({ ours, token, sessions }: CommandSite): Load {
  let positionMs = 60_000
  const body = (): string => JSON.stringify({ position: positionMs++ / 1000, playState: 'playing' })
  const next = (device: number): string => `POST /v1/playback/sessions/${sessions[device] ?? ''}/heartbeat`
  return { port: ours.port, token, connections: DEVICES, ...ROUND, next, body }
}

interface Cost {
  readonly perSecond: number
  /** CPU time of one request, microseconds. */
  readonly us: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export async function costOf({ child }: Started, load: Load): Promise<Cost> {
  const before = cpuMs(child.pid ?? 0)
  const { rate, count, p50, p99 } = await measuredLoad(load)
  const us = ((cpuMs(child.pid ?? 0) - before) * 1000) / Math.max(1, count)
  return { perSecond: rate, us, p50Ms: p50, p99Ms: p99 }
}

interface Compared {
  readonly ours: Cost
  readonly bare: Cost
}

/** In turns; the first round warms up. */
async function compared(site: CommandSite, bare: Started, ours: Load): Promise<Compared> {
  const rounds: Compared[] = []
  // They are so short that the clock of CPU time needs more of them.
  const posts: Load = { ...ours, requests: 10 * ROUND.requests, port: bare.port, next: () => 'POST /' }
  for (let round = 0; round <= ROUNDS; round++) {
    const costs = { bare: await costOf(bare, posts), ours: await costOf(site.ours, ours) }
    if (round > 0) rounds.push(costs)
  }
  const middle = (which: keyof Compared): Cost => {
    const of = (name: keyof Cost): number => median(rounds.map((costs) => costs[which][name]))
    return { perSecond: of('perSecond'), us: of('us'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') }
  }
  return { ours: middle('ours'), bare: middle('bare') }
}

const described = ({ perSecond, us, p50Ms, p99Ms }: Cost): string =>
  `${wholeNumber(us)} us of CPU, ${wholeNumber(perSecond)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`

async function measureMarks(report: Report, site: CommandSite, bare: Started): Promise<void> {
  const costs = await compared(site, bare, marksOf(site))
  const ratio = costs.bare.us / costs.ours.us
  report({
    what: `a mark (PUT or DELETE watched), ${CLIENTS} clients`,
    ours: described(costs.ours),
    yardstick: `${described(costs.bare)} (bare Fastify POST)`,
    ratio,
    goal: `>= ${GOAL.marks}x of its CPU`,
    met: ratio >= GOAL.marks,
  })
}

async function measureBeats(report: Report, site: CommandSite, bare: Started): Promise<void> {
  const costs = await compared(site, bare, beatsOf(site))
  const { perSecond, p99Ms } = costs.ours
  report({
    what: `a heartbeat, ${DEVICES} devices in a closed loop`,
    ours: described(costs.ours),
    yardstick: `${described(costs.bare)} (bare Fastify POST)`,
    ratio: costs.bare.us / costs.ours.us,
    goal: `${wholeNumber(GOAL.beatsPerSecond)}/s, p99 ${GOAL.beatsP99Ms} ms`,
    met: perSecond >= GOAL.beatsPerSecond && p99Ms <= GOAL.beatsP99Ms,
  })
}
