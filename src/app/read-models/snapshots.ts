/**
 * Stores snapshots: documents as of certain positions in the log, so that a fold of the past starts close to its end.
 *
 * The log is cut into stretches of equal length. A block of level 0 holds the documents that one stretch has changed, as of its end. A
 * block of a higher level merges FAN blocks of the level below. The documents at the end of any stretch are then spread over a few blocks,
 * and the latest version of a document counts: a log-structured merge tree whose blocks are never rewritten.
 *
 * A block consists of sections, each for one owner and one view, so that one user's past is read without that of others. A section holds
 * its documents twice: as texts, a few in each chunk, and by column, one for each query field. So a list reads the columns that it sorts and
 * filters by, and the texts of one page, instead of parsing every document.
 *
 * Snapshots may be deleted at any time, and are made again.
 */
import { setImmediate } from 'node:timers/promises'
import type { Json } from '../../events/envelope.ts'
import { BEYOND, START, type Position } from '../../events/position.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { NoCollection, type ReadStore, type StoredDocument } from '../../ports/read-store.ts'
import { PAST_VIEWS } from './past-views.ts'

export const FAN = 16
/** Blocks of the highest level, which are not merged any further, are 16^5 stretches long. */
export const LEVELS = 6

/** The name contains the format and the versions of the views. */
const NAME = 'snapshots_g'
export const SNAPSHOTS = { name: `${NAME}3_${PAST_VIEWS.map(({ version }) => version).join('_')}`, fields: {}, indexes: [] } as const
export const isOfOtherVersion = (collection: string): boolean => collection.startsWith(NAME) && collection !== SNAPSHOTS.name

/** End of a stretch: position and time of its last event, and the earliest time of its events. */
export interface StretchEnd {
  readonly position: Position
  readonly lastMs: number
  readonly earliestMs: number
}

/** The owner of documents that belong to no user. */
export const NOBODY = 'nobody'
export type Owner = UserId | typeof NOBODY

export interface BlockName {
  readonly level: number
  /** Index within its level, from 0. */
  readonly index: number
}

/** Documents of one owner and one view in a block. Its first rows are documents, the others the ids of removed ones. */
export interface Section {
  readonly block: BlockName
  readonly owner: Owner
  /** Index in PAST_VIEWS. */
  readonly view: number
  readonly documents: number
  readonly rows: number
  /** The first row of each chunk of texts, ascending. */
  readonly starts: readonly number[]
}

/** A version of a document. */
export interface Version {
  readonly section: Section
  readonly row: number
}

export interface Snapshots {
  /** Ends of all stretches that have a snapshot. */
  ends(): Promise<readonly StretchEnd[]>
  /** In the order of the blocks. Default: of all owners. */
  sections(blocks: readonly BlockName[], owners?: readonly Owner[]): Promise<readonly Section[]>
  /** Ids of the section's rows. */
  ids(section: Section): Promise<readonly string[]>
  /** Values of a query field of the section's documents; only if it has columns. */
  column(section: Section, field: string): Promise<readonly Json[]>
  /** The documents as JSON, in the order of the versions. */
  texts(versions: readonly Version[]): Promise<readonly string[]>
}

const PAGE = 256
const HEAD = 'head'
export const ID_COLUMN = 'id'
/** Rows in each chunk of a column. */
export const COLUMN_ROWS = 1_024
/** A section of fewer documents has no columns: its documents are read whole. */
const COLUMNS_FROM = 32
/** A store in this process answers nothing while it reads them. */
const READ_AT_ONCE = 16

export const hasColumns = ({ documents }: Pick<Section, 'documents'>): boolean => documents >= COLUMNS_FROM

const pageId = (page: number): string => `ends_${page}`
const blockId = ({ level, index }: BlockName): string => `${level}_${index}`
type Place = Pick<Section, 'block' | 'owner' | 'view'>
const placeId = ({ block, owner, view }: Place) => `${blockId(block)}_${owner}_${view}`
export const columnId = (place: Place, field: string, chunk: number): string => `${placeId(place)}_${field}_${chunk}`
export const textsId = (place: Place, chunk: number): string => `${placeId(place)}_texts_${chunk}`

export const headDocument = (stretches: number, at: Position): StoredDocument => ({ id: HEAD, at, body: { stretches } })

/** The document that lists the last ends of stretches. */
export function endsDocument(ends: readonly StretchEnd[], at: Position): StoredDocument {
  const page = Math.floor((ends.length - 1) / PAGE)
  const body = { ends: ends.slice(page * PAGE).map(({ position, lastMs, earliestMs }) => [position, lastMs, earliestMs]) }
  return { id: pageId(page), at, body }
}

type ListedSection = readonly [owner: Owner, view: number, documents: number, rows: number, starts: readonly number[]]

/** The document that lists the sections of a block. */
export function blockDocument(block: BlockName, sections: readonly Section[], at: Position): StoredDocument {
  const listed = sections.map(({ owner, view, documents, rows, starts }): ListedSection => [owner, view, documents, rows, starts])
  return { id: blockId(block), at, body: { sections: listed } }
}

/** The blocks that together cover the first stretches, latest first. */
export function blocksOf(stretches: number): readonly BlockName[] {
  const blocks: BlockName[] = []
  let index = 0
  for (let level = LEVELS - 1; level >= 0; level--) {
    const length = FAN ** level
    for (; index + length <= stretches; index += length) blocks.push({ level, index: index / length })
  }
  return blocks.reverse()
}

/** All methods throw NoCollection if the snapshots are dropped meanwhile. */
export function createSnapshots(store: Pick<ReadStore, 'get' | 'getMany'>): Snapshots {
  const read = (ids: readonly string[]) => readAll(store, ids)
  const columnOf = async <Value>(section: Section, field: string, rows: number): Promise<readonly Value[]> => {
    const ids = Array.from({ length: Math.ceil(rows / COLUMN_ROWS) }, (_, chunk) => columnId(section, field, chunk))
    return (await read(ids)).flatMap(({ body }) => body.values as unknown as readonly Value[])
  }
  return {
    async ends() {
      const head = await headOf(store)
      const found = await read(Array.from({ length: Math.ceil(head / PAGE) }, (_, page) => pageId(page)))
      return found
        .flatMap(({ body }) => body.ends as unknown as readonly [Position, number, number][])
        .slice(0, head)
        .map(([position, lastMs, earliestMs]) => ({ position, lastMs, earliestMs }))
    },
    async sections(blocks, owners) {
      const found = await read(blocks.map(blockId))
      return found.flatMap(({ body }, place) => sectionsIn(blocks[place]!, body.sections as unknown as readonly ListedSection[], owners))
    },
    ids: (section) => columnOf<string>(section, ID_COLUMN, section.rows),
    column: (section, field) => columnOf<Json>(section, field, section.documents),
    async texts(versions) {
      const places = versions.map(({ section, row }) => ({ ...chunkOf(section, row), section }))
      const ids = [...new Set(places.map(({ section, chunk }) => textsId(section, chunk)))]
      const chunks = new Map((await read(ids)).map(({ id, body }) => [id, body.texts as readonly string[]]))
      return places.map(({ section, chunk, offset }) => chunks.get(textsId(section, chunk))?.[offset] ?? '')
    },
  }
}

/** In the order of the ids; other work gets its turn in between. @throws NoCollection one is missing */
async function readAll(store: Pick<ReadStore, 'getMany'>, ids: readonly string[]): Promise<readonly StoredDocument[]> {
  const documents: StoredDocument[] = []
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    if (from > 0) await setImmediate()
    documents.push(...(await store.getMany(SNAPSHOTS.name, ids.slice(from, from + READ_AT_ONCE))))
  }
  if (documents.length < ids.length) throw new NoCollection(SNAPSHOTS.name)
  return documents
}

function sectionsIn(block: BlockName, listed: readonly ListedSection[], owners: readonly Owner[] | undefined): readonly Section[] {
  const wanted = owners ? listed.filter(([owner]) => owners.includes(owner)) : listed
  return wanted.map(([owner, view, documents, rows, starts]) => ({ block, owner, view, documents, rows, starts }))
}

/** The chunk of texts that contains the row, by bisection. */
function chunkOf({ starts }: Section, row: number): { readonly chunk: number; readonly offset: number } {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= row) low = middle
    else high = middle
  }
  return { chunk: low, offset: row - (starts[low] ?? 0) }
}

/** For a fold from the first event. */
export const NO_SNAPSHOTS: Snapshots = {
  ends: async () => [],
  sections: async () => [],
  ids: async () => [],
  column: async () => [],
  texts: async () => [],
}

async function headOf(store: Pick<ReadStore, 'get'>): Promise<number> {
  try {
    return Number((await store.get(SNAPSHOTS.name, HEAD))?.body.stretches ?? 0)
  } catch (cause) {
    // No snapshot was ever made.
    if (cause instanceof NoCollection) return 0
    throw cause
  }
}

export interface FoldStart extends Pick<StretchEnd, 'position'> {
  readonly lastMs: number | undefined
  /** Count of stretches up to it. */
  readonly number: number
}

/** The last end up to a position; START if there is none. */
export function lastEnd(ends: readonly StretchEnd[], until: Position = BEYOND): FoldStart {
  const index = ends.findLastIndex(({ position }) => position <= until)
  return { position: START, lastMs: undefined, ...ends[index], number: index + 1 }
}

/** The latest version of each document in the sections, by view and id; null: it was removed. */
export type Versions = readonly Map<string, Version | null>[]

/** @param sections latest first */
export async function latestVersions(snapshots: Pick<Snapshots, 'ids'>, sections: readonly Section[]): Promise<Versions> {
  const versions = PAST_VIEWS.map(() => new Map<string, Version | null>())
  for (const section of sections) {
    const known = versions[section.view]
    for (const [row, id] of (await snapshots.ids(section)).entries()) {
      if (known && !known.has(id)) known.set(id, row < section.documents ? { section, row } : null)
    }
  }
  return versions
}
