/**
 * Computes an agent's credit: how far it may go. The credit ahead of viewers grows with the time they have watched. So neither scrubbing
 * nor a player that tries every variant makes minutes of unseen film. Bytes ahead are bounded too.
 */
import { segmentCount, startOf } from '../../../domain/streaming/segment-grid.ts'
import { willReach } from '../../../domain/streaming/wait-or-restart.ts'
import { INIT } from '../../../ports/segment-store.ts'
import type { Run, ActorState } from './actor-state.ts'

const FIRST_AHEAD_MS = 10_000
const MOST_AHEAD_MS = 60_000
/** Seconds ahead earned by each second watched. */
const AHEAD_FOR_WATCHED = 2
/** A paused run resumes when its lead falls to this share of the maximum. */
const RESUME_SHARE = 0.5
/** Credit granted at a time, so that a fast copy cannot exceed the byte limit before its bytes are counted. */
const STEP_MS = 8_000
/** A run serves a viewer who is at most this far ahead of its head. */
const REACH = 8
/** Segments ahead that are always allowed, however large they are. */
const LEAST_SEGMENTS = 3

interface Credit {
  /** On the output timeline: how far the run may go. */
  readonly creditMs: number
  readonly isPaused: boolean
}

/** Pauses or resumes a run by how far it is ahead, and returns how far it may go. */
export function updateCredit(state: ActorState, run: Run): number {
  const { creditMs, isPaused } = creditFor(state, run)
  run.paused = isPaused
  return creditMs
}

function creditFor(state: ActorState, run: Run): Credit {
  const { grid } = state.rendition
  if (run.next >= segmentCount(grid)) return { creditMs: grid.endMs + 1, isPaused: run.paused }
  const headMs = startOf(grid, run.next)
  const { position, aheadMs } = interestIn(state, run)
  const leadMs = headMs - startOf(grid, position)
  const isHeavy = run.next - position > LEAST_SEGMENTS && bytesBetween(state, position, run.next) > state.aheadBytes()
  const isFull = leadMs >= aheadMs || isHeavy
  const isPaused = isFull || (run.paused && leadMs > aheadMs * RESUME_SHARE)
  const creditMs = isPaused ? headMs : Math.min(startOf(grid, position) + aheadMs, headMs + STEP_MS)
  return { creditMs, isPaused }
}

/** The furthest viewer within this run, and how far ahead of them to go. Requests for a single frame count too. */
function interestIn(state: ActorState, run: Run): { readonly position: number; readonly aheadMs: number } {
  const { grid } = state.rendition
  const awaited = state.waiters.keys().filter((key) => key !== INIT)
  const all = [...awaited.map((segment) => ({ segment, from: segment })), ...state.viewers.present()]
  // A request that waits for this run counts, however many short segments are before it: no other run makes its segment.
  const reaches = (segment: number) => segment <= run.next + REACH || willReach(grid, { next: run.next, wanted: segment }, state.pace)
  const near = all.filter(({ segment }) => segment >= run.startSegment - 1 && reaches(segment))
  let position = run.startSegment
  let aheadMs = FIRST_AHEAD_MS
  for (const { segment, from } of near) {
    if (segment < position) continue
    position = segment
    const watchedMs = startOf(grid, segment) - startOf(grid, from)
    aheadMs = Math.min(MOST_AHEAD_MS, FIRST_AHEAD_MS + AHEAD_FOR_WATCHED * watchedMs)
  }
  return { position, aheadMs }
}

function bytesBetween({ sizes }: ActorState, position: number, next: number): number {
  let sum = 0
  for (let segment = position + 1; segment < next; segment++) sum += sizes.get(segment) ?? 0
  return sum
}
