/**
 * Rendition actor: the single writer of one rendition's segments. Requests wait here; runs are started, moved and stopped here,
 * for all viewers together (streaming 3.5).
 */
import { segmentAt, segmentCount, startOf, type Grid } from '../../domain/streaming/grid.ts'
import { INIT, type Shelf, type ShelfPlace, type Until, type WatchedRange } from '../../ports/segment-store.ts'
import { createRunTable, type RunTable } from './run-table.ts'
import type { RunTableOptions } from './run-state.ts'
import type { SegmentCache } from './segment-cache.ts'
import { busy, type Unavailable } from './unavailable.ts'
import { createViewers, INTEREST_MS, type Viewers } from './viewers.ts'
import { createWaiters, type Waiters } from './waiters.ts'

export interface Ask {
  /** Who watches: a session. Each has one place in a rendition. */
  readonly viewer: string
  readonly signal: AbortSignal
  /** Where it is less than the engine's own limit. */
  readonly withinMs?: number
  /** The bytes may be lent until then. */
  readonly until?: Until | undefined
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
  heldSince(): number | undefined
  giveUpHeld(): boolean
  /** Codec string from the bytes of the init segment, once there is one. */
  codec(): string | undefined
  /** Stops runs that nobody needs any more. True when the actor has nothing left to do. */
  sweep(): boolean
  close(): void
}

export type ActorOptions = Omit<RunTableOptions, 'waiters' | 'viewers' | 'shelf'> & {
  readonly cache: SegmentCache
  readonly place: ShelfPlace
  /** A player gives up after 9 s without a byte: it is told to come again before that. */
  readonly answerWithinMs: number
}

/** A viewer who drags the slider comes back within this. */
const GRACE_MS = 500
/** How long a rendition that nobody watches remembers its init segment and its pace. */
const REMEMBER_MS = 5 * INTEREST_MS
/** What is near a viewer: not far enough back or ahead for a step on the remote control to need anything made. */
const NEAR = { backMs: 30_000, aheadMs: 60_000, nextSegments: 3 }

interface State {
  readonly options: ActorOptions
  readonly waiters: Waiters<Uint8Array | Unavailable>
  readonly viewers: Viewers
  readonly runs: RunTable
  readonly shelf: Shelf
  usedAt: number
}

export function createRenditionActor(options: ActorOptions): RenditionActor {
  const waiters = createWaiters<Uint8Array | Unavailable>(options.clock)
  const viewers = createViewers(options.clock)
  const shelf = options.cache.open(options.place, () => watchedBy(viewers, options.rendition.grid))
  const runs = createRunTable({ ...options, waiters, viewers, shelf })
  const state: State = { options, waiters, viewers, runs, shelf, usedAt: options.clock.monotonic() }
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
    heldSince: () => (runs.hasHeld() ? state.usedAt : undefined),
    giveUpHeld: () => runs.giveUpHeld(),
    codec: () => runs.init()?.codec,
    sweep: () => {
      runs.stopUnneeded()
      return runs.isIdle() && options.clock.monotonic() - state.usedAt > REMEMBER_MS
    },
    close() {
      waiters.settleAll(busy('The server is stopping', 5))
      runs.close()
      shelf.close()
    },
  }
}

async function init(state: State, ask: Ask): Promise<Uint8Array | Unavailable> {
  touch(state)
  const known = await state.runs.recalledInit()
  if (known) return known.bytes
  if (state.viewers.position(ask.viewer) === undefined) state.viewers.moved(ask.viewer, 0)
  return wait(state, INIT, ask)
}

async function give(state: State, segment: number, ask: Ask): Promise<Uint8Array | Unavailable | undefined> {
  const { grid } = state.options.rendition
  if (segment < 0 || segment >= segmentCount(grid)) return undefined
  touch(state)
  state.viewers.moved(ask.viewer, segment)
  const ready = await state.shelf.get(segment, ask.until)
  if (ready) {
    state.runs.schedule()
    return ready
  }
  return state.runs.failure(segment) ?? wait(state, segment, ask)
}

async function wait(state: State, key: number, { viewer, signal, withinMs }: Ask): Promise<Uint8Array | Unavailable> {
  const { waiters, viewers, runs, options } = state
  const waiting = waiters.wait(key, {
    signal,
    timeoutMs: withinMs ?? options.answerWithinMs,
    timedOut: () => busy(runs.problem() ?? 'It takes longer than a player waits', 2),
    aborted() {
      if (viewers.position(viewer) === key || key === INIT) viewers.left(viewer)
      options.clock.after(GRACE_MS, () => runs.stopUnneeded())
    },
  })
  runs.schedule()
  return waiting
}

function watchedBy(viewers: Viewers, grid: Grid): readonly WatchedRange[] {
  return viewers.present().map(({ segment }) => ({
    from: segmentAt(grid, startOf(grid, segment) - NEAR.backMs),
    through: segmentAt(grid, startOf(grid, segment) + NEAR.aheadMs),
    next: { from: segment, through: segment + NEAR.nextSegments - 1 },
  }))
}

function touch(state: State): void {
  state.usedAt = state.options.clock.monotonic()
}
