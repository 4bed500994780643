/**
 * Rendition actor: the single writer of one rendition's segments. Requests wait here; runs are started, moved and stopped here,
 * for all viewers together.
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
  /** Who watches: a session. Each has one place in a rendition. */
  readonly viewer: string
  readonly signal: AbortSignal
  /** Where it is less than the engine's own limit. */
  readonly withinMs?: number
  /** The bytes may be lent until then. */
  readonly until?: Until | undefined
  /** For the sake of one picture: nobody watches on from there. */
  readonly still?: boolean
}

export interface RenditionActor {
  init(ask: Ask): Promise<Uint8Array | Unavailable>
  /** Undefined for numbers beyond the last segment. */
  segment(segment: number, ask: Ask): Promise<Uint8Array | Unavailable | undefined>
  /** Starts what a viewer will ask for first. */
  prewarm(segment: number, viewer: string): void
  leave(viewer: string): void
  /** Whether a run is under way. */
  isRunning(): boolean
  /** When somebody last asked, if a run is held for them. */
  pausedSince(): number | undefined
  preemptPaused(): boolean
  /** The runs that take slots and are not held. */
  uses(): readonly GivenUse[]
  /** The init segment and its codec string, once there is one. */
  knownInit(): Init | undefined
  /** With what an earlier process made. */
  recalledInit(): Promise<Init | undefined>
  /** Stops runs that nobody needs any more. True when the actor has nothing left to do. */
  sweep(): boolean
  /** Those who wait, and those who ask from now on, are told why. */
  close(why?: Unavailable): void
}

/** The viewers and the shelf outlive the actor: they are the node's. */
export type ActorOptions = Omit<RunTableOptions, 'waiters'> & {
  /** A player gives up after 9 s without a byte: it is told to come again before that. */
  readonly answerWithinMs: number
}

/** A viewer who drags the slider comes back within this. */
const GRACE_MS = 500
/** How long a rendition that nobody watches remembers its init segment and its pace. */
export const REMEMBER_MS = 5 * INTEREST_MS
/** Why there is an end of everything here. */
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
      // A request of theirs may wait still: it is cut off, or gets its segment, within that time.
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
  // While the shelf was looked at: nobody would end this wait.
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
  // The next picture may be the next segment's: a player that winds asks for one after the other.
  return still ? waiting.finally(() => options.clock.after(GRACE_MS, () => runs.stopUnneeded())) : waiting
}

function touch(state: State): void {
  state.usedAt = state.options.clock.monotonic()
}
