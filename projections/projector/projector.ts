/**
 * Follows the log and keeps the documents of a group of views. For each batch it loads each touched document once, folds in memory, and
 * writes each document once. Documents and checkpoints are stored together, and the position of the group last.
 */
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'
import { createSemaphore } from '../../src/concurrency/semaphore.ts'
import { assertHolds, faultOfViews, markOf, OtherLog } from '../../src/app/consistency/log-marks.ts'
import type { UnfoldableEvent } from '../views/unfoldable-events.ts'
import { markDocument, markIn, openProgress, progressCollectionOf, type LogMark } from '../../src/app/consistency/stored-progress.ts'
import { decodeKnown } from '../../src/events/codec.ts'
import type { StoredEvent } from '../../src/events/envelope.ts'
import { later, type Position } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import type { Bus } from '../../src/ports/bus.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import { NoCollection, type CollectionSpec, type Commit, type ReadStore } from '../../src/ports/read-store.ts'
import { createAnnouncer } from './projector-announcer.ts'
import { createNewestDocuments, foldLedger, foldSteps, stepsOf, type NewestDocuments } from './projector-fold.ts'
import { collectionOf, type AnyView } from '../views/view.ts'

export interface GroupView {
  readonly view: AnyView
  /** Fencing token against a superseded projector: the token of the view's lease. */
  readonly epoch: number
}

export interface ProjectorDependencies {
  readonly log: EventLog
  readonly store: ReadStore
  readonly bus: Bus
  readonly clock: Clock
  readonly views: readonly GroupView[]
  readonly unfoldable: UnfoldableEvent
  /** The name under which a view's position is announced; default: its collection. */
  readonly announcedAs?: (view: AnyView) => string
  /** Called once, when the views have reached the log's head at the start. */
  readonly caughtUp?: () => void
}

/** Another projector has taken over. */
export class Fenced extends Error {
  readonly code = 'fenced'
  constructor(collections: readonly string[]) {
    super(`Another projector writes ${collections.join(' or ')}`)
    this.name = 'Fenced'
  }
}

/** Position of a view: `stored` is its checkpoint, `passed` also counts events that did not affect it. */
interface Progress extends GroupView {
  readonly collection: string
  stored: Position
  passed: Position
  idleEvents: number
  /** Of a ledger. */
  readonly newest: NewestDocuments
}

interface Group {
  readonly store: ReadStore
  readonly views: readonly Progress[]
  /** The stored position of the whole group. */
  readonly record: { readonly collection: string; readonly epoch: number; position: Position }
  /** The last event processed. */
  mark: LogMark | undefined
  /** Serializes commits: each one names the checkpoint that the previous one stored. */
  readonly inTurn: ReturnType<typeof createSemaphore>
  readonly unfoldable: UnfoldableEvent
}

/** After this many events that did not affect the view, a checkpoint is stored without documents, so that a restart skips them. */
const IDLE_EVENTS_MAX = 5000

/**
 * Number of log pages that are folded together while the views are far behind. So a document touched by many of these events is loaded and
 * written only once. At the head of the log, pages are never held back.
 */
const PAGES_TOGETHER = 5
/** The same for events that were appended after the start: people read the views meanwhile, and a commit blocks the thread. */
const NEW_PAGES_TOGETHER = 3
/** Pages of an import. Asking whether more events follow would delay the views of smaller ones. */
const MANY_EVENTS = 100

/** After this long without an event, check that the log still contains the last processed event before folding new ones. */
const QUIET_MS = 2_000

export function specOf(view: AnyView): CollectionSpec {
  const { fields, indexes, unique, sparse } = view
  return { name: collectionOf(view), fields, indexes, ...omitUndefined({ unique, sparse }) }
}

/** Runs until the signal. @throws Fenced */
export async function runProjector(deps: ProjectorDependencies, signal: AbortSignal): Promise<void> {
  const { log, store, bus, clock, caughtUp, announcedAs = collectionOf } = deps
  const group = await openGroup(deps)
  const head = await log.head()
  const failing = new AbortController()
  const ended = AbortSignal.any([signal, failing.signal])
  const passed = () => positionsOf(group, announcedAs)
  // If no event affects the views, the position is stored once, when the log has become quiet.
  const beat = () => void storeRecord(group).catch((cause: unknown) => failing.abort(cause))
  const announcer = createAnnouncer({ bus, clock, log, head, passed, beat })
  let isLive = false
  async function report(reached: Position, last?: StoredEvent): Promise<void> {
    if (!isLive && reached >= head) {
      await store.buildIndexes(group.views.map(({ collection }) => collection))
      isLive = true
      caughtUp?.()
    }
    announcer.report({ isLive, ...omitUndefined({ last }) })
  }
  try {
    const from = leastPassed(group)
    await report(from)
    let heardAtMs = clock.monotonic()
    for await (const batch of bounded(together(log, { from, head, signal: ended }), store.eventsPerCommit)) {
      const last = batch.at(-1)
      if (!last) continue
      // After an outage, the server's address may serve a different log.
      if (group.mark && clock.monotonic() - heardAtMs > QUIET_MS) await assertHolds(log, group.mark, clock)
      heardAtMs = clock.monotonic()
      await advanceAll(group, { stored: batch, events: batch.map(decodeKnown).filter((event) => event !== undefined), last })
      await report(last.position, last)
    }
    failing.signal.throwIfAborted()
  } finally {
    announcer.close()
  }
  await storeCheckpoints(group)
}

async function openGroup({ log, store, views, clock, unfoldable }: ProjectorDependencies): Promise<Group> {
  const specs = views.map(({ view }) => specOf(view))
  const fault = await faultOfViews({ log, store, collections: specs.map(({ name }) => name), clock })
  if (fault !== undefined) throw new OtherLog(fault)
  const epoch = Math.max(...views.map((view) => view.epoch))
  await store.open(specs)
  const position = await openProgress(store, specs, epoch)
  if (position === undefined) throw new Fenced(specs.map(({ name }) => name))
  const reading = views.map(async ({ view, epoch }): Promise<Progress> => {
    const collection = collectionOf(view)
    const stored = await store.checkpoint(collection)
    return { view, epoch, collection, stored, passed: stored, idleEvents: 0, newest: createNewestDocuments() }
  })
  const progress = await Promise.all(reading)
  const record = { collection: progressCollectionOf(specs), epoch, position }
  const mark = await markIn(store, record.collection)
  const group: Group = { store, views: progress, record, mark, inTurn: createSemaphore(1), unfoldable }
  // From here on the commits of the previous projector are rejected.
  await storeAll(
    group,
    group.views.map((view) => idleCommit(view, view.stored)),
    position,
  )
  return group
}

/** Several views announced under one name have the position of the slowest. */
function positionsOf({ views }: Group, announcedAs: (view: AnyView) => string): Readonly<Record<string, Position>> {
  const positions: Record<string, Position> = {}
  for (const { view, passed } of views) {
    const name = announcedAs(view)
    const other = positions[name]
    if (other === undefined || passed < other) positions[name] = passed
  }
  return positions
}

const leastPassed = ({ views }: Group): Position => views.map(({ passed }) => passed).reduce((a, b) => (a < b ? a : b))

interface Pages {
  readonly from: Position
  /** Of the log at the start. */
  readonly head: Position
  readonly signal: AbortSignal
}

/** Yields pages as they come; as long as more events follow, merges several into one. */
async function* together(log: EventLog, { from, signal, ...start }: Pages): AsyncGenerator<readonly StoredEvent[]> {
  let { head } = start
  let most = PAGES_TOGETHER
  let gathered: StoredEvent[] = []
  let count = 0
  for await (const page of log.follow(from, signal)) {
    gathered = gathered.length === 0 ? [...page] : gathered.concat(page)
    count++
    const reached = page.at(-1)?.position ?? head
    if (reached >= start.head) most = NEW_PAGES_TOGETHER
    if (reached >= head && count < most && page.length >= MANY_EVENTS) head = later(head, await log.head().catch(() => head))
    if (count < most && reached < head) continue
    yield gathered
    gathered = []
    count = 0
  }
}

/** Splits batches that are larger than the store commits at once. */
async function* bounded(
  batches: AsyncIterable<readonly StoredEvent[]>,
  eventsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly StoredEvent[]> {
  for await (const batch of batches) {
    if (batch.length <= eventsMax) yield batch
    else for (let n = 0; n < batch.length; n += eventsMax) yield batch.slice(n, n + eventsMax)
  }
}

interface Batch {
  readonly stored: readonly StoredEvent[]
  /** Only events of types that this version knows. */
  readonly events: readonly RecordedEvent[]
  readonly last: StoredEvent
}

/** Folds the events into all views, and stores the results in one commit. */
async function advanceAll(group: Group, batch: Batch): Promise<void> {
  const { position: reached } = batch.last
  const folded = await Promise.all(group.views.map((view) => fold(group, view, batch)))
  const commits = folded.filter((commit) => commit !== undefined)
  group.mark = markOf(batch.last)
  if (commits.length > 0) await group.inTurn(() => storeAll(group, commits, reached))
  for (const view of group.views) if (reached > view.passed) view.passed = reached
}

/** Undefined if there is nothing to store. */
async function fold({ store, unfoldable }: Group, view: Progress, batch: Batch): Promise<Commit | undefined> {
  const { position: reached } = batch.last
  if (reached <= view.passed) return undefined
  if (view.view.append) {
    const events = batch.stored.filter(({ position }) => position > view.passed)
    return { ...idleCommit(view, reached), ...(await foldLedger({ store, newest: view.newest }, view.view, events, view.stored)) }
  }
  const steps = stepsOf(view.view, batch.events, view.passed, unfoldable)
  view.idleEvents += batch.events.length
  if (steps.size === 0 && view.idleEvents < IDLE_EVENTS_MAX) return undefined
  return { ...idleCommit(view, reached), ...(await foldSteps(store, view.view, steps, unfoldable)) }
}

const idleCommit = ({ collection, epoch, stored }: Progress, to: Position): Commit => ({
  collection,
  epoch,
  from: stored,
  to,
  puts: [],
  removes: [],
})

/** Stores the commits, and the position of the whole group last. */
async function storeAll({ store, views, record, mark }: Group, commits: readonly Commit[], reached: Position): Promise<void> {
  const { collection, epoch, position: from } = record
  const puts = mark ? [markDocument(mark)] : []
  const last: readonly Commit[] = reached > from ? [{ collection, epoch, from, to: reached, puts, removes: [] }] : []
  const all = [...commits, ...last]
  if ((await committed(store, all)) === 'fenced') throw new Fenced(all.map(({ collection }) => collection))
  if (reached > from) record.position = reached
  for (const { collection, to } of commits) {
    const view = views.find((one) => one.collection === collection)
    if (view) Object.assign(view, { stored: to, idleEvents: 0 })
  }
}

/** A projector that takes the views over drops the progress record of the previous one. */
async function committed(store: ReadStore, commits: readonly Commit[]): Promise<'applied' | 'fenced'> {
  try {
    return await store.commit(...commits)
  } catch (cause) {
    if (cause instanceof NoCollection) return 'fenced'
    throw cause
  }
}

const storeRecord = (group: Group): Promise<void> =>
  group.inTurn(async () => {
    const reached = leastPassed(group)
    if (reached > group.record.position) await storeAll(group, [], reached)
  })

/** Stores checkpoints, so that the next projector continues at this position, including events that affected no view. */
async function storeCheckpoints(group: Group): Promise<void> {
  const commits = group.views.filter(({ stored, passed }) => passed > stored).map((view) => idleCommit(view, view.passed))
  try {
    if (commits.length > 0) await group.inTurn(() => storeAll(group, commits, leastPassed(group)))
  } catch {
    // Fenced, or the store is unavailable: the next projector reads some events again.
  }
}
