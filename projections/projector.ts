/**
 * Projector: follows the log and keeps the documents of its views. Takes what is there, loads each touched document once, folds
 * in memory, writes once for each document; documents and checkpoint go together.
 */
import { decode } from '../src/events/codec.ts'
import type { JsonObject, StoredEvent } from '../src/events/envelope.ts'
import type { Position } from '../src/events/position.ts'
import type { RecordedEvent } from '../src/events/recorded.ts'
import { PASSED_SUBJECT } from '../src/app/freshness.ts'
import type { Bus } from '../src/ports/bus.ts'
import type { EventLog } from '../src/ports/event-log.ts'
import type { CollectionSpec, Commit, ReadStore, StoredDocument } from '../src/ports/read-store.ts'
import { bareOperationsOf, collectionOf, derived, type AnyView, type Operation } from './view.ts'

export interface ProjectorDependencies {
  readonly log: EventLog
  readonly store: ReadStore
  readonly bus: Bus
  readonly views: readonly AnyView[]
  /** Fence against a projector that was replaced: its lease token. */
  readonly epoch: number
}

/** Another projector has taken over. */
export class Fenced extends Error {
  readonly code = 'fenced'
  constructor(collections: readonly string[]) {
    super(`Another projector writes ${collections.join(' or ')}`)
    this.name = 'Fenced'
  }
}

/** How far a view has come: `stored` is its checkpoint, `passed` also counts events that did not concern it. */
interface Progress {
  readonly view: AnyView
  readonly collection: string
  stored: Position
  passed: Position
  idleEvents: number
}

/** A checkpoint is written without documents after so many events that did not concern the view, so that a restart skips them. */
const IDLE_EVENTS_MAX = 5000

/**
 * Pages of the log that are folded together while the views are far behind it: a document that many of these events concern is
 * loaded and written once. What has just happened is never waited for.
 */
const PAGES_TOGETHER = 5

export const specOf = (view: AnyView): CollectionSpec => ({ name: collectionOf(view), fields: view.fields, indexes: view.indexes })

/** Runs until the signal. @throws Fenced */
export async function runProjector(deps: ProjectorDependencies, signal: AbortSignal): Promise<void> {
  const { log, store, bus, views } = deps
  await store.open(views.map(specOf))
  const progress: Progress[] = []
  for (const view of views) {
    const stored = await store.checkpoint(collectionOf(view))
    progress.push({ view, collection: collectionOf(view), stored, passed: stored, idleEvents: 0 })
  }
  await dropOldGenerations(store, views)
  const from = progress.map(({ passed }) => passed).reduce((a, b) => (a < b ? a : b))
  const head = await log.head()
  let caughtUp = false
  async function tell(reached: Position): Promise<void> {
    if (!caughtUp && reached >= head) {
      await store.buildIndexes(views.map(collectionOf))
      caughtUp = true
    }
    announce(bus, progress)
  }
  await tell(from)
  for await (const batch of together(log.follow(from, signal), head)) {
    const last = batch.at(-1)
    if (!last) continue
    await advanceAll(deps, progress, { events: batch.map(decode).filter((event) => event !== undefined), last: last.position })
    await tell(last.position)
  }
}

/** Pages as they come; up to the head several of them as one. */
async function* together(pages: AsyncIterable<readonly StoredEvent[]>, head: Position): AsyncGenerator<readonly StoredEvent[]> {
  let gathered: StoredEvent[] = []
  let count = 0
  for await (const page of pages) {
    gathered = gathered.length === 0 ? [...page] : gathered.concat(page)
    count++
    if (count < PAGES_TOGETHER && (page.at(-1)?.position ?? head) < head) continue
    yield gathered
    gathered = []
    count = 0
  }
}

interface Batch {
  readonly events: readonly RecordedEvent[]
  readonly last: Position
}

/** Folds the events into all views, and stores what came of it in one step. */
async function advanceAll({ store, epoch }: ProjectorDependencies, progress: readonly Progress[], batch: Batch): Promise<void> {
  const commits: Commit[] = []
  for (const state of progress) {
    const changes = await fold(store, state, batch)
    if (changes) commits.push({ collection: state.collection, epoch, from: state.stored, to: batch.last, ...changes })
  }
  if (commits.length > 0 && (await store.commit(...commits)) === 'fenced') throw new Fenced(commits.map(({ collection }) => collection))
  const stored = new Set(commits.map(({ collection }) => collection))
  for (const state of progress) {
    if (batch.last <= state.passed) continue
    state.passed = batch.last
    if (!stored.has(state.collection)) continue
    state.stored = batch.last
    state.idleEvents = 0
  }
}

/** What the events change; undefined where there is nothing to store. */
async function fold(store: ReadStore, state: Progress, batch: Batch): Promise<Pick<Commit, 'puts' | 'removes'> | undefined> {
  if (batch.last <= state.passed) return undefined
  const touched = new Map<string, { readonly event: RecordedEvent; readonly operation: Operation<JsonObject> }[]>()
  for (const event of batch.events) {
    if (event.position <= state.passed) continue
    for (const operation of bareOperationsOf(state.view, event)) {
      const steps = touched.get(operation.id)
      if (steps) steps.push({ event, operation })
      else touched.set(operation.id, [{ event, operation }])
    }
  }
  state.idleEvents += batch.events.length
  return touched.size > 0 || state.idleEvents >= IDLE_EVENTS_MAX ? foldAll(store, state.view, touched) : undefined
}

type Steps = ReadonlyMap<string, readonly { readonly event: RecordedEvent; readonly operation: Operation<JsonObject> }[]>

async function foldAll(store: ReadStore, view: AnyView, touched: Steps) {
  const before = await load(store, collectionOf(view), [...touched.keys()])
  const puts: StoredDocument[] = []
  const removes: { id: string; at: Position }[] = []
  for (const [id, steps] of touched) {
    const start = before.get(id)
    let body: JsonObject | undefined = start?.body
    let at = start?.at
    for (const { event, operation } of steps) {
      if (start && event.position <= start.at) continue
      const result = operation.fold(body)
      if (result === undefined) continue
      body = result ?? undefined
      at = event.position
    }
    if (at === undefined || at === start?.at) continue
    if (body) puts.push({ id, at, body: derived(view, body) })
    else removes.push({ id, at })
  }
  return { puts, removes }
}

const LOAD_MAX = 1000

async function load(store: ReadStore, collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
  const found = new Map<string, StoredDocument>()
  for (let n = 0; n < ids.length; n += LOAD_MAX) {
    for (const document of await store.getMany(collection, ids.slice(n, n + LOAD_MAX))) found.set(document.id, document)
  }
  return found
}

async function dropOldGenerations(store: ReadStore, views: readonly AnyView[]): Promise<void> {
  const current = new Set(views.map(collectionOf))
  for (const name of await store.collections()) {
    const viewName = name.replace(/_g\d+$/, '')
    if (!current.has(name) && views.some((view) => view.name === viewName)) await store.drop(name)
  }
}

function announce(bus: Bus, progress: readonly Progress[]): void {
  bus.publish(PASSED_SUBJECT, { head: Object.fromEntries(progress.map(({ collection, passed }) => [collection, passed])) })
}
