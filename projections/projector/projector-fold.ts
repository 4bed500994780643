/** Folding of a batch of events into one view: each touched document is loaded once, and written once. */
import type { JsonObject, StoredEvent } from '../../src/events/envelope.ts'
import type { Position } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import type { Commit, ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import { bareOperationsOf, collectionOf, derived, type AnyView, type Ledger, type Operation } from '../views/view.ts'

interface Step {
  readonly event: RecordedEvent
  readonly operation: Operation<JsonObject>
}

/** Of each document what the events do to it, in order. */
export type Steps = ReadonlyMap<string, readonly Step[]>

export function stepsOf(view: AnyView, events: readonly RecordedEvent[], after: Position): Steps {
  const touched = new Map<string, Step[]>()
  for (const event of events) {
    if (event.position <= after) continue
    for (const operation of bareOperationsOf(view, event)) {
      const steps = touched.get(operation.id)
      if (steps) steps.push({ event, operation })
      else touched.set(operation.id, [{ event, operation }])
    }
  }
  return touched
}

/** What the steps change. */
export async function foldSteps(store: ReadStore, view: AnyView, touched: Steps): Promise<Pick<Commit, 'puts' | 'removes'>> {
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

/** What a ledger adds for events that follow the position. */
export async function foldLedger(
  store: ReadStore,
  view: AnyView,
  events: readonly StoredEvent[],
  after: Position,
): Promise<Pick<Commit, 'puts' | 'removes'>> {
  if (!view.append || events.length === 0) return { puts: [], removes: [] }
  const { puts, removes } = await view.append({ events, after }, ledgerIn(store, collectionOf(view)))
  return { puts: puts.map(({ id, at, document }) => ({ id, at, body: document })), removes }
}

const RANGE_MAX = 256

function ledgerIn(store: ReadStore, collection: string): Ledger<JsonObject> {
  return {
    getMany: async (ids) => [...(await load(store, collection, ids)).values()].map(({ body }) => body),
    async range(field, { from, to }, only) {
      const where = [
        { field, op: 'gte', value: from },
        { field, op: 'lte', value: to },
      ] as const
      const sort = { field, direction: 'asc' } as const
      const { documents } = await store.find(collection, { where, sort, only, limit: RANGE_MAX })
      return documents.map(({ body }) => body)
    },
  }
}

const LOAD_MAX = 1000

async function load(store: ReadStore, collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
  const found = new Map<string, StoredDocument>()
  for (let n = 0; n < ids.length; n += LOAD_MAX) {
    for (const document of await store.getMany(collection, ids.slice(n, n + LOAD_MAX))) found.set(document.id, document)
  }
  return found
}
