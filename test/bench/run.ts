/**
 * Runs benchmarks: `npm run bench -- [--films 20000] [--files 20000] [--streams 5000] [--events 1000000] [--only <text>] [--scroll 60]
 * [--idle 600] [--media <folder>] [--against HEAD~1] <name>...` runs the named ones and prints one table. Each yardstick is measured in
 * turns with its subject, in the same run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printTable, type Report, type Row } from './table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of `scale` 100,000, else 20,000, unless it is given. */
    films: { type: 'string' },
    files: { type: 'string', default: '20000' },
    streams: { type: 'string', default: '5000' },
    /** Sizes of the logs whose viewings the figures are about. */
    events: { type: 'string', default: '10000,100000,1000000' },
    /** Only the lists whose query contains this text. */
    only: { type: 'string', default: '' },
    /** Seconds for which the web client scrolls and is idle. */
    scroll: { type: 'string', default: '60' },
    idle: { type: 'string', default: '600' },
    /** The commit that `guard` compares with. */
    against: { type: 'string', default: 'HEAD~1' },
    /** Of `scale`: users, live sessions and event streams of the larger site. */
    users: { type: 'string', default: '500' },
    sessions: { type: 'string', default: '10000' },
    feeds: { type: 'string', default: '200' },
    /** Folder of films that `memory` scans; none: it measures the idle server only. */
    media: { type: 'string' },
  },
})

const films = (usual: number): number => Number(values.films ?? usual)

type Benchmark = (report: Report) => Promise<void>

async function measureStart(report: Report): Promise<void> {
  const { measureStart: measure } = await import('./start.ts')
  const folder = mkdtempSync(join(tmpdir(), 'marquee-start-'))
  await measure(report, folder).finally(() => rmSync(folder, { recursive: true, force: true }))
}

const measureRescan: Benchmark = async (report) => (await import('./rescan.ts')).measureRescan(report, Number(values.files))

/** Loaded on demand. */
const BENCHMARKS: Readonly<Record<string, readonly Benchmark[]>> = {
  catalogue: [
    // First, while this process is small: the first one measures its memory, and a scan takes twice as long beside a large heap.
    async (report) => (await import('./events.ts')).measureEvents(report, Number(values.streams)),
    measureStart,
    measureRescan,
    async (report) => (await import('./catalogue.ts')).run(report, { films: films(20_000), only: values.only }),
  ],
  start: [measureStart],
  rescan: [measureRescan],
  commands: [async (report) => (await import('./command-costs.ts')).measureCommandCosts(report)],
  memory: [async (report) => (await import('./memory.ts')).measureMemoryOf(report, values.media)],
  streaming: [async (report) => (await import('./streaming.ts')).measureStreaming(report)],
  agents: [async (report) => (await import('./agents.ts')).measureAgents(report)],
  images: [async (report) => (await import('./images.ts')).measureImages(report)],
  engines: [async (report) => (await import('./engines.ts')).measureEngines(report)],
  analytics: [
    async (report) => (await import('./analytics.ts')).measureAnalytics(report, values.events.split(',').map(Number)),
    async (report) => (await import('./past.ts')).measurePast(report),
  ],
  past: [async (report) => (await import('./past.ts')).measurePast(report)],
  audit: [async (report) => (await import('./audit.ts')).measureAudit(report)],
  web: [
    async (report) =>
      (await import('./web.ts')).measureWeb(report, {
        films: films(20_000),
        scrollSeconds: Number(values.scroll),
        idleSeconds: Number(values.idle),
      }),
  ],
  scale: [
    async (report) =>
      (await import('./scale.ts')).measureScale(report, {
        films: films(100_000),
        users: Number(values.users),
        events: Number(values.events.split(',').at(-1)),
        sessions: Number(values.sessions),
        streams: Number(values.feeds),
      }),
  ],
  guard: [async (report) => (await import('./guard.ts')).measureGuard(report, values.against)],
  storage: [async () => void (await import('./storage.ts'))],
}

async function main(): Promise<number> {
  const unknown = positionals.filter((name) => !BENCHMARKS[name])
  if (unknown.length > 0 || positionals.length === 0) {
    console.error(`npm run bench -- <name>...; names: ${Object.keys(BENCHMARKS).join(', ')}`)
    return 2
  }
  const rows: Row[] = []
  const startMs = performance.now()
  const before = load()
  for (const name of positionals) for (const run of BENCHMARKS[name] ?? []) await measured(run, rows)
  const seconds = Math.round((performance.now() - startMs) / 1000)
  printTable(rows)
  console.log(`\n${availableParallelism()} cores, node ${process.version}, ${seconds} s; load average ${before} before, ${load()} after`)
  return rows.some(({ isFailure }) => isFailure) ? 1 : 0
}

/** A failure is a row too: the others still count. */
async function measured(run: Benchmark, rows: Row[]): Promise<void> {
  const report: Report = (row) => {
    rows.push(row)
    console.error(`${row.what}: ${row.ours}`)
  }
  try {
    await run(report)
  } catch (cause) {
    console.error(cause)
    report({ what: 'a benchmark failed', ours: cause instanceof Error ? cause.message : String(cause), met: false })
  }
}

const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')

process.exitCode = await main()
