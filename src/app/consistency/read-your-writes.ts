/**
 * Delays the answer of a command until every view that routes read has passed its position, on the other API nodes too.
 *
 * Projectors announce the position of each view on the bus. If the bus is silent, the read store is polled.
 */
import { BEYOND, later, START, type Position } from '../../events/position.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReadStore } from '../../ports/read-store.ts'
import { createClockSkews, type ClockSkews } from './clock-skews.ts'
import { createNodeAnnouncements } from './node-announcements.ts'
import { createOtherNodes, type OtherNodes } from './other-nodes.ts'
import { createProjectionStatuses, type ProjectionStatuses } from './projection-status.ts'
import { hearProjectors } from './projector-announcements.ts'
import { storedPositions } from './stored-progress.ts'
import type { ViewGenerations } from './view-generations.ts'

export interface ReadYourWrites {
  /** Reports the position of one of this node's own views. */
  passed(view: string, position: Position): void
  /** Settles when all views have passed the position, here and on every other node. @throws ViewsBehind after two seconds */
  waitFor(position: Position): Promise<void>
  /** Position of each view. */
  positions(): ReadonlyMap<string, Position>
  /** Position that all views on this node have reached. */
  least(this: void): Position
  /** The furthest log position that projectors and other nodes have reported. */
  furthest(this: void): Position
  /** How far the clocks of other nodes differ. */
  readonly skews: Pick<ClockSkews, 'behindMs' | 'warnings'>
  /** The last report of projectors about each collection. */
  readonly projections: Pick<ProjectionStatuses, 'all' | 'silent' | 'filling'>
  /** From now on, commands of other nodes wait for this node, until the returned function is called. For a node that answers requests. */
  join(this: void): () => void
  close(): void
}

/** The command is stored, but the views do not show it yet. */
export class ViewsBehind extends Error {
  readonly code = 'views-behind'
  constructor() {
    super('Stored, but not visible yet')
    this.name = 'ViewsBehind'
  }
}

/** For `catch`, if it does not matter that the stored event becomes visible a little later. */
export function unlessBehind(cause: unknown): void {
  if (!(cause instanceof ViewsBehind)) throw cause
}

const PATIENCE_MS = 2000
const SILENCE_MS = 250

interface Waiter {
  readonly position: Position
  readonly sinceMs: number
  readonly settle: (isReached: boolean) => void
}

export interface ReadYourWritesDependencies {
  readonly bus: Bus
  readonly clock: Clock
  readonly store: ReadStore
  /** Collections maintained by projectors. */
  readonly collections: readonly string[]
  /** Which of their generations are read. */
  readonly generations?: Pick<ViewGenerations, 'fresh' | 'liveOf'>
  /** Views that this node keeps in memory. */
  readonly own: readonly string[]
  /** Name of this node among the nodes on the same bus; without a name there are no others. */
  readonly node?: string
}

interface State extends ReadYourWritesDependencies {
  readonly reached: Map<string, Position>
  /** In order of arrival. */
  readonly waiters: Set<Waiter>
  least: Position
  isAsking: boolean
  stopAsking: (() => void) | undefined
  stopWatching: (() => void) | undefined
  readonly others: OtherNodes
}

export function createReadYourWrites(deps: ReadYourWritesDependencies): ReadYourWrites {
  const { bus, clock, collections } = deps
  const reached = new Map<string, Position>([...collections, ...deps.own].map((name) => [name, START]))
  let furthest: Position = START

  const projections = createProjectionStatuses(clock, collections)
  const others = createOtherNodes(clock)
  const state: State = {
    ...deps,
    reached,
    waiters: new Set(),
    least: START,
    isAsking: false,
    stopAsking: undefined,
    stopWatching: undefined,
    others,
  }
  const skews = createClockSkews(clock)
  const announcements =
    deps.node === undefined
      ? undefined
      : createNodeAnnouncements({
          bus,
          clock,
          node: deps.node,
          others,
          skews,
          own: () => leastOf(deps.own.map((view) => reached.get(view) ?? START)),
          reached: () => state.least,
          heard: () => settleReached(state),
        })
  const hearing = hearProjectors(bus, (announcement) => {
    projections.heard(announcement)
    furthest = later(furthest, announcement.head)
    note(state, Object.entries(announcement.passed))
  })

  return {
    passed(view, position) {
      note(state, [[view, position]])
      announcements?.passed()
    },
    async waitFor(position) {
      if (isReached(state, position)) return
      others.expect(position)
      if (!(await until(state, position))) throw new ViewsBehind()
    },
    positions: () => reached,
    least: () => state.least,
    furthest: () => [...reached.values()].reduce(later, later(furthest, others.furthest())),
    skews,
    projections,
    join: () => announcements?.join() ?? (() => {}),
    close() {
      hearing.close()
      announcements?.close()
      state.stopAsking?.()
      state.stopWatching?.()
    },
  }
}

const liveOf = ({ generations }: State, collection: string): string => generations?.liveOf(collection) ?? collection

function note(state: State, views: Iterable<readonly [view: string, position: Position]>): void {
  const { reached } = state
  for (const [view, position] of views) {
    const before = reached.get(view)
    if (before !== undefined && before < position) reached.set(view, position)
  }
  const before = state.least
  state.least = leastOf(reached.values())
  if (before !== state.least) settleReached(state)
}

const isReached = (state: State, position: Position): boolean => position <= state.least && position <= state.others.least()

function settleReached(state: State): void {
  for (const waiter of state.waiters) if (isReached(state, waiter.position)) settle(state, waiter, true)
}

function settle({ waiters }: State, waiter: Waiter, isReached: boolean): void {
  waiters.delete(waiter)
  waiter.settle(isReached)
}

function until(state: State, position: Position): Promise<boolean> {
  const { waiters, clock } = state
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiters.add({ position, sinceMs: clock.monotonic(), settle: resolve })
  state.stopAsking ??= clock.every(SILENCE_MS, () => ask(state))
  state.stopWatching ??= clock.after(PATIENCE_MS, () => endPatience(state))
  return promise
}

// One timer for all waiters, which keeps running between them: commands follow each other too fast to make a timer for each.
function ask(state: State): void {
  const { waiters } = state
  settleReached(state)
  if (waiters.size === 0) {
    state.stopAsking?.()
    state.stopAsking = undefined
  } else if (!state.isAsking && ![...waiters].every(({ position }) => position <= state.least)) void askStore(state)
}

async function askStore(state: State): Promise<void> {
  const { generations, store, collections } = state
  state.isAsking = true
  try {
    await generations?.fresh()
    const positions = await storedPositions(
      store,
      collections.map((collection) => liveOf(state, collection)),
    )
    note(
      state,
      collections.map((name) => [name, positions.get(liveOf(state, name)) ?? START]),
    )
  } catch {
    // The next tick retries.
  }
  state.isAsking = false
}

function endPatience(state: State): void {
  const { clock, waiters } = state
  const nowMs = clock.monotonic()
  for (const waiter of waiters) {
    const leftMs = waiter.sinceMs + PATIENCE_MS - nowMs
    if (leftMs > 0) {
      state.stopWatching = clock.after(leftMs, () => endPatience(state))
      return
    }
    settle(state, waiter, false)
  }
  state.stopWatching = undefined
}

const leastOf = (positions: Iterable<Position>): Position => [...positions].reduce((a, b) => (a < b ? a : b), BEYOND)
