/** Determines which segments of a rendition are wanted, by waiting requests and by viewers, and which runs serve them. */
import { segmentCount, startOf } from '../../../domain/streaming/segment-grid.ts'
import { willReach } from '../../../domain/streaming/wait-or-restart.ts'
import { INIT } from '../../../ports/segment-store.ts'
import { failureOf, type Run, type ActorState } from './actor-state.ts'

/** If fewer of a viewer's next segments are ready, they are made again. */
export const LEAST_LEAD_MS = 20_000
/** A run this far ahead of all viewers is not worth its memory; a new one starts quickly. */
const TOO_FAR_MS = 90_000
/** Segments that one player requests at a time. */
const TOGETHER = 8

/** The first segment that is requested, or soon will be, and that no run will make. */
export function nextWanted(state: ActorState): number | undefined {
  const reached = (segment: number) =>
    [...state.runs].some((run) => willReach(state.rendition.grid, { next: run.next, wanted: segment }, state.pace))
  const waited = state.waiters.keys().filter((key) => key !== INIT)
  const direct = newestOf(
    state,
    waited.filter((segment) => !reached(segment)),
  )
  if (direct !== undefined) return direct
  const soon = state.viewers.present().map((viewer) => firstGap(state, viewer.segment))
  const gap = soon.find((segment) => segment !== undefined && !reached(segment) && !isOnTheWay(state, segment))
  if (gap !== undefined) return gap
  return state.waiters.has(INIT) && state.runs.size === 0 ? 0 : undefined
}

/** The segment that the most recently moved viewer waits for. Players request a few segments at a time, and need the first one first. */
function newestOf({ viewers }: ActorState, waited: readonly number[]): number | undefined {
  const newest = viewers.present().findLast(({ segment }) => waited.includes(segment))?.segment ?? Infinity
  return waited.find((segment) => segment <= newest && newest - segment <= TOGETHER) ?? waited[0]
}

/** The first segment that is not ready within a viewer's minimum lead. */
function firstGap(state: ActorState, from: number): number | undefined {
  const { grid } = state.rendition
  const untilMs = startOf(grid, from) + LEAST_LEAD_MS
  for (let segment = from; segment < segmentCount(grid) && startOf(grid, segment) < untilMs; segment++) {
    if (!state.renditionCache.has(segment) && !failureOf(state, segment)) return segment
  }
  return undefined
}

/** A run that is paused, or busy with earlier segments, gets there before anybody waits. */
function isOnTheWay({ runs, rendition: { grid } }: ActorState, segment: number): boolean {
  return [...runs].some((run) => run.next <= segment && startOf(grid, segment) - startOf(grid, run.next) <= LEAST_LEAD_MS)
}

/** Whether a request waits for a segment that the run will make. */
export function isAwaited({ rendition, waiters, pace }: ActorState, { next }: Run): boolean {
  return waiters.keys().some((wanted) => wanted !== INIT && willReach(rendition.grid, { next, wanted }, pace))
}

export function isNeeded(state: ActorState, run: Run): boolean {
  const { grid } = state.rendition
  const reaches = (segment: number) => willReach(grid, { next: run.next, wanted: segment }, state.pace)
  return state.waiters.keys().some((key) => (key === INIT ? !state.init : reaches(key))) || viewersOf(state, run).length > 0
}

/** The sessions that a run serves. */
export function viewersOf(state: ActorState, run: Pick<Run, 'next' | 'startSegment'>): readonly string[] {
  const { grid } = state.rendition
  const reaches = (segment: number) => willReach(grid, { next: run.next, wanted: segment }, state.pace)
  const isServed = (segment: number) => segment < run.next && startOf(grid, run.next) - startOf(grid, segment) <= TOO_FAR_MS
  const served = state.viewers.present().filter(({ segment }) => segment >= run.startSegment - 1 && (isServed(segment) || reaches(segment)))
  return served.map(({ name }) => name)
}
