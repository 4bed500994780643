/**
 * Rendition actor: the only writer of one rendition's segments. Requests wait here, and runs are started, moved and stopped here, for all
 * viewers together.
 */
import { segmentCount } from '../../../domain/streaming/segment-grid.ts'
import { INIT, type Until } from '../../../ports/segment-store.ts'
import type { Init } from '../segments/init-record.ts'
import { createRunTable, type GivenUse, type RunTable } from '../runs/run-table.ts'
import type { RunTableOptions } from '../runs/run-state.ts'
import { busy, type Unavailable } from '../segments/unavailable.ts'
import { INTEREST_MS } from '../runs/viewers.ts'
import { createWaiters, type Waiters } from '../runs/waiters.ts'

export interface Ask {
  /** A session; each has one position in a rendition. */
  readonly viewer: string
  readonly signal: AbortSignal
  /** If shorter than the engine's own timeout. */
  readonly withinMs?: number
  /** The bytes may be borrowed until then. */
  readonly until?: Until | undefined
  /** Only one picture is needed: the viewer does not continue from there. */
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

/** The viewers and the cache outlive the actor: they belong to the node. */
export type ActorOptions = Omit<RunTableOptions, 'waiters'> & {
  /** A player gives up after 9 s without a byte: before that it is asked to retry. */
  readonly answerWithinMs: number
}

/** A viewer who drags the slider comes back within this time. */
const GRACE_MS = 500
/** How long a rendition without viewers keeps its init segment and its pace. */
export const REMEMBER_MS = 5 * INTEREST_MS
/** The reason that is given when this node stops. */
export const STOPPING = busy('The server is stopping', 5)

interface State {
  readonly options: ActorOptions
  readonly waiters: Waiters<Uint8Array | Unavailable>
  readonly runs: RunTable
  usedAt: number
  closed: Unavailable | undefined
}

export function createRenditionActor(options: ActorOptions): RenditionActor {
  const waiters = createWaiters<Uint8Array | Unavailable>(options.clock)
  const { viewers } = options
  const runs = createRunTable({ ...options, waiters })
  const state: State = { options, waiters, runs, usedAt: options.clock.monotonic(), closed: undefined }
  return {
    init: (ask) => init(state, ask),
    segment: (segment, ask) => give(state, segment, ask),
    prewarm(segment, viewer) {
      touch(state)
      viewers.moved(viewer, segment)
      runs.schedule()
    },
    leave(viewer) {
      if (viewers.position(viewer) === undefined) return
      viewers.left(viewer)
      runs.stopUnneeded()
      // A request of the viewer may still be waiting: within this time it is aborted or gets its segment.
      options.clock.after(2 * GRACE_MS, () => runs.stopUnneeded())
    },
    isRunning: () => runs.isRunning(),
    pausedSince: () => (runs.hasPaused() ? state.usedAt : undefined),
    preemptPaused: () => runs.preemptPaused(),
    uses: () => runs.uses(),
    knownInit: () => runs.init(),
    recalledInit: () => runs.recalledInit(),
    sweep: () => {
      runs.stopUnneeded()
      return runs.isIdle() && options.clock.monotonic() - state.usedAt > REMEMBER_MS
    },
    close(why = STOPPING) {
      state.closed = why
      waiters.settleAll(why)
      runs.close()
    },
  }
}

async function init(state: State, ask: Ask): Promise<Uint8Array | Unavailable> {
  touch(state)
  const known = await state.runs.recalledInit()
  if (known) return known.bytes
  const { viewers } = state.options
  if (viewers.position(ask.viewer) === undefined) viewers.moved(ask.viewer, 0)
  return wait(state, INIT, ask)
}

async function give(state: State, segment: number, ask: Ask): Promise<Uint8Array | Unavailable | undefined> {
  const { rendition, viewers, renditionCache } = state.options
  if (segment < 0 || segment >= segmentCount(rendition.grid)) return undefined
  touch(state)
  if (!ask.still) viewers.moved(ask.viewer, segment)
  const ready = await renditionCache.get(segment, ask.until)
  if (ready) {
    if (!ask.still) state.runs.schedule()
    return ready
  }
  return state.closed ?? state.runs.failure(segment) ?? wait(state, segment, ask)
}

async function wait(state: State, key: number, { viewer, signal, withinMs, still = false }: Ask): Promise<Uint8Array | Unavailable> {
  const { waiters, runs, options, closed } = state
  // The actor was closed while the cache was read: nothing would end this wait.
  if (closed) return closed
  const waiting = waiters.wait(key, {
    signal,
    timeoutMs: withinMs ?? options.answerWithinMs,
    timedOut: () => busy(runs.stallReason() ?? 'It takes longer than a player waits', 2),
    aborted() {
      if (!still && (options.viewers.position(viewer) === key || key === INIT)) options.viewers.left(viewer)
      options.clock.after(GRACE_MS, () => runs.stopUnneeded())
    },
  })
  runs.schedule()
  // The next picture may be in the next segment: a player that fast-forwards requests one after the other.
  return still ? waiting.finally(() => options.clock.after(GRACE_MS, () => runs.stopUnneeded())) : waiting
}

function touch(state: State): void {
  state.usedAt = state.options.clock.monotonic()
}
