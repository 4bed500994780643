/**
 * Stores snapshots: documents as of certain positions in the log, so that a fold of the past starts close to its end.
 *
 * The log is cut into stretches of equal length. A block of level 0 holds the documents that one stretch has changed, as of its end. A
 * block of a higher level merges FAN blocks of the level below. The documents at the end of any stretch are then spread over a few blocks,
 * and the latest version of a document counts: a log-structured merge tree whose blocks are never rewritten. Blocks consist of chunks, each
 * for one owner, so that one user's past is read without that of others.
 *
 * Snapshots may be deleted at any time, and are made again.
 */
import type { JsonObject } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { NoCollection, type ReadStore, type StoredDocument } from '../../ports/read-store.ts'
import { PAST_VIEWS } from './past-views.ts'

export const FAN = 8
/** Blocks of the highest level, which are not merged any further, are 8^6 stretches long. */
export const LEVELS = 7

/** The name contains the format and the versions of the views. */
const NAME = 'snapshots_g'
export const SNAPSHOTS = { name: `${NAME}1_${PAST_VIEWS.map(({ version }) => version).join('_')}`, fields: {}, indexes: [] } as const
export const isOfOtherVersion = (collection: string): boolean => collection.startsWith(NAME) && collection !== SNAPSHOTS.name

/** End of a stretch: the position of its last event, and the latest time of all events up to it. */
export interface StretchEnd {
  readonly position: Position
  readonly latestMs: number
}

/** The owner of documents that belong to no user. */
export const NOBODY = 'nobody'
export type Owner = UserId | typeof NOBODY

export interface BlockName {
  readonly level: number
  /** Index within its level, from 0. */
  readonly index: number
}

/** A document of a snapshot. `key`: made of its view and id. */
export interface SnapshotLine {
  readonly key: string
  /** The document as JSON; empty if it was removed. */
  readonly text: string
}

const PAGE = 256
const HEAD = 'head'
const READ_AT_ONCE = 16

export const keyOf = (view: number, id: string): string => `${view} ${JSON.stringify(id)}`
export const lineOf = ({ key, text }: SnapshotLine): string => `${key}\t${text}`
/** The view's index in PAST_VIEWS, and the document's id. */
export const namedBy = (key: string): { readonly view: number; readonly id: string } => ({
  view: Number(key.slice(0, key.indexOf(' '))),
  id: JSON.parse(key.slice(key.indexOf(' ') + 1)) as string,
})

export const headDocument = (stretches: number, at: Position): StoredDocument => ({ id: HEAD, at, body: { stretches } })

const pageId = (page: number) => `ends_${page}`
const blockId = ({ level, index }: BlockName) => `${level}_${index}`
const chunkId = (block: BlockName, owner: Owner, chunk: number) => `${blockId(block)}_${owner}_${chunk}`

/** The document that lists the last ends of stretches. */
export function endsDocument(ends: readonly StretchEnd[], at: Position): StoredDocument {
  const page = Math.floor((ends.length - 1) / PAGE)
  const body = { ends: ends.slice(page * PAGE).map(({ position, latestMs }) => [position, latestMs]) }
  return { id: pageId(page), at, body }
}

/** The documents of a block, chunks first. */
export function* blockDocuments(block: BlockName, chunks: ReadonlyMap<Owner, readonly string[]>, at: Position): Iterable<StoredDocument> {
  for (const [owner, texts] of chunks) {
    for (const [chunk, text] of texts.entries()) yield { id: chunkId(block, owner, chunk), at, body: { text } }
  }
  yield { id: blockId(block), at, body: { owners: [...chunks].map(([owner, { length }]) => [owner, length]) } }
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

export interface Snapshots {
  /** Ends of all stretches that have a snapshot. */
  ends(): Promise<readonly StretchEnd[]>
  /** Owners of documents in any of the blocks. */
  owners(blocks: readonly BlockName[]): Promise<readonly Owner[]>
  /** Documents of an owner in the blocks, without duplicates: the first block that has a document wins. */
  lines(blocks: readonly BlockName[], owner: Owner): AsyncIterable<readonly SnapshotLine[]>
}

/** All methods throw NoCollection if the snapshots are dropped meanwhile. */
export function createSnapshots(store: Pick<ReadStore, 'get' | 'getMany'>): Snapshots {
  async function getAll(ids: readonly string[]): Promise<readonly StoredDocument[]> {
    const found = ids.length === 0 ? [] : await store.getMany(SNAPSHOTS.name, ids)
    if (found.length < ids.length) throw new NoCollection(SNAPSHOTS.name)
    return found
  }

  /** For each block, the number of chunks per owner. */
  async function contentsOf(blocks: readonly BlockName[]): Promise<readonly ReadonlyMap<Owner, number>[]> {
    const found = await getAll(blocks.map(blockId))
    return found.map(({ body }) => new Map(body.owners as unknown as readonly [Owner, number][]))
  }

  return {
    async ends() {
      const head = await headOf(store)
      const found = await getAll(Array.from({ length: Math.ceil(head / PAGE) }, (_, page) => pageId(page)))
      return found
        .flatMap(({ body }) => body.ends as unknown as readonly [Position, number][])
        .slice(0, head)
        .map(([position, latestMs]) => ({ position, latestMs }))
    },
    async owners(blocks) {
      return [...new Set((await contentsOf(blocks)).flatMap((owners) => [...owners.keys()]))]
    },
    async *lines(blocks, owner) {
      const contents = await contentsOf(blocks)
      const ids = blocks.flatMap((block, place) =>
        Array.from({ length: contents[place]?.get(owner) ?? 0 }, (_, chunk) => chunkId(block, owner, chunk)),
      )
      const seen = new Set<string>()
      for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
        for (const { body } of await getAll(ids.slice(from, from + READ_AT_ONCE))) {
          yield linesIn(body.text as string).filter(({ key }) => seen.size < seen.add(key).size)
        }
      }
    },
  }
}

/** For a fold from the first event. */
export const NO_SNAPSHOTS: Snapshots = {
  ends: async () => [],
  owners: async () => [],
  async *lines() {},
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

const linesIn = (text: string): readonly SnapshotLine[] =>
  text.split('\n').map((line) => ({ key: line.slice(0, line.indexOf('\t')), text: line.slice(line.indexOf('\t') + 1) }))

/** The last end within the bound; `number`: count of stretches up to it, 0 for none. */
export function lastEnd(ends: readonly StretchEnd[], isBeyond: (end: StretchEnd) => boolean): StretchEnd & { readonly number: number } {
  const index = ends.findLastIndex((end) => !isBeyond(end))
  return { position: START, latestMs: Number.NEGATIVE_INFINITY, ...ends[index], number: index + 1 }
}

export const ownerOf = ({ userId }: JsonObject): Owner => (typeof userId === 'string' ? (userId as UserId) : NOBODY)
