/**
 * Liveness of the rendition actor: whatever viewers do, each request that is not aborted gets its segment soon, from an agent that works as
 * a real one does: it starts, makes one segment after the other as far as its credit goes, and ends at the film's end; now and then it
 * loses a job, or is busy. Viewers, lengths of segments, speeds and cache come from a seed (`MARQUEE_TEST_SEED=3` repeats one,
 * `MARQUEE_TEST_SEEDS=500` runs many).
 */
import t from 'tap'
import { createSegmentCache } from '../../../src/app/streaming/segments/segment-cache.ts'
import { segmentCount, startOf, type Grid } from '../../../src/domain/streaming/segment-grid.ts'
import { randomBelow, seeds, type RandomBelow } from '../../fixtures/random-below.ts'
import { ENCODED, openStage, audioOf, type Asked, type ScriptedJob, type Stage } from '../../fixtures/scripted-agent.ts'

const STEP_MS = 25
const STEPS = 2_000
/**
 * A start and its debounce take up to two seconds; each of the four runs may have to wait for one. A job that an agent has lost is missed
 * after two seconds.
 */
const PATIENCE_MS = 12_000
/** One step in so many, of each job. */
const LOST_ONE_IN = 500

interface Film {
  readonly grid: Grid
  readonly startMs: number
  readonly segmentMs: number
}

/** An agent's work on a job. */
interface Work {
  readonly job: ScriptedJob
  next: number
  creditMs: number
  readAt: number
  busyUntil: number
  over: boolean
}

interface Request {
  readonly asked: Asked
  readonly segment: number
  readonly sinceMs: number
}

/** Even segments, the parts of a copy's segments of five seconds, or a copy's segments. */
function filmOf(chance: RandomBelow): Film {
  const [count, kind] = [3 + chance(120), chance(3)]
  const lengths = Array.from({ length: count }, () => [2_000, 5_000 / 3, 4_000 + chance(3_000)][kind] ?? 0)
  const startsMs = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, one) => sum + one, 0))
  const grid: Grid = { type: 'listed', startsMs, endMs: (startsMs.at(-1) ?? 0) + 2_000 }
  return { grid, startMs: 50 + chance(900), segmentMs: 5 + chance([20, 400][chance(2)] ?? 0) }
}

interface Working extends Film {
  readonly chance: RandomBelow
}

/** One step of all jobs, as `transcode-agent/job.ts` goes on. */
async function work(stage: Stage, works: Map<ScriptedJob, Work>, { grid, startMs, segmentMs, chance }: Working): Promise<void> {
  const now = stage.clock.monotonic()
  for (const job of stage.jobs)
    if (!works.has(job))
      works.set(job, { job, next: job.spec.startSegment, creditMs: job.spec.creditMs, readAt: 0, busyUntil: now + startMs, over: false })
  for (const one of works.values()) {
    for (; one.readAt < one.job.orders.length; one.readAt++) {
      const order = one.job.orders[one.readAt]
      if (order?.type === 'credit') one.creditMs = order.creditMs
      if (order?.type === 'stop') one.over = true
    }
    if (!one.over && chance(LOST_ONE_IN) === 0) one.over = one.job.forgotten = true
    if (one.over || one.busyUntil > now || (one.next > one.job.spec.startSegment && startOf(grid, one.next) >= one.creditMs)) continue
    // An owner that has stopped the job no longer answers.
    const reply = (await one.job.segment(one.next).catch(() => ({ type: 'stop' }))) as { readonly type: string; readonly creditMs?: number }
    one.next++
    one.busyUntil = now + segmentMs
    if (reply.type === 'stop') one.over = true
    else one.creditMs = reply.creditMs ?? 0
    if (one.over || one.next < segmentCount(grid)) continue
    one.over = true
    await one.job.say({ type: 'ended', outcome: 'complete', reason: '' }).catch(() => undefined)
  }
}

/** What a viewer requests next: the next segment, one a little further, or one anywhere. */
function nextOf(chance: RandomBelow, before: number, count: number): number {
  const kind = chance(10)
  if (kind < 6) return (before + 1) % count
  if (kind < 8) return Math.min(count - 1, before + 1 + chance(30))
  return chance(count)
}

interface Viewer {
  readonly name: string
  place: number
  request: Request | undefined
  /** Plays from its buffer until then. */
  restsUntil: number
}

/** One step of a viewer. @returns what is wrong */
function watchOn(
  stage: Stage,
  viewer: Viewer,
  { chance, count }: { readonly chance: RandomBelow; readonly count: number },
): string | undefined {
  const now = stage.clock.monotonic()
  const { name, request } = viewer
  if (request && request.asked.result === undefined) {
    if (now - request.sinceMs > PATIENCE_MS) return `${name} has waited for segment ${request.segment} of ${count} since ${request.sinceMs}`
    if (chance(1_000) > 0) return undefined
    request.asked.abort()
  } else if (request) {
    if (request.asked.result !== `segment ${request.segment}`) return `${name}: ${request.asked.result}`
    viewer.restsUntil = now + chance([1, 3_000, 30_000][chance(3)] ?? 1)
  }
  viewer.request = undefined
  if (now < viewer.restsUntil) return undefined
  if (chance(50) === 0) stage.actor.leave(name)
  viewer.place = nextOf(chance, viewer.place, count)
  viewer.request = { asked: stage.ask(viewer.place, name), segment: viewer.place, sinceMs: now }
  return undefined
}

for (const seed of seeds(12))
  t.test(`each request is answered soon, MARQUEE_TEST_SEED=${seed}`, async (t) => {
    const chance = randomBelow(seed)
    const film = filmOf(chance)
    const count = segmentCount(film.grid)
    const cache = createSegmentCache({ memoryBytes: [60, 300, 1_000_000][chance(3)] ?? 300 })
    const rendition = { ...audioOf(1), grid: film.grid, ...(chance(2) === 0 ? { output: ENCODED } : {}) }
    const stage = openStage({ cache, rendition, aheadBytes: () => [100, 1_000_000][seed % 2] ?? 0, answerWithinMs: 60_000 })
    t.teardown(() => stage.actor.close())
    const works = new Map<ScriptedJob, Work>()
    const names = ['ann', 'ben', 'cy'].slice(0, 1 + chance(3))
    const viewers: readonly Viewer[] = names.map((name) => ({ name, place: chance(count), request: undefined, restsUntil: 0 }))
    let wrong: string | undefined
    for (let step = 0; step < STEPS && wrong === undefined; step++) {
      for (const viewer of viewers) wrong ??= watchOn(stage, viewer, { chance, count })
      await work(stage, works, { ...film, chance })
      if (chance(100) === 0) stage.replies.push({ type: 'busy' })
      await stage.clock.advance(STEP_MS)
      if (chance(200) === 0) stage.actor.sweep()
    }
    t.equal(wrong, undefined)
    t.ok(stage.jobs.length > 0)
  })
