/** Folds a batch of events into one view: loads each touched document once, and writes it once. */
import type { JsonObject, StoredEvent } from '../../src/events/envelope.ts'
import type { Position } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import type { Commit, ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import type { UnfoldableEvent } from '../views/unfoldable-events.ts'
import { bareOperationsOf, collectionOf, derived, type AnyView, type Ledger, type Operation } from '../views/view.ts'

interface Step {
  readonly event: RecordedEvent
  readonly operation: Operation<JsonObject>
}

/** For each document, the operations of the events on it, in order. */
export type Steps = ReadonlyMap<string, readonly Step[]>

export function stepsOf(view: AnyView, events: readonly RecordedEvent[], after: Position, unfoldable: UnfoldableEvent): Steps {
  const touched = new Map<string, Step[]>()
  for (const event of events) {
    if (event.position <= after) continue
    for (const operation of attempt(
      () => namedOperationsOf(view, event),
      [],
      (cause) => unfoldable(view, event, cause),
    )) {
      const steps = touched.get(operation.id)
      if (steps) steps.push({ event, operation })
      else touched.set(operation.id, [{ event, operation }])
    }
  }
  return touched
}

/**
 * The id of a document comes from the event's data, which may be malformed.
 * @throws TypeError
 */
function namedOperationsOf(view: AnyView, event: RecordedEvent): readonly Operation<JsonObject>[] {
  const operations = bareOperationsOf(view, event)
  if (!operations.every(({ id }) => typeof id === 'string')) throw new TypeError('It does not name the document that it changes')
  return operations
}

function attempt<Result>(fold: () => Result, otherwise: Result, failed: (cause: unknown) => void): Result {
  try {
    return fold()
  } catch (cause) {
    failed(cause)
    return otherwise
  }
}

/** Returns the documents that the steps change. */
export async function foldSteps(
  store: ReadStore,
  view: AnyView,
  touched: Steps,
  unfoldable: UnfoldableEvent,
): Promise<Pick<Commit, 'puts' | 'removes'>> {
  const before = await load(store, collectionOf(view), [...touched.keys()])
  const puts: StoredDocument[] = []
  const removes: { id: string; at: Position }[] = []
  for (const [id, steps] of touched) {
    const start = before.get(id)
    const end = foldDocument(view, start, steps, unfoldable)
    if (!end) continue
    if (end.body) puts.push({ id, at: end.at, body: end.body })
    else removes.push({ id, at: end.at })
  }
  return { puts, removes }
}

interface FoldedDocument {
  readonly at: Position
  readonly body: JsonObject | undefined
}

/** Undefined if nothing changes. */
function foldDocument(
  view: AnyView,
  start: StoredDocument | undefined,
  steps: readonly Step[],
  unfoldable: UnfoldableEvent,
): FoldedDocument | undefined {
  const due = steps.filter(({ event }) => !start || event.position > start.at)
  const fold = (check: (body: JsonObject) => void): FoldedDocument | undefined => {
    let folded: FoldedDocument | undefined
    for (const { event, operation } of due) {
      const body = folded ? folded.body : start?.body
      const result = attempt(
        () => {
          const next = operation.fold(body)
          if (next) check(next)
          return next
        },
        undefined,
        (cause) => unfoldable(view, event, cause),
      )
      if (result !== undefined) folded = { at: event.position, body: result ?? undefined }
    }
    return folded
  }
  const folded = fold(() => {})
  if (!folded?.body) return folded
  try {
    return { at: folded.at, body: derived(view, folded.body) }
  } catch {
    // Derive after each event, to leave out the event that fails.
    const checked = fold((body) => void derived(view, body))
    return checked?.body ? { at: checked.at, body: derived(view, checked.body) } : checked
  }
}

/** A ledger being added to: where its documents are stored, and its newest ones. */
export interface LedgerStore {
  readonly store: ReadStore
  readonly newest: NewestDocuments
}

/** Returns the documents that a ledger adds for the events after the position. */
export async function foldLedger(
  { store, newest }: LedgerStore,
  view: AnyView,
  events: readonly StoredEvent[],
  after: Position,
): Promise<Pick<Commit, 'puts' | 'removes'>> {
  if (!view.append || events.length === 0) return { puts: [], removes: [] }
  const { puts, removes } = await view.append({ events, after }, ledgerIn(store, collectionOf(view), newest))
  newest.added(puts.map(({ document }) => document))
  return { puts: puts.map(({ id, at, document }) => ({ id, at, body: document })), removes }
}

const RANGE_MAX = 256

function ledgerIn(store: ReadStore, collection: string, newest: NewestDocuments): Ledger<JsonObject> {
  return {
    getMany: async (ids) => [...(await load(store, collection, ids)).values()].map(({ body }) => body),
    async range(field, { from, to }, only) {
      const known = newest.range(field, from, to)
      if (known) return known.slice(0, RANGE_MAX)
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

/**
 * The newest documents of a ledger, in memory. A query makes the indexes of a collection that is being filled, and every document added
 * after it then costs several times as much.
 */
export interface NewestDocuments {
  added(documents: readonly JsonObject[]): void
  /** Sorted by the field; undefined if earlier documents may be in the range. */
  range(field: string, from: number, to: number): readonly JsonObject[] | undefined
}

/** A range, and a few documents of other kinds between those in it. */
const NEWEST_MAX = RANGE_MAX + 64

export function createNewestDocuments(): NewestDocuments {
  let newest: readonly JsonObject[] = []
  return {
    added: (documents) => void (newest = [...newest, ...documents.slice(-NEWEST_MAX)].slice(-NEWEST_MAX)),
    range(field, from, to) {
      const valueOf = (document: JsonObject): number => (typeof document[field] === 'number' ? document[field] : NaN)
      const numbered = newest.filter((document) => !Number.isNaN(valueOf(document)))
      const [first] = numbered
      if (!first || valueOf(first) > from) return undefined
      return numbered.filter((document) => valueOf(document) >= from && valueOf(document) <= to)
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
