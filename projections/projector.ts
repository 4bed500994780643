/**
 * Projector: follows the log and keeps the documents of its views. Takes what is there, loads each touched document once, folds
 * in memory, writes once for each document; documents and checkpoint go together.
 */
import { decode } from '../src/events/codec.ts'
import type { JsonObject } from '../src/events/envelope.ts'
import type { Position } from '../src/events/position.ts'
import type { RecordedEvent } from '../src/events/recorded.ts'
import { PASSED_SUBJECT } from '../src/app/freshness.ts'
import type { Bus } from '../src/ports/bus.ts'
import type { EventLog } from '../src/ports/event-log.ts'
import type { CollectionSpec, ReadStore, StoredDocument } from '../src/ports/read-store.ts'
import { collectionOf, operationsOf, type AnyView, type Operation } from './view.ts'

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
  constructor(collection: string) {
    super(`Another projector writes ${collection}`)
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
  announce(bus, progress)
  for await (const batch of log.follow(from, signal)) {
    const last = batch.at(-1)
    if (!last) continue
    const events = batch.map(decode).filter((event) => event !== undefined)
    for (const state of progress) await advance(deps, state, { events, last: last.position })
    announce(bus, progress)
  }
}

async function advance(
  { store, epoch }: ProjectorDependencies,
  state: Progress,
  batch: { events: readonly RecordedEvent[]; last: Position },
) {
  if (batch.last <= state.passed) return
  const touched = new Map<string, { readonly event: RecordedEvent; readonly operation: Operation<JsonObject> }[]>()
  for (const event of batch.events) {
    if (event.position <= state.passed) continue
    for (const operation of operationsOf(state.view, event)) {
      const steps = touched.get(operation.id)
      if (steps) steps.push({ event, operation })
      else touched.set(operation.id, [{ event, operation }])
    }
  }
  state.idleEvents += batch.events.length
  if (touched.size > 0 || state.idleEvents >= IDLE_EVENTS_MAX) {
    const changes = await foldAll(store, state.collection, touched)
    const result = await store.commit({ collection: state.collection, epoch, from: state.stored, to: batch.last, ...changes })
    if (result === 'fenced') throw new Fenced(state.collection)
    state.stored = batch.last
    state.idleEvents = 0
  }
  state.passed = batch.last
}

type Steps = ReadonlyMap<string, readonly { readonly event: RecordedEvent; readonly operation: Operation<JsonObject> }[]>

async function foldAll(store: ReadStore, collection: string, touched: Steps) {
  const before = await load(store, collection, [...touched.keys()])
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
    if (body) puts.push({ id, at, body })
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
