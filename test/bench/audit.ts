/** Measures the audit of a log of a million events: its creation, its lists, its proofs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { audit } from '../../projections/views/audit.ts'
import { collectionOf, type AnyView } from '../../projections/views/view.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { createAuditTree } from '../../src/app/audit/audit-tree.ts'
import { createReadModels, type ReadModels } from '../../src/app/read-models/read-models.ts'
import { logEntry } from '../../src/events/log-entry.ts'
import { grow, leafHash, type Hash } from '../../src/events/merkle-tree.ts'
import { START } from '../../src/events/position.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { Query } from '../../src/ports/read-store.ts'
import { createRandom } from '../fixtures/random.ts'
import { measureCommands } from './audit-commands.ts'
import { measureAgainstMovies } from './audit-lists.ts'
import { fillViews } from './rebuild.ts'
import { appendYears } from './viewings.ts'
import { median, wholeNumber, type Report } from './table.ts'

const EVENTS = 1_000_000
const TIMES = 200
const PROOF_MS = 10
const LEAVES_A_SECOND = 100_000
const MIB = 1024 * 1024
const STAYS = new AbortController().signal

export async function measureAudit(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-audit-'))
  const clock = createSystemClock()
  const log = createSqliteEventLog({ clock, file: join(folder, 'events.sqlite') })
  const file = join(folder, 'read-models.sqlite')
  const store = createSqliteReadStore({ file })
  try {
    const [userId] = await appendYears(log, EVENTS)

    const view = audit as unknown as AnyView
    await measureCommands(report, folder)
    await measureAgainstMovies(report, log, { file: join(folder, 'lists.sqlite'), userId })
    const memory = watchMemory()
    const making = await fillViews({ log, head: await log.head(), store, views: [view] })
    const { beforeBytes, mostBytes } = memory.end()
    await store.buildIndexes([collectionOf(view)])
    const events = await measureTree(report, log)
    report({
      what: `rows and tiles of the audit, ${wholeNumber(events)} events`,
      ours: `${(making / 1000).toFixed(1)} s, ${wholeNumber((events / making) * 1000)} rows/s`,
    })
    report({
      what: 'memory (RSS) of the process while it makes them',
      ours: `at most ${wholeNumber(mostBytes / MIB)} MiB, ${wholeNumber(beforeBytes / MIB)} MiB before`,
    })
    const readModels = createReadModels(store)
    await measureLists(report, readModels, { file, userId })
    await measureProofs(report, readModels, events)
  } finally {
    await log.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function watchMemory() {
  const beforeBytes = process.memoryUsage.rss()
  let mostBytes = beforeBytes
  const timer = setInterval(() => (mostBytes = Math.max(mostBytes, process.memoryUsage.rss())), 100)
  return {
    end() {
      clearInterval(timer)
      return { beforeBytes, mostBytes: Math.max(mostBytes, process.memoryUsage.rss()) }
    },
  }
}

async function measureTree(report: Report, log: EventLog): Promise<number> {
  const head = await log.head()
  const frontier: Hash[] = []
  let events = 0
  let cpuMs = 0
  for await (const batch of log.follow(START, STAYS)) {
    const before = process.cpuUsage()
    for (const stored of batch) grow(frontier, events++, leafHash(logEntry(stored)))
    cpuMs += cpuMsSince(before)
    if ((batch.at(-1)?.position ?? START) >= head) break
  }
  const aSecond = (events / cpuMs) * 1000
  report({
    what: 'leaves of the tree, hashed and added',
    ours: `${wholeNumber(aSecond)} a second of CPU time`,
    goal: `>= ${wholeNumber(LEAVES_A_SECOND)} a second`,
    met: aSecond >= LEAVES_A_SECOND,
  })
  return events
}

/** Of all threads of this process. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

interface Timed {
  readonly p50: number
  readonly p99: number
  /** CPU time of each, on average. */
  readonly cpu: number
}

async function timed(work: (n: number) => Promise<unknown>): Promise<Timed> {
  const taken: number[] = []
  const before = process.cpuUsage()
  for (let n = 0; n < TIMES; n++) {
    const startMs = performance.now()
    await work(n)
    taken.push(performance.now() - startMs)
  }
  const cpu = cpuMsSince(before) / TIMES
  return { p50: median(taken), p99: taken.toSorted((a, b) => a - b)[Math.floor(TIMES * 0.99)] ?? 0, cpu }
}

interface Listed {
  readonly file: string
  readonly userId: string
}

async function measureLists(report: Report, { audit: rows }: ReadModels, { file, userId }: Listed): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true })
  const name = collectionOf(audit)
  const table = database.prepare("select name from sqlite_master where type = 'table' and name like ?").all(`%${name}`)[0]?.['name']
  const newest = database.prepare(`select * from "${String(table)}" order by rowid desc limit 50`)
  const bare = await timed(async () => newest.all())
  database.close()
  const listed = { field: 'listed', op: 'eq', value: true } as const
  const sort = { field: 'seq', direction: 'desc' } as const
  const queries: readonly (readonly [string, Query])[] = [
    ['the newest', { where: [listed], sort, limit: 50 }],
    ['one type', { where: [{ field: 'type', op: 'eq', value: 'PlaybackEnded' }], sort, limit: 50 }],
    ['about one user', { where: [listed, { field: 'subjectId', op: 'eq', value: userId }], sort, limit: 50 }],
  ]
  for (const [what, query] of queries) {
    const { p50, p99 } = await timed(() => rows.find(query))
    report({
      what: `50 rows of the audit: ${what}`,
      ours: `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
      yardstick: `${bare.p50.toFixed(2)} ms (bare SQLite, 50 rows)`,
      ratio: p50 / bare.p50,
    })
  }
}

async function measureProofs(report: Report, readModels: ReadModels, events: number): Promise<void> {
  const tree = createAuditTree(readModels)
  const random = createRandom(4)
  const proofs = [
    ['inclusion', () => tree.inclusion(1 + random.below(events), events)],
    ['consistency', () => tree.consistency(1 + random.below(events), events)],
  ] as const
  for (const [what, prove] of proofs) {
    const { p50, p99, cpu } = await timed(prove)
    report({
      what: `a proof of ${what}, ${wholeNumber(events)} events`,
      ours: `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${cpu.toFixed(2)} ms of CPU time`,
      goal: `< ${PROOF_MS} ms`,
      met: p99 < PROOF_MS,
    })
  }
}
