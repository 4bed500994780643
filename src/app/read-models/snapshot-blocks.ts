/** Produces the documents that make up a block of a snapshot, a page of its rows at a time, so that memory is bounded. */
import type { Json, JsonObject } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { StoredDocument } from '../../ports/read-store.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { PAST_VIEWS } from './past-views.ts'
import {
  blockDocument,
  COLUMN_ROWS,
  columnId,
  FAN,
  hasColumns,
  ID_COLUMN,
  latestVersions,
  textsId,
  type BlockName,
  type Owner,
  type Section,
  type Snapshots,
  type Version,
} from './snapshots.ts'

/** The rows of a section that is to be written. */
export interface Rows {
  readonly owner: Owner
  /** Index in PAST_VIEWS. */
  readonly view: number
  readonly ids: readonly string[]
  /** Ids of removed documents. */
  readonly removed: readonly string[]
  /** JSON of the documents in these rows. */
  readonly texts: (from: number, to: number) => Promise<readonly string[]>
}

/** Size of a chunk of texts in UTF-16 code units, after which the next one starts: a page of a list needs one chunk for each document. */
const CHUNK = 16_384

/** Fields that are stored by column: those that queries use. */
const columnsOf = ({ fields }: Pick<AnyView, 'fields'>): readonly string[] =>
  Object.keys(fields).filter((field) => fields[field] !== 'json')

/** The documents of a block, and last the one that lists its sections. Returns the sections. */
export async function* blockDocuments(
  block: BlockName,
  all: readonly Rows[],
  at: Position,
): AsyncGenerator<StoredDocument, readonly Section[]> {
  const sections: Section[] = []
  for (const rows of all) sections.push(yield* sectionDocuments(block, rows, at))
  yield blockDocument(block, sections, at)
  return sections
}

async function* sectionDocuments(block: BlockName, rows: Rows, at: Position): AsyncGenerator<StoredDocument, Section> {
  const { owner, view, ids } = rows
  const starts: number[] = []
  const all = [...ids, ...rows.removed]
  const section = { block, owner, view, documents: ids.length, rows: all.length, starts }
  const column = (field: string, from: number, values: readonly Json[]): StoredDocument => ({
    id: columnId(section, field, from / COLUMN_ROWS),
    at,
    body: { values },
  })
  for (let from = 0; from < all.length; from += COLUMN_ROWS) yield column(ID_COLUMN, from, all.slice(from, from + COLUMN_ROWS))
  const fields = hasColumns(section) ? columnsOf(PAST_VIEWS[view]!) : []
  for (let from = 0; from < ids.length; from += COLUMN_ROWS) {
    const texts = await rows.texts(from, Math.min(from + COLUMN_ROWS, ids.length))
    let row = from
    for (const chunk of chunksOf(texts)) {
      yield { id: textsId(section, starts.length), at, body: { texts: chunk } }
      starts.push(row)
      row += chunk.length
    }
    const bodies = fields.length > 0 ? texts.map((text) => JSON.parse(text) as JsonObject) : []
    for (const field of fields) {
      yield column(
        field,
        from,
        bodies.map((body) => body[field] ?? null),
      )
    }
  }
  return section
}

function* chunksOf(texts: readonly string[]): Iterable<readonly string[]> {
  let chunk: string[] = []
  let size = 0
  for (const text of texts) {
    chunk.push(text)
    size += text.length
    if (size < CHUNK) continue
    yield chunk
    chunk = []
    size = 0
  }
  if (chunk.length > 0) yield chunk
}

/** The rows of a block of a higher level: the latest version of each document in the FAN blocks that it merges. */
export async function mergedRows(snapshots: Snapshots, { level, index }: BlockName): Promise<readonly Rows[]> {
  const parts = Array.from({ length: FAN }, (_, part) => ({ level: level - 1, index: (index + 1) * FAN - 1 - part }))
  const sections = Map.groupBy(await snapshots.sections(parts), ({ owner, view }) => `${view} ${owner}`)
  const merged: Rows[] = []
  for (const own of sections.values()) {
    const [{ owner, view }] = own as [Section]
    const latest = [...((await latestVersions(snapshots, own))[view] ?? [])]
    const removed = latest.flatMap(([id, version]) => (version ? [] : [id]))
    // In the order in which they were stored, so that neighbours are read together.
    const kept = latest.flatMap(([id, version]) => (version ? [{ id, version }] : [])).toSorted(byPlace)
    const texts = (from: number, to: number) => snapshots.texts(kept.slice(from, to).map(({ version }) => version))
    merged.push({ owner, view, ids: kept.map(({ id }) => id), removed, texts })
  }
  return merged
}

type Placed = { readonly version: Version }
const byPlace = ({ version: a }: Placed, { version: b }: Placed): number => a.section.block.index - b.section.block.index || a.row - b.row
