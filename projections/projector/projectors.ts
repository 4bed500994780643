/**
 * Projects all views that no other projector keeps. Any number of projectors may run, even of different versions; a lease per collection
 * decides which of them keeps it. Views acquired together share one loop. Views far behind the log get their own loop until they have
 * caught up, so that a rebuild delays only readers of the rebuilt view.
 */
import { START, type Position } from '../../src/events/position.ts'
import { createBackoff, type Backoff } from '../../src/app/tasks/backoff.ts'
import { createUnfoldableEvents, type UnfoldableEvent } from '../views/unfoldable-events.ts'
import type { Bus } from '../../src/ports/bus.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import type { Lease, Leases } from '../../src/ports/leases.ts'
import type { ReadStore } from '../../src/ports/read-store.ts'
import type { ViewGenerations } from '../../src/app/consistency/view-generations.ts'
import { createGenerationSweep } from './projector-generations.ts'
import { keepProjectorLease } from './projector-lease.ts'
import { createRebuilds, type Rebuilds, type WantedViews } from './projector-rebuilds.ts'
import { runProjector, specOf } from './projector.ts'
import { collectionOf, type AnyView } from '../views/view.ts'
import { createTrouble, type Trouble } from '../../src/app/tasks/trouble.ts'
import type { Report } from '../../src/ports/report.ts'

export interface ProjectorsDependencies {
  readonly log: EventLog
  readonly store: ReadStore
  readonly bus: Bus
  readonly leases: Leases
  readonly clock: Clock
  /** In the order in which they are updated. */
  readonly views: readonly AnyView[]
  readonly generations: Pick<ViewGenerations, 'of' | 'load' | 'change'>
  readonly onError: Report
  /** Prints a message when views are taken over. */
  readonly print?: (line: string) => void
  /** How long an old generation must be without a projector before it is dropped; 0 if there can be no other process. */
  readonly keepOldMs: number
}

interface Kept {
  readonly view: AnyView
  readonly lease: Lease
}

interface Group {
  readonly kept: readonly Kept[]
  /** Stops the group's loop to merge it with others; its leases stay. */
  readonly merging: AbortController
  running: Promise<void>
  isLive: boolean
}

interface State extends ProjectorsDependencies {
  readonly signal: AbortSignal
  readonly groups: Set<Group>
  readonly rebuilds: Rebuilds
  wanted: WantedViews
  readonly sweep: (live: readonly AnyView[]) => Promise<void>
  /** Aborted when there is work before the next poll. */
  wake: AbortController
  sweepDueMs: number
  isFirstLook: boolean
  /** Views that this projector has kept before, or has announced. */
  readonly announced: Set<AnyView>
  readonly pauses: Backoff
  readonly unfoldable: UnfoldableEvent
  /** Of the groups, which are started again. */
  readonly trouble: Trouble
}

/** `keepOldMs` if several processes share the views: the time in which servers of the older version must be replaced. */
export const KEEP_OLD_MS = 10 * 60_000

/** Poll interval. While a view has no projector every command waits, so a killed projector must be noticed this soon. */
const LOOK_EVERY_MS = 500
const SWEEP_EVERY_MS = 30_000

/** Runs until the signal aborts; failures are reported to `onError` and retried. */
export async function runProjectors(deps: ProjectorsDependencies, signal: AbortSignal): Promise<void> {
  const rebuilds = createRebuilds(deps)
  const sweep = createGenerationSweep({ ...deps, isNeeded: rebuilds.isNeeded })
  const wake = new AbortController()
  const unfoldable = createUnfoldableEvents(deps.onError)
  const state: State = {
    ...deps,
    unfoldable,
    signal,
    groups: new Set(),
    rebuilds,
    wanted: { live: [], beside: [] },
    sweep,
    wake,
    sweepDueMs: 0,
    isFirstLook: true,
    announced: new Set(),
    pauses: createBackoff(),
    trouble: createTrouble(deps.clock, deps.onError),
  }
  const looking = createTrouble(deps.clock, deps.onError)
  const wakeUp = (): void => state.wake.abort()
  signal.addEventListener('abort', wakeUp, { once: true })
  while (!signal.aborted) {
    state.wake = new AbortController()
    try {
      await look(state)
      looking.passed()
    } catch (cause) {
      // An ongoing outage of an engine is reported once.
      if (!signal.aborted) looking.failed(cause)
    }
    if (!signal.aborted) await deps.clock.sleep(LOOK_EVERY_MS, state.wake.signal).catch(() => {})
  }
  signal.removeEventListener('abort', wakeUp)
  await Promise.all([...state.groups].map(({ running }) => running))
}

async function look(state: State): Promise<void> {
  state.wanted = await state.rebuilds.load()
  await rebuild(state)
  await merge(state)
  const kept = await take(state)
  try {
    for (const views of await nearAndFar(state, kept)) start(state, views)
  } catch (cause) {
    await release(kept)
    throw cause
  }
  const nowMs = state.clock.monotonic()
  if (nowMs < state.sweepDueMs) return
  state.sweepDueMs = nowMs + SWEEP_EVERY_MS
  await state.sweep([...state.groups].filter(({ isLive }) => isLive).flatMap((group) => group.kept.map(({ view }) => view)))
}

async function rebuild(state: State): Promise<void> {
  for (const { isLive, kept } of state.groups) {
    if (isLive && (await state.rebuilds.advance(kept.map(({ view }) => view)))) state.wanted = await state.rebuilds.load()
  }
}

/** Acquires the free leases of views that no group of this projector has. */
async function take(state: State): Promise<readonly Kept[]> {
  const { groups, isFirstLook, wanted, rebuilds } = state
  const own = new Set([...groups].flatMap(({ kept }) => kept.map(({ view }) => view)))
  const taken: Kept[] = []
  try {
    for (const view of wanted.live.filter((one) => !own.has(one))) {
      const lease = await keepProjectorLease(state, collectionOf(view))
      if (lease) taken.push({ view, lease })
      // Another projector may be acquiring them right now, for example if several start at once: one of them should get all.
      else if (isFirstLook) break
    }
    announceTakenOver(state, taken)
    for (const { view } of taken) own.add(view)
    for (const view of wanted.beside.filter((one) => !own.has(one) && own.has(rebuilds.liveOf(one)))) {
      const lease = await keepProjectorLease(state, collectionOf(view))
      if (lease) taken.push({ view, lease })
    }
  } catch (cause) {
    await release(taken)
    throw cause
  }
  state.isFirstLook = false
  return taken
}

/** Prints nothing about views that were free when this projector started, or that it regains. */
function announceTakenOver({ print, announced, isFirstLook }: State, taken: readonly Kept[]): void {
  const namesOf = (kept: readonly Kept[]): string => kept.map(({ view }) => view.name).join(', ')
  for (const [from, kept = []] of Object.entries(Object.groupBy(taken, ({ lease }) => lease.takenFrom ?? ''))) {
    const fresh = kept.filter(({ view }) => !announced.has(view))
    for (const { view } of kept) announced.add(view)
    if (from !== '') print?.(`Projector ${from} has ended; this one takes over its views: ${namesOf(kept)}.`)
    else if (!isFirstLook && fresh.length > 0)
      print?.(`No other projector keeps these views any more; this one takes them over: ${namesOf(fresh)}.`)
  }
}

/** Splits views into those near the head of the log and those far behind; a new view starts at the first event. */
async function nearAndFar({ log, store }: State, kept: readonly Kept[]): Promise<readonly (readonly Kept[])[]> {
  if (kept.length === 0) return []
  await store.open(kept.map(({ view }) => specOf(view)))
  const head = await log.head()
  const checkpoints = await Promise.all(kept.map(({ view }) => store.checkpoint(collectionOf(view))))
  const { near = [], far = [] } = Object.groupBy(kept, (_, place) => (isNear(checkpoints[place] ?? START, head) ? 'near' : 'far'))
  return [near, far].filter(({ length }) => length > 0)
}

/** Within the last tenth of the log. */
const isNear = (position: Position, head: Position): boolean => BigInt(position) * 10n >= BigInt(head) * 9n

function start(state: State, kept: readonly Kept[]): void {
  const group: Group = { kept, merging: new AbortController(), running: Promise.resolve(), isLive: false }
  state.groups.add(group)
  group.running = keep(state, group)
}

async function keep(state: State, group: Group): Promise<void> {
  const { log, store, bus, clock, signal, unfoldable } = state
  const { announcedAs } = state.rebuilds
  const startedMs = clock.monotonic()
  const ended = AbortSignal.any([signal, group.merging.signal, ...group.kept.map(({ lease }) => lease.lost)])
  const views = group.kept.map(({ view, lease }) => ({ view, epoch: lease.token }))
  const caughtUp = (): void => {
    group.isLive = true
    state.trouble.passed()
    state.sweepDueMs = 0
    state.wake.abort()
  }
  let failed: unknown
  try {
    await runProjector({ log, store, bus, clock, views, unfoldable, announcedAs, caughtUp }, ended)
  } catch (cause) {
    failed = cause
    if (!ended.aborted) state.trouble.failed(cause)
  }
  group.isLive = false
  if (group.merging.signal.aborted && !signal.aborted) return
  await release(group.kept)
  await clock.sleep(state.pauses.after(clock.monotonic() - startedMs, failed), signal).catch(() => {})
  state.groups.delete(group)
  state.wake.abort()
}

/**
 * Merges groups that have caught up, so that one subscription follows the log and views become visible in one order. Releases generations
 * that are no longer needed.
 */
async function merge(state: State): Promise<void> {
  const all = [...state.groups].filter(({ isLive }) => isLive)
  const wanted = new Set([...state.wanted.live, ...state.wanted.beside])
  const isWanted = ({ view }: Kept): boolean => wanted.has(view)
  if (all.length < 2 && all.every(({ kept }) => kept.every(isWanted))) return
  for (const group of all) group.merging.abort()
  await Promise.all(all.map(({ running }) => running))
  for (const group of all) state.groups.delete(group)
  const kept = all.flatMap((group) => group.kept)
  if (state.signal.aborted) return release(kept)
  const { stay = [], go = [] } = Object.groupBy(kept, (one) => (isWanted(one) ? 'stay' : 'go'))
  await release(go)
  const place = ({ view }: Kept): number => state.views.findIndex(({ name }) => name === view.name)
  if (stay.length > 0)
    start(
      state,
      stay.toSorted((a, b) => place(a) - place(b)),
    )
}

/** A lease that cannot be released expires. */
const release = async (kept: readonly Kept[]): Promise<void> => void (await Promise.allSettled(kept.map(({ lease }) => lease.release())))
