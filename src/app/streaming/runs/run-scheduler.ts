/**
 * Manages the runs of a rendition's actor: their output, and which run to start next. Reads the waiting requests and the viewers. Every
 * decision happens between two awaits, so that no intermediate state is visible.
 */
import type { SlotUse } from '../../../domain/streaming/fair-share.ts'
import { segmentCount } from '../../../domain/streaming/segment-grid.ts'
import { made, restarted, startAt } from '../../../domain/streaming/wait-or-restart.ts'
import { INIT } from '../../../ports/segment-store.ts'
import { updateCredit } from './credit.ts'
import { packInit, unpackInit, type Init } from '../segments/init-record.ts'
import { weightOf } from '../agents/agent-protocol.ts'
import { fail, settleEnd } from './run-endings.ts'
import { SUPERSEDED, type ActorState, type Run } from './actor-state.ts'
import { ALL_BUSY, dispatchJob } from '../agents/job-dispatch.ts'
import { noteAssigned, noteEnded } from './run-journal-notes.ts'
import type { AgentJobEvents } from '../agents/agent-job.ts'
import { specFor, unreachable } from './run-jobs.ts'
import { busy, isUnavailable, missing, type Unavailable } from '../segments/unavailable.ts'
import { isAwaited, isNeeded, nextWanted, viewersOf } from './demand.ts'

/** A run that takes slots. */
export interface GivenUse extends SlotUse {
  /** Stops it in favour of other requests. Its viewers wait until slots are free again. */
  giveUp(this: void): void
}

const NO_PLACE = 'Others watch this film at too many other positions'
const MAX_RUNS = 4
const BUSY_RETRY_MS = 500
/** The request that the slots were freed for retries at once, and has them by then. */
const YIELD_MS = 2_000
/** A run that reaches this many segments which are ready has nothing to do. */
const READY_REGION = 3

/** Checks which segments are wanted, and starts a run if no run will make them. */
export function schedule(state: ActorState): void {
  for (const run of state.runs) run.job?.grant(updateCredit(state, run))
  if (state.closed || state.isSuperseded || state.starting) return
  const wanted = nextWanted(state)
  if (wanted === undefined) return
  if (wanted !== state.wanted) Object.assign(state, { wanted, wantedAt: state.clock.monotonic() })
  const delayMs = Math.max(state.notBefore, startAt(state.starts, state.wantedAt)) - state.clock.monotonic()
  state.disarm?.()
  if (delayMs > 0) state.disarm = state.clock.after(delayMs, () => schedule(state))
  else void begin(state, wanted)
}

/** Reads the init segment that an earlier process has made. */
export async function recall(state: ActorState): Promise<void> {
  const kept = state.renditionCache.has(INIT) ? await state.renditionCache.get(INIT) : undefined
  state.init ??= kept && unpackInit(kept)
}

async function begin(state: ActorState, segment: number): Promise<void> {
  if (!makeRoom(state)) return postpone(state, NO_PLACE)
  state.starting = true
  const startedAt = state.clock.monotonic()
  state.starts = { last: startedAt, before: state.starts.last }
  const run: Run = {
    startSegment: segment,
    startedAt,
    next: segment,
    paused: false,
    job: undefined,
    ending: undefined,
    stopped: false,
  }
  state.runs.add(run)
  await state.recalled
  const job = await place(state, run).catch((cause: unknown) => unreachable(state, cause))
  state.starting = false
  if (job === 'superseded') giveUp(state, run)
  else if (isUnavailable(job)) notStarted(state, run, job)
  else {
    run.job = job
    state.stallReason = undefined
    noteAssigned(state, run)
    if (run.stopped || state.closed) job.stop()
  }
  schedule(state)
}

async function place(state: ActorState, run: Run) {
  const attachment = await state.attachment?.()
  if (isUnavailable(attachment)) return attachment
  const newJob = () => specFor(state, run, attachment)
  return dispatchJob({ ...state, newJob, output: state.rendition.output, attachment, events: eventsFor(state, run) })
}

function notStarted(state: ActorState, run: Run, why: Unavailable): void {
  state.runs.delete(run)
  // The run never started: the next one need not be delayed because of it.
  state.starts = { last: state.starts.before, before: -Infinity }
  state.stallReason = why.unavailable
  const again =
    why === ALL_BUSY && !state.closed && state.reclaim({ viewers: viewersOf(state, run), weight: weightOf(state.rendition.output) })
  state.notBefore = state.clock.monotonic() + (again ? 0 : BUSY_RETRY_MS)
  if (why.missing) fail(state, run.startSegment, busy(why.unavailable, 30))
}

/** A newer owner is active: nothing is started here any more, and waiting requests are redirected to it. */
function giveUp(state: ActorState, run: Run): void {
  state.runs.delete(run)
  state.isSuperseded = true
  for (const other of state.runs) stop(state, other)
  // The callback comes first: it may redirect the waiting requests itself.
  state.superseded?.()
  state.waiters.settleAll(SUPERSEDED)
}

function postpone(state: ActorState, stallReason: string): void {
  state.stallReason = stallReason
  state.notBefore = state.clock.monotonic() + BUSY_RETRY_MS
  state.disarm = state.clock.after(BUSY_RETRY_MS, () => schedule(state))
}

/** Makes room for a run: stops unneeded runs, then the oldest one that no request waits for. False if there is none. */
function makeRoom(state: ActorState): boolean {
  stopUnneeded(state)
  if (state.runs.size < MAX_RUNS) return true
  const spare = [...state.runs].find((run) => !isAwaited(state, run))
  if (spare) stop(state, spare)
  return spare !== undefined
}

export function stopUnneeded(state: ActorState): void {
  for (const run of state.runs) if (!isNeeded(state, run)) stop(state, run)
}

/**
 * Stops a paused run in favour of other requests. False if there is none. A paused run costs a slot and memory; starting it again costs half a
 * second when its viewers come close to its head.
 */
export function preemptPaused(state: ActorState): boolean {
  const paused = [...state.runs].find((run) => run.paused)
  if (paused) stop(state, paused)
  return paused !== undefined
}

/** Active runs that take slots. */
export function usesOf(state: ActorState): readonly GivenUse[] {
  const weight = weightOf(state.rendition.output)
  const running = [...state.runs].filter((run) => !run.paused && !run.stopped)
  return running.map((run) => ({
    viewers: viewersOf(state, run),
    weight,
    startedAt: run.startedAt,
    giveUp: () => yieldSlots(state, run),
  }))
}

function yieldSlots(state: ActorState, run: Run): void {
  if (!state.runs.has(run)) return
  stop(state, run)
  state.stallReason = ALL_BUSY.unavailable
  state.notBefore = state.clock.monotonic() + YIELD_MS
  schedule(state)
}

export function stopAll(state: ActorState): void {
  state.disarm?.()
  for (const run of state.runs) stop(state, run)
}

function stop(state: ActorState, run: Run): void {
  run.stopped = true
  state.runs.delete(run)
  run.job?.stop()
  noteEnded(state, run, { end: 'unneeded', reason: '' })
}

function eventsFor(state: ActorState, run: Run): AgentJobEvents {
  return {
    init(bytes, codec) {
      if (!state.init || isOfAnother(state, bytes)) keepInit(state, { bytes, codec })
      state.waiters.settle(INIT, state.init?.bytes ?? bytes)
    },
    segment: (segment, bytes, workMs) => ready(state, run, { segment, bytes, workMs }),
    missing: (from, through) => notInMediaFile(state, run, { from, through }),
    ended(end, reason) {
      settleEnd(state, run, { end, reason })
      schedule(state)
    },
    creditMs: () => updateCredit(state, run),
  }
}

/**
 * Whether another encoder than before made it: segments of the two do not match. Init segments of copies and audio contain nothing that
 * decoding depends on and that may change.
 */
function isOfAnother({ init, rendition }: ActorState, bytes: Uint8Array): boolean {
  return rendition.output.type === 'encode-video' && init !== undefined && Buffer.compare(init.bytes, bytes) !== 0
}

function keepInit(state: ActorState, init: Init): void {
  if (state.init) state.renditionCache.clear()
  state.init = init
  state.renditionCache.put(INIT, packInit(init))
}

interface Ready {
  readonly segment: number
  readonly bytes: Uint8Array
  readonly workMs: number
}

function ready(state: ActorState, run: Run, { segment, bytes, workMs }: Ready): void {
  const first = run.next === run.startSegment
  state.pace = first ? restarted(state.pace, state.clock.monotonic() - run.startedAt) : made(state.pace, workMs)
  state.failed = 0
  state.lost = 0
  run.next = segment + 1
  state.renditionCache.put(segment, bytes)
  state.sizes.set(segment, bytes.byteLength)
  state.failures.delete(segment)
  state.attempts.delete(segment)
  state.waiters.settle(segment, bytes)
  if (comesToReadyRegion(state, run) && !isAwaited(state, run)) stop(state, run)
  // By the new pace, a request that this run was to reach may need a run of its own.
  if (state.waiters.keys().length > 0) schedule(state)
}

function comesToReadyRegion(state: ActorState, run: Run): boolean {
  const last = segmentCount(state.rendition.grid) - 1
  const through = Math.min(run.next + READY_REGION - 1, last)
  for (let segment = run.next; segment <= through; segment++) if (!state.renditionCache.has(segment)) return false
  return run.next <= last
}

function notInMediaFile(state: ActorState, run: Run, { from, through }: { readonly from: number; readonly through: number }): void {
  state.failed = 0
  run.next = through + 1
  const last = Math.min(through, segmentCount(state.rendition.grid) - 1)
  for (let segment = from; segment <= last; segment++) fail(state, segment, missing('The film has nothing at this position'))
}
