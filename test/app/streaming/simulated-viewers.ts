/**
 * Simulates viewers who play, skip, rest and leave, and an agent that works as a real one does: it starts, makes one segment after the other as
 * far as its credit goes, and ends at the film's end; now and then it loses a job, or is busy. Whatever happens, each request that is not
 * aborted gets its segment soon. All choices come from a seed.
 */
import type { TestClock } from '../../../src/adapters/memory/clock.ts'
import { segmentCount, startOf, type Grid } from '../../../src/domain/streaming/segment-grid.ts'
import type { Rendition } from '../../../src/domain/streaming/rendition.ts'
import type { RandomBelow } from '../../fixtures/random-below.ts'
import { ENCODED, audioOf, type Asked, type ScriptedAgent, type ScriptedJob } from '../../fixtures/scripted-agent.ts'

const STEP_MS = 25
const STEPS = 2_000
/** One step in so many, of each job. */
const LOST_ONE_IN = 500

export interface Film {
  readonly grid: Grid
  readonly rendition: Rendition
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
export function filmOf(chance: RandomBelow): Film {
  const [count, kind] = [3 + chance(120), chance(3)]
  const lengths = Array.from({ length: count }, () => [2_000, 5_000 / 3, 4_000 + chance(3_000)][kind] ?? 0)
  const startsMs = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, one) => sum + one, 0))
  const grid: Grid = { type: 'listed', startsMs, endMs: (startsMs.at(-1) ?? 0) + 2_000 }
  const rendition = { ...audioOf(1), grid, ...(chance(2) === 0 ? { output: ENCODED } : {}) }
  return { grid, rendition, startMs: 50 + chance(900), segmentMs: 5 + chance([20, 400][chance(2)] ?? 0) }
}

/** Where viewers watch. */
export interface Scene {
  readonly agent: Pick<ScriptedAgent, 'jobs' | 'replies'>
  readonly clock: TestClock
  readonly film: Film
  readonly chance: RandomBelow
  ask(segment: number, viewer: string): Asked
  leave(viewer: string): void
  /** A player asks again after a refusal. Without it, each refusal is a fault. */
  readonly asksAgain: boolean
  /** Longest time until a segment is there, with all repeats. */
  readonly patienceMs: number
  /** Happens at each step. */
  readonly step: () => void
}

/** One step of all jobs, as `transcode-agent/job.ts` goes on. */
async function work({ agent, clock, film, chance }: Scene, works: Map<ScriptedJob, Work>): Promise<void> {
  const { grid, startMs, segmentMs } = film
  const now = clock.monotonic()
  for (const job of agent.jobs)
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
function watchOn(scene: Scene, viewer: Viewer): string | undefined {
  const { clock, film, chance, patienceMs, asksAgain } = scene
  const now = clock.monotonic()
  const { name, request } = viewer
  const ask = (segment: number, sinceMs = now): Request => ({ asked: scene.ask(segment, name), segment, sinceMs })
  if (request) {
    const { segment, sinceMs, asked } = request
    const isThere = asked.result === `segment ${segment}`
    if (!isThere && now - sinceMs > patienceMs) return `${name} has waited for segment ${segment} since ${sinceMs}: ${asked.result}`
    if (asked.result === undefined && chance(1_000) > 0) return undefined
    if (asked.result === undefined) asked.abort()
    else if (isThere) viewer.restsUntil = now + chance([1, 3_000, 30_000][chance(3)] ?? 1)
    else if (!asksAgain) return `${name}, segment ${segment}: ${asked.result}`
    else return void (chance(20) === 0 && (viewer.request = ask(segment, sinceMs)))
  }
  viewer.request = undefined
  if (now < viewer.restsUntil) return undefined
  if (chance(50) === 0) scene.leave(name)
  viewer.place = nextOf(chance, viewer.place, segmentCount(film.grid))
  viewer.request = ask(viewer.place)
  return undefined
}

/** Up to three viewers, for almost a minute. @returns the first request that was not answered in time */
export async function simulate(scene: Scene): Promise<string | undefined> {
  const { agent, clock, film, chance, step } = scene
  const works = new Map<ScriptedJob, Work>()
  const names = ['ann', 'ben', 'cy'].slice(0, 1 + chance(3))
  const placed = (name: string): Viewer => ({ name, place: chance(segmentCount(film.grid)), request: undefined, restsUntil: 0 })
  const viewers = names.map(placed)
  for (let steps = 0; steps < STEPS; steps++) {
    for (const viewer of viewers) {
      const wrong = watchOn(scene, viewer)
      if (wrong !== undefined) return wrong
    }
    await work(scene, works)
    if (chance(100) === 0) agent.replies.push({ type: 'busy' })
    step()
    await clock.advance(STEP_MS)
  }
  return undefined
}
