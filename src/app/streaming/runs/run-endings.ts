/** Handles the ends of runs, and their effect on the next start: failures of the film are counted, losses of agents are not. */
import { failureWords } from '../../../domain/streaming/job-failure.ts'
import { retryDelayMs } from '../../../domain/streaming/wait-or-restart.ts'
import { INIT } from '../../../ports/segment-store.ts'
import type { AgentJobEnd } from '../agents/agent-job.ts'
import { noteEnded } from './run-journal-notes.ts'
import type { Run, ActorState } from './actor-state.ts'
import { busy, missing, type Unavailable } from '../segments/unavailable.ts'

const MAX_ATTEMPTS = 2
const FAILURE_MS = 30_000
/** Agents lost in a row before the film is considered the cause. */
const MAX_LOST = 6
/** The first few lost agents are replaced without delay. */
const LOST_WITHOUT_DELAY = 2

const MANY_LOST = 'One transcoder after the other was lost while it made this part of the film'

/** `reason` is for the operator, `words` for viewers. */
interface Failure {
  readonly reason: string
  readonly words: string
}

export function settleEnd(state: ActorState, run: Run, { end, reason }: { readonly end: AgentJobEnd; readonly reason: string }): void {
  state.runs.delete(run)
  forgetOldFailures(state)
  noteEnded(state, run, { end, reason })
  if (end === 'lost' && ++state.lost <= MAX_LOST) replaceLost(state)
  else if (end !== 'complete') tryAgain(state, run, { reason, words: end === 'lost' ? MANY_LOST : failureWords(reason) })
  else if (!state.init) state.waiters.settle(INIT, missing('The film has nothing at this position'))
}

/** Continues the run on another agent, from the first missing segment. */
function replaceLost(state: ActorState): void {
  state.starts = { last: -Infinity, before: -Infinity }
  state.notBefore = state.clock.monotonic() + (state.lost <= LOST_WITHOUT_DELAY ? 0 : retryDelayMs(state.lost))
}

/** A failed run is retried once from the segment that it failed at; then that segment is given up for a while. */
function tryAgain(state: ActorState, run: Run, { reason, words }: Failure): void {
  const attempts = (state.attempts.get(run.next) ?? 0) + 1
  state.attempts.set(run.next, attempts)
  state.notBefore = state.clock.monotonic() + retryDelayMs(++state.failed)
  if (attempts < MAX_ATTEMPTS) return
  state.attempts.delete(run.next)
  const unavailable = busy(words, 10)
  fail(state, run.next, unavailable)
  // The other segments of a broken film mostly fail for the same reason: one line is enough for a person.
  const level = state.reportedFailure === reason ? 'debug' : 'warn'
  state.reportedFailure = reason
  state.onError(new Error(`${state.rendition.name} of ${state.source().path}, segment ${run.next}: ${reason}`), level)
  if (!state.init) state.waiters.settle(INIT, unavailable)
}

export function fail(state: ActorState, segment: number, unavailable: Unavailable): void {
  state.failures.set(segment, { unavailable, until: state.clock.monotonic() + FAILURE_MS })
  state.waiters.settle(segment, unavailable)
}

/** Bounds the failures: only those of the last seconds are kept. */
function forgetOldFailures({ failures, clock }: ActorState): void {
  const nowMs = clock.monotonic()
  for (const [segment, { until }] of failures) if (until <= nowMs) failures.delete(segment)
}
