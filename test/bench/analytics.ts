/** Measures figures over five years of ten users' viewings, against one plain SQLite scan of the same rows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { specOf } from '../../projections/projector/projector.ts'
import { views } from '../../projections/views/all.ts'
import { collectionOf } from '../../projections/views/view.ts'
import { SETTLED, viewings } from '../../projections/views/viewings.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { createAnalytics, type Analytics } from '../../src/app/history/analytics.ts'
import { createFigures } from '../../src/app/history/figures.ts'
import type { Asking } from '../../src/app/history/history.ts'
import { createSettledViewings } from '../../src/app/history/settled-viewings.ts'
import { createReadModels } from '../../src/app/read-models/read-models.ts'
import { isRefusal, type Refusal } from '../../src/domain/refusal.ts'
import { START, toPosition } from '../../src/events/position.ts'
import type { UserId } from '../../src/vocabulary/id.ts'
import { admin, idOf } from '../fixtures/samples.ts'
import { createRandom } from '../fixtures/random.ts'
import { median, wholeNumber, type Report } from './table.ts'

/** A viewing of a quarter of an hour: its start, heartbeats, its end. */
const EVENTS_EACH = 30
const USERS = 10
const MOVIES = 500
const END = Date.parse('2026-11-01T00:00:00.000Z')
const SPAN_MS = 5 * 365 * 86_400_000
const TIMES = 30
const BATCH = 5_000
const GOAL_MS = 10
/** As many changes as the view names. */
const RECENT_MAX = 64

export async function measureAnalytics(report: Report, sizes: readonly number[]): Promise<void> {
  for (const events of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-analytics-'))
    try {
      await measure(report, join(folder, 'read.sqlite'), events)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function measure(report: Report, file: string, events: number): Promise<void> {
  const store = createSqliteReadStore({ file })
  await store.open(views.map(specOf))
  const rows = rowsOf(Math.round(events / EVENTS_EACH))
  for (let first = 0; first < rows.length; first += BATCH) {
    const puts = rows.slice(first, first + BATCH).map((body) => ({ id: body.id, at: toPosition(first + 1), body }))
    const from = first === 0 ? START : toPosition(first)
    await store.commit({ collection: collectionOf(viewings), epoch: 1, from, to: toPosition(first + BATCH), puts, removes: [] })
  }
  await store.buildIndexes([collectionOf(viewings)])
  const bare = barePass(file)
  const clock = { now: () => END }
  const sealer = { digest: async () => undefined, open: async () => undefined }
  const readModels = createReadModels(store)
  const analytics = createAnalytics({
    clock,
    readModels,
    settled: createSettledViewings(readModels.viewings, () => false),
    figures: createFigures({ access: { users: new Map() }, accessRecords: { viewed: async () => {} }, clock, sealer }),
    sealer,
    nameOf: async () => 'Somebody',
    libraryName: () => 'Films',
  })
  let last = BATCH * Math.ceil(rows.length / BATCH)
  const recent: string[] = []
  /** As if a viewing had ended. */
  async function change(): Promise<void> {
    const [from, to] = [toPosition(last), toPosition(++last)]
    const viewing = { ...rowsOf(1)[0], id: idOf(`ended${last}`), overSince: to }
    recent.push(viewing.id)
    const settled = { id: SETTLED, changes: recent.length, at: to, recent: recent.slice(-RECENT_MAX) }
    const puts = [viewing, settled].map((body) => ({ id: body.id, at: to, body }))
    await store.commit({ collection: collectionOf(viewings), epoch: 1, from, to, puts, removes: [] })
  }
  const timeOf = async (ask: () => Promise<object | Refusal>): Promise<Time> => {
    const [startMs, used] = [performance.now(), process.cpuUsage()]
    const answer = await ask()
    if (isRefusal(answer)) throw new Error(answer.message)
    const { user, system } = process.cpuUsage(used)
    return { passedMs: performance.now() - startMs, processorMs: (user + system) / 1000 }
  }
  for (const [name, ask] of questionsOf(analytics)) {
    const [first, again]: [Time[], Time[]] = [[], []]
    for (let n = 0; n < TIMES; n++) {
      await change()
      first.push(await timeOf(ask))
      again.push(await timeOf(ask))
    }
    const p50 = median(again.map(({ passedMs }) => passedMs))
    report({
      what: `${name}, ${wholeNumber(events)} events`,
      ours: `${told(again)}; after a viewing has ended ${told(first)}`,
      yardstick: `${bare.toFixed(1)} ms (bare pass over ${wholeNumber(rows.length)} rows)`,
      ratio: p50 / bare,
      goal: `p50 < ${GOAL_MS} ms`,
      met: p50 < GOAL_MS,
    })
  }
  await store.close()
}

interface Time {
  readonly passedMs: number
  readonly processorMs: number
}

function told(times: readonly Time[]): string {
  const passed = times.map(({ passedMs }) => passedMs)
  const processor = median(times.map(({ processorMs }) => processorMs))
  return `p50 ${median(passed).toFixed(1)} ms (processor ${processor.toFixed(1)}), p99 ${Math.max(...passed).toFixed(1)} ms`
}

function questionsOf(analytics: Analytics): readonly (readonly [string, () => Promise<object | Refusal>])[] {
  const asking: Asking = { caller: admin, operation: 'GET', origin: { requestId: '', address: '', client: '' } }
  const range = { from: new Date(END - SPAN_MS).toISOString(), to: new Date(END).toISOString(), tz: 'Europe/Berlin' }
  const all = { ...range, filter: {} }
  const own = { ...range, filter: { userId: idOf('user3') as UserId } }
  const plays = { groupBy: 'day', metric: 'seconds', limit: 10 } as const
  return [
    ['overview of all', () => analytics.overview(asking, all)],
    ['overview of one', () => analytics.overview(asking, own)],
    ['plays of one by day', () => analytics.plays(asking, { ...own, ...plays })],
    ['plays of all by day', () => analytics.plays(asking, { ...all, ...plays })],
    ['plays of all by hour of week and movie', () => analytics.plays(asking, { ...all, ...plays, groupBy: 'hourOfWeek', by: 'movie' })],
    [
      'users of all by month and library',
      () => analytics.plays(asking, { ...all, ...plays, groupBy: 'month', metric: 'users', by: 'library' }),
    ],
    ['top movies of all', () => analytics.top(asking, { ...all, by: 'movie', metric: 'seconds', limit: 10 })],
    ['concurrency of all', () => analytics.concurrency(asking, { ...all, points: 500 })],
  ]
}

function rowsOf(count: number) {
  const random = createRandom(1)
  return Array.from({ length: count }, (_, n) => {
    const startMs = END - SPAN_MS + Math.floor((n / count) * SPAN_MS) + random.below(60_000)
    const endMs = startMs + 60_000 + random.below(7_200_000)
    return {
      id: idOf(`viewing${n}`),
      source: 'playback',
      userId: idOf(`user${random.below(USERS)}`),
      movieId: idOf(`movie${random.below(MOVIES)}`),
      libraryId: idOf(`library${random.below(3)}`),
      title: 'A film',
      year: 1990,
      fileId: idOf('file'),
      startedAt: new Date(startMs).toISOString(),
      startedMinute: Math.floor(startMs / 60_000),
      endedAt: new Date(endMs).toISOString(),
      endReason: 'client',
      beatAt: new Date(endMs).toISOString(),
      idleSeconds: 120,
      startPositionMs: 0,
      positionMs: endMs - startMs,
      durationMs: 7_200_000,
      endPercent: 50,
      watchedMs: endMs - startMs,
      completed: random.chance(0.5),
      method: random.pick(['direct', 'remux', 'transcode']),
      quality: '1080p',
      resolution: '1080p',
      client: null,
      clientKey: `client${random.below(USERS * 3)}`,
      hidden: false,
      over: true,
      overSince: toPosition(1),
    }
  })
}

/** Median time of SQLite to sum one member of all rows. */
function barePass(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  const name = collectionOf(viewings)
  const table = database.prepare("select name from sqlite_master where type = 'table' and name like ?").all(`%${name}%`)[0]?.['name']
  const sum = database.prepare(`select count(*), total(length(body)) from "${String(table)}"`)
  const times = Array.from({ length: TIMES }, () => {
    const startMs = performance.now()
    sum.get()
    return performance.now() - startMs
  })
  database.close()
  return median(times)
}
