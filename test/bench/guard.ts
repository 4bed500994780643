/**
 * Compares this checkout with an earlier commit: both servers run beside each other on copies of the same data folder and answer the same
 * requests in alternating rounds. It compares the CPU time of a request, which another program on the machine disturbs less than the time
 * on the clock. A request is slower beyond noise if three quarters of the rounds are more than 5 % slower.
 */
import type { ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { loadFor } from './load.ts'
import { treeCpuMs } from './process-cpu.ts'
import { median, type Report } from './table.ts'
import { rssMb, signIn, startProgram, stopProgram } from './whole-server.ts'

export const ADMIN = { email: 'admin@localhost', name: 'Admin', password: 'a long password' }

const ROOT = join(import.meta.dirname, '../..')
const FILMS = 2_000
const ROUNDS = 8
const BURST_MS = 700
const CONNECTIONS = 8
const STARTS = 6
const SLOWER = 1.05
const SETTLE_MS = 3_000

interface Tree {
  readonly root: string
  readonly dataDir: string
}

interface Running {
  readonly port: number
  readonly child: ChildProcess
  readonly token: string
  /** CPU time until it answered. */
  readonly startCpuMs: number
}

/** Two alternating measurements: this checkout's and the earlier commit's. */
interface Pair {
  readonly ours: number
  readonly theirs: number
}

/** @param against a commit, as Git names it */
export async function measureGuard(report: Report, against: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-guard-'))
  const earlier = join(folder, 'earlier')
  try {
    await execa('git', ['worktree', 'add', '--detach', earlier, against], { cwd: ROOT })
    symlinkSync(join(ROOT, 'node_modules'), join(earlier, 'node_modules'))
    for (const root of [ROOT, earlier]) await build(root)
    const trees = [ROOT, earlier].map((root, n): Tree => ({ root, dataDir: join(folder, `data-${n}`) })) as [Tree, Tree]
    // The newer version opens what the earlier one has written, not the other way round.
    await execa(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'test/bench/guard-movies.ts', trees[1].dataDir, String(FILMS)],
      {
        cwd: earlier,
        stderr: 'inherit',
      },
    )
    cpSync(trees[1].dataDir, trees[0].dataDir, { recursive: true })
    await compareStarts(report, trees)
    await compareRequests(report, trees)
  } finally {
    await execa('git', ['worktree', 'remove', '--force', earlier], { cwd: ROOT, reject: false })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As `npm start` does; earlier commits run from their sources. A server without its web client starts faster, and is smaller. */
async function build(root: string): Promise<void> {
  for (const program of ['build/programs.ts', 'web/build.ts']) {
    const path = join(root, program)
    if (existsSync(path)) await execa(process.execPath, ['--disable-warning=ExperimentalWarning', path], { cwd: root })
  }
}

async function compareStarts(report: Report, trees: readonly [Tree, Tree]): Promise<void> {
  const pairs: Pair[] = []
  const memory: Pair[] = []
  for (let n = 0; n <= STARTS; n++) {
    const seen = await inTurns(n, trees, async (tree) => {
      const running = await start(tree)
      await sleep(SETTLE_MS)
      const rss = rssMb(running.child)
      await stopProgram(running)
      return { cpuMs: running.startCpuMs, rss }
    })
    // The first round may rebuild views of another version.
    if (n === 0) continue
    pairs.push({ ours: seen[0].cpuMs, theirs: seen[1].cpuMs })
    memory.push({ ours: seen[0].rss, theirs: seen[1].rss })
  }
  tell(report, { what: 'start until it answers, CPU', unit: 'ms', pairs })
  tell(report, { what: `memory 3 s after the start, ${FILMS} films`, unit: 'MB', pairs: memory })
}

async function compareRequests(report: Report, trees: readonly [Tree, Tree]): Promise<void> {
  const servers: Running[] = []
  try {
    for (const tree of trees) servers.push(await start(tree))
    const [ours, theirs] = servers as [Running, Running]
    const ids = await idsOf(ours)
    for (const [what, next] of Object.entries(requestsOf(ids))) {
      const pairs: Pair[] = []
      for (let n = 0; n <= ROUNDS; n++) {
        const costs = await inTurns(n, [ours, theirs], (server) => costOf(server, next))
        // The first round warms the code up.
        if (n > 0) pairs.push({ ours: costs[0], theirs: costs[1] })
      }
      tell(report, { what: `${what}, CPU`, unit: 'us', pairs })
    }
  } finally {
    for (const server of servers) await stopProgram(server)
  }
}

/** Method and path of each request, by its number. */
function requestsOf(ids: readonly string[]): Readonly<Record<string, (n: number) => string>> {
  const id = (n: number) => ids[n % ids.length] ?? ''
  return {
    'list of 20 by name': () => 'GET /v1/movies?limit=20',
    'list of 20, newest first, with total': () => 'GET /v1/movies?limit=20&sort=addedAt&order=desc&include=total',
    'search with total': (n) => `GET /v1/movies?limit=20&include=total&q=${['night', 'river', 'stone', 'last'][n % 4]}`,
    'movie details': (n) => `GET /v1/movies/${id(n)}`,
    'durable command (watchlist)': (n) => `${Math.floor(n / ids.length) % 2 === 0 ? 'PUT' : 'DELETE'} /v1/movies/${id(n)}/watchlist`,
  }
}

/** CPU time of one request, microseconds. */
async function costOf({ port, child, token }: Running, next: (n: number) => string): Promise<number> {
  let count = 0
  const before = treeCpuMs(child.pid ?? 0)
  await loadFor({ port, token, connections: CONNECTIONS, durationMs: BURST_MS, next: () => next(count++) })
  return ((treeCpuMs(child.pid ?? 0) - before) * 1000) / Math.max(1, count)
}

/** The order of the two alternates with the rounds. */
async function inTurns<Item, Result>(
  round: number,
  [ours, theirs]: readonly [Item, Item],
  measure: (item: Item) => Promise<Result>,
): Promise<readonly [Result, Result]> {
  if (round % 2 === 0) {
    const first = await measure(ours)
    return [first, await measure(theirs)]
  }
  const first = await measure(theirs)
  return [await measure(ours), first]
}

interface Compared {
  readonly what: string
  readonly unit: string
  readonly pairs: readonly Pair[]
}

function tell(report: Report, { what, unit, pairs }: Compared): void {
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs).toSorted((a, b) => a - b)
  const isSlower = (ratios[ratios.length >> 2] ?? 0) > SLOWER
  report({
    what,
    ours: `${median(pairs.map(({ ours }) => ours)).toFixed(0)} ${unit}`,
    yardstick: `${median(pairs.map(({ theirs }) => theirs)).toFixed(0)} ${unit} (earlier commit)`,
    ratio: median(ratios),
    goal: 'no slower beyond noise',
    met: !isSlower,
    ...(isSlower ? { isFailure: true } : {}),
  })
}

async function start({ root, dataDir }: Tree): Promise<Running> {
  const { port, child } = await startProgram(['src/main.ts'], dataDir, { root })
  const startCpuMs = treeCpuMs(child.pid ?? 0)
  return { port, child, startCpuMs, token: await signIn(port, ADMIN) }
}

async function idsOf({ port, token }: Running): Promise<readonly string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/movies?limit=100`, { headers: { authorization: `Bearer ${token}` } })
  return ((await answer.json()) as { readonly items: readonly { readonly id: string }[] }).items.map(({ id }) => id)
}
