/**
 * View: a pure function from events to operations on documents. One view is one file; its documents are made again from the log
 * whenever `version` changes.
 */
import type { EventType } from '../../src/events/catalogue.ts'
import type { JsonObject, StoredEvent } from '../../src/events/envelope.ts'
import type { Position } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'

/** Changes one document: gets it as it stands (undefined: not there), gives it as it shall be (null: gone; undefined: left as it is). */
export interface Operation<Document> {
  readonly id: string
  readonly fold: (document: Document | undefined) => Document | undefined | null
}

export type Handlers<Document> = { readonly [T in EventType]?: (event: RecordedEvent<T>) => readonly Operation<Document>[] }

export interface View<Document> {
  readonly name: string
  readonly version: number
  /** Which one of its collections: 0, or that of a rebuild (src/app/consistency/view-generations.ts). */
  readonly generation?: number
  /** Fields that queries may use, and indexes that serve them (src/ports/read-store.ts). */
  readonly fields: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'list' | 'tokens' | 'tally' | 'json'>>
  readonly indexes: readonly (readonly string[])[]
  readonly handles: Handlers<Document>
  /**
   * Fills in what follows from the rest of a document, such as what queries find it by. Handlers leave it as it was: who folds many
   * events at once derives once, at the end.
   */
  readonly derive?: (document: Document) => Document
  /** In place of `handles`, for a ledger: documents that build on those before them. */
  readonly append?: Append<Document>
}

/**
 * The documents that events add, one batch after another. They follow from the log alone and never change once they are there: after
 * a crash the same events may come again in other batches, when some of what they add is stored already. What is removed must not
 * be needed by a batch that comes again.
 */
export type Append<Document> = (batch: LedgerBatch, ledger: Ledger<Document>) => Promise<Appended<Document>>

export interface LedgerBatch {
  /** At least one; of types that this version does not know, too. */
  readonly events: readonly StoredEvent[]
  /** Position of the event before them, START for the first. */
  readonly after: Position
}

/** What is stored of a ledger. */
export interface Ledger<Document> {
  getMany(ids: readonly string[]): Promise<readonly Document[]>
  /** Documents whose number field is in a range, in its order, with the declared members `only`; at most 256. */
  range(
    field: string,
    range: { readonly from: number; readonly to: number },
    only: readonly string[],
  ): Promise<readonly Partial<Document>[]>
}

export interface Appended<Document> {
  readonly puts: readonly { readonly id: string; readonly at: Position; readonly document: Document }[]
  readonly removes: readonly { readonly id: string; readonly at: Position }[]
}

/** A view whatever its documents are: projectors never look into them. */
export type AnyView = View<JsonObject>

/** Name of the collection of a generation; that of the first one stands for the view's version. */
export const generationName = (collection: string, generation: number): string =>
  generation === 0 ? collection : `${collection}_r${generation}`

/** The collection that holds this generation of this version of the view. */
export const collectionOf = ({ name, version, generation = 0 }: Pick<AnyView, 'name' | 'version' | 'generation'>) =>
  generationName(`${name}_g${version}`, generation)

/** The operations of one event on this view, in order: what they give is whole. */
export function operationsOf<Document>(view: View<Document>, event: RecordedEvent): readonly Operation<Document>[] {
  const operations = bareOperationsOf(view, event)
  if (!view.derive || operations.length === 0) return operations
  return operations.map(({ id, fold }) => ({
    id,
    fold: (document) => {
      const result = fold(document)
      return result && derived(view, result)
    },
  }))
}

/** The same for who derives afterwards. */
export function bareOperationsOf<Document>(view: View<Document>, event: RecordedEvent): readonly Operation<Document>[] {
  const handler = view.handles[event.type] as ((event: RecordedEvent) => readonly Operation<Document>[]) | undefined
  return handler ? handler(event) : []
}

export const derived = <Document>(view: View<Document>, document: Document): Document => view.derive?.(document) ?? document

/** The two operations that most handlers need, for documents of one type. */
export function operations<Document>() {
  return {
    /** Makes or replaces a document. */
    put: (id: string, document: Document): readonly Operation<Document>[] => [{ id, fold: () => document }],
    /** Changes a document that is there; nothing where it is not. */
    change: (id: string, changed: (document: Document) => Document | null): readonly Operation<Document>[] => [
      { id, fold: (document) => (document === undefined ? undefined : changed(document)) },
    ],
  }
}
