/**
 * Rendition actor: the only writer of one rendition's segments. Requests wait here, and runs are started, moved and stopped here, for all
 * viewers together.
 */
import { segmentCount } from '../../../domain/streaming/segment-grid.ts'
import { INIT, type Until } from '../../../ports/segment-store.ts'
import type { Init } from '../segments/init-record.ts'
import { createActorState, failureOf, type ActorOptions, type ActorState } from '../runs/actor-state.ts'
import { preemptPaused, recall, schedule, stopAll, stopUnneeded, usesOf, type GivenUse } from '../runs/run-scheduler.ts'
import { busy, type Unavailable } from '../segments/unavailable.ts'
import { INTEREST_MS } from '../runs/viewers.ts'

export interface Ask {
  /** A session; each has one position in a rendition. */
  readonly viewer: string
  readonly signal: AbortSignal
  /** If shorter than the engine's own timeout. */
  readonly withinMs?: number
  /** The bytes may be borrowed until then. */
  readonly until?: Until | undefined
  /** Only one frame is needed: the viewer does not continue from there. */
  readonly still?: boolean
}

export interface RenditionActor {
  init(ask: Ask): Promise<Uint8Array | Unavailable>
  /** Undefined for numbers beyond the last segment. */
  segment(segment: number, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** Starts the work that a viewer will request first. */
  prewarm(segment: number, viewer: string): void
  leave(viewer: string): void
  /** Whether a run is in progress. */
  isRunning(): boolean
  /** Time of the last request, if a run is paused. */
  pausedSince(): number | undefined
  preemptPaused(): boolean
  /** Active runs that take slots. */
  uses(): readonly GivenUse[]
  /** The init segment and its codec string, once known. */
  knownInit(): Init | undefined
  /** The same, including an init segment made by an earlier process. */
  recalledInit(): Promise<Init | undefined>
  /** Stops unneeded runs. True if the actor has nothing left to do. */
  sweep(): boolean
  /** Waiting and later requests get the reason. */
  close(why?: Unavailable): void
}

/** A viewer who drags the slider comes back within this time. */
const GRACE_MS = 500
/** How long a rendition without viewers keeps its init segment and its pace. */
export const REMEMBER_MS = 5 * INTEREST_MS
/** The reason that is given when this node stops. */
export const STOPPING = busy('The server is stopping', 5)

export function createRenditionActor(options: ActorOptions): RenditionActor {
  const state = createActorState(options)
  state.recalled = recall(state)
  return {
    init: (ask) => init(state, ask),
    segment: (segment, ask) => give(state, segment, ask),
    prewarm(segment, viewer) {
      touch(state)
      state.viewers.moved(viewer, segment)
      schedule(state)
    },
    leave: (viewer) => leave(state, viewer),
    isRunning: () => state.runs.size > 0,
    pausedSince: () => ([...state.runs].some((run) => run.paused) ? state.usedAt : undefined),
    preemptPaused: () => preemptPaused(state),
    uses: () => usesOf(state),
    knownInit: () => state.init,
    recalledInit: () => recalledInit(state),
    sweep() {
      stopUnneeded(state)
      return isIdle(state) && state.clock.monotonic() - state.usedAt > REMEMBER_MS
    },
    close(why = STOPPING) {
      state.closed = why
      state.waiters.settleAll(why)
      stopAll(state)
    },
  }
}

async function init(state: ActorState, ask: Ask): Promise<Uint8Array | Unavailable> {
  touch(state)
  const known = await recalledInit(state)
  if (known) return known.bytes
  const { viewers } = state
  if (viewers.position(ask.viewer) === undefined) viewers.moved(ask.viewer, 0)
  return wait(state, INIT, ask)
}

async function recalledInit(state: ActorState): Promise<Init | undefined> {
  if (!state.init) await state.recalled
  return state.init
}

async function give(state: ActorState, segment: number, ask: Ask): Promise<Uint8Array | Unavailable | undefined> {
  const { rendition, viewers, renditionCache } = state
  if (segment < 0 || segment >= segmentCount(rendition.grid)) return undefined
  touch(state)
  if (!ask.still) viewers.moved(ask.viewer, segment)
  const ready = await renditionCache.get(segment, ask.until)
  if (ready) {
    if (!ask.still) schedule(state)
    return ready
  }
  return state.closed ?? failureOf(state, segment) ?? wait(state, segment, ask)
}

async function wait(state: ActorState, key: number, { viewer, signal, withinMs, still = false }: Ask): Promise<Uint8Array | Unavailable> {
  const { clock, viewers } = state
  // The actor was closed while the cache was read: nothing would end this wait.
  if (state.closed) return state.closed
  const waiting = state.waiters.wait(key, {
    signal,
    timeoutMs: withinMs ?? state.answerWithinMs,
    timedOut: () => busy(state.stallReason ?? 'It takes longer than a player waits', 2),
    aborted() {
      if (!still && (viewers.position(viewer) === key || key === INIT)) viewers.left(viewer)
      clock.after(GRACE_MS, () => stopUnneeded(state))
    },
  })
  schedule(state)
  // The next frame may be in the next segment: a player that fast-forwards requests one after the other.
  return still ? waiting.finally(() => clock.after(GRACE_MS, () => stopUnneeded(state))) : waiting
}

function leave(state: ActorState, viewer: string): void {
  if (state.viewers.position(viewer) === undefined) return
  state.viewers.left(viewer)
  stopUnneeded(state)
  // A request of the viewer may still be waiting: within this time it is aborted or gets its segment.
  state.clock.after(2 * GRACE_MS, () => stopUnneeded(state))
}

const isIdle = ({ runs, starting, waiters }: ActorState): boolean => runs.size === 0 && !starting && waiters.keys().length === 0

function touch(state: ActorState): void {
  state.usedAt = state.clock.monotonic()
}
