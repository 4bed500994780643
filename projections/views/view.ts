/**
 * Defines a view: a pure function from events to operations on documents. Each view has one file, and its documents are rebuilt from the
 * log whenever `version` changes.
 */
import type { EventType } from '../../src/events/catalogue.ts'
import type { JsonObject, StoredEvent } from '../../src/events/envelope.ts'
import type { Position } from '../../src/events/position.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'

/** Changes one document. Receives the current document (undefined: none); returns the new one (null: delete it; undefined: no change). */
export interface Operation<Document> {
  readonly id: string
  readonly fold: (document: Document | undefined) => Document | undefined | null
}

export type Handlers<Document> = { readonly [T in EventType]?: (event: RecordedEvent<T>) => readonly Operation<Document>[] }

export interface View<Document> {
  readonly name: string
  readonly version: number
  /** Which of its collections: 0, or the number of a rebuild (src/app/consistency/view-generations.ts). */
  readonly generation?: number
  /** Fields that queries may use, and indexes that serve them (src/ports/read-store.ts). */
  readonly fields: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'list' | 'tokens' | 'tally' | 'json'>>
  readonly indexes: readonly (readonly string[])[]
  readonly unique?: readonly string[]
  readonly sparse?: readonly string[]
  readonly handles: Handlers<Document>
  /**
   * Computes the derived members of a document, such as its query fields. Handlers leave them alone, so that a batch of events derives them
   * only once, at its end.
   */
  readonly derive?: (document: Document) => Document
  /** Replaces `handles` in a ledger, whose documents build on earlier ones. */
  readonly append?: Append<Document>
}

/**
 * Returns the documents that events add, batch by batch. They depend on the log alone, and never change once stored.
 * After a crash the same events may be replayed in other batches, with some of their documents already stored. A replayed batch must not
 * need a removed document.
 */
export type Append<Document> = (batch: LedgerBatch, ledger: Ledger<Document>) => Promise<Appended<Document>>

export interface LedgerBatch {
  /** At least one; includes events of types that this version does not know. */
  readonly events: readonly StoredEvent[]
  /** Position of the preceding event; START for the first. */
  readonly after: Position
}

/** Read access to the stored documents of a ledger. */
export interface Ledger<Document> {
  getMany(ids: readonly string[]): Promise<readonly Document[]>
  /**
   * Documents whose number field is in a range, sorted by it, at least with the declared members `only`; at most 256. The field grows with
   * each document that has it.
   */
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

/** A view of any document type: projectors never inspect documents. */
export type AnyView = View<JsonObject>

/** Name of a generation's collection; generation 0 has the name of the view's version. */
export const generationName = (collection: string, generation: number): string =>
  generation === 0 ? collection : `${collection}_r${generation}`

/** The collection of this generation of this version of the view. */
export const collectionOf = ({ name, version, generation = 0 }: Pick<AnyView, 'name' | 'version' | 'generation'>) =>
  generationName(`${name}_g${version}`, generation)

/** The operations of one event on this view, in order; their results include the derived members. */
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

/** The same without the derived members, for callers that derive them later. */
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
    /** Changes an existing document; does nothing if it does not exist. */
    change: (id: string, changed: (document: Document) => Document | null): readonly Operation<Document>[] => [
      { id, fold: (document) => (document === undefined ? undefined : changed(document)) },
    ],
  }
}
