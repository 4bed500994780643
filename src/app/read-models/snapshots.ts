/**
 * Snapshots: documents as they were at certain places in the log, so that a fold of the past begins near its end.
 *
 * The log is cut into stretches of equal length. A block of level 0 holds the documents that one stretch has changed, as they were at
 * its end; a block of each level above sums up as many blocks as FAN says. The documents at the end of any stretch are then those of a
 * few blocks, and of a document that is in several of them the latest counts: a log-structured merge tree, of which no block
 * is ever written twice. Blocks are made of chunks, for one owner each, so that one user's past is read without that of others.
 *
 * They may be deleted at any time, and are made again.
 */
import type { JsonObject } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { NoCollection, type ReadStore, type StoredDocument } from '../../ports/read-store.ts'
import { PAST_VIEWS } from './past-views.ts'

export const FAN = 8
/** Blocks of the highest level, which are not summed up any further, are 8^6 stretches long. */
export const LEVELS = 7

/** The format, and the versions of the views. */
const NAME = 'snapshots_g'
export const SNAPSHOTS = { name: `${NAME}1_${PAST_VIEWS.map(({ version }) => version).join('_')}`, fields: {}, indexes: [] } as const
export const isOfOtherVersion = (collection: string): boolean => collection.startsWith(NAME) && collection !== SNAPSHOTS.name

/** Where a stretch ends: its last event, and the latest time of all events to there. */
export interface StretchEnd {
  readonly position: Position
  readonly latestMs: number
}

/** The owner of what belongs to no user. */
export const NOBODY = 'nobody'
export type Owner = UserId | typeof NOBODY

export interface BlockName {
  readonly level: number
  /** Among those of its level, from 0. */
  readonly index: number
}

/** A document of a snapshot. `key`: that of its view and id. */
export interface SnapshotLine {
  readonly key: string
  /** The document as JSON; empty: it was removed. */
  readonly text: string
}

const PAGE = 256
const HEAD = 'head'
const READ_AT_ONCE = 16

export const keyOf = (view: number, id: string): string => `${view} ${JSON.stringify(id)}`
export const lineOf = ({ key, text }: SnapshotLine): string => `${key}\t${text}`
/** The view's place among PAST_VIEWS, and the document's id. */
export const namedBy = (key: string): { readonly view: number; readonly id: string } => ({
  view: Number(key.slice(0, key.indexOf(' '))),
  id: JSON.parse(key.slice(key.indexOf(' ') + 1)) as string,
})

export const headDocument = (stretches: number, at: Position): StoredDocument => ({ id: HEAD, at, body: { stretches } })

const pageId = (page: number) => `ends_${page}`
const blockId = ({ level, index }: BlockName) => `${level}_${index}`
const chunkId = (block: BlockName, owner: Owner, chunk: number) => `${blockId(block)}_${owner}_${chunk}`

/** The document of the ends of stretches that the last one of them is in. */
export function endsDocument(ends: readonly StretchEnd[], at: Position): StoredDocument {
  const page = Math.floor((ends.length - 1) / PAGE)
  const body = { ends: ends.slice(page * PAGE).map(({ position, latestMs }) => [position, latestMs]) }
  return { id: pageId(page), at, body }
}

/** The documents of a block, its chunks first. */
export function* blockDocuments(block: BlockName, chunks: ReadonlyMap<Owner, readonly string[]>, at: Position): Iterable<StoredDocument> {
  for (const [owner, texts] of chunks) {
    for (const [chunk, text] of texts.entries()) yield { id: chunkId(block, owner, chunk), at, body: { text } }
  }
  yield { id: blockId(block), at, body: { owners: [...chunks].map(([owner, { length }]) => [owner, length]) } }
}

/** The blocks that together hold what the first stretches have changed, the latest first. */
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
  /** The ends of all stretches that have a snapshot. */
  ends(): Promise<readonly StretchEnd[]>
  /** Owners of what is in any of the blocks. */
  owners(blocks: readonly BlockName[]): Promise<readonly Owner[]>
  /** What blocks hold of an owner, each document once: as it is in the first of them that has it. */
  lines(blocks: readonly BlockName[], owner: Owner): AsyncIterable<readonly SnapshotLine[]>
}

/** All of it throws NoCollection if the snapshots are dropped while they are read. */
export function createSnapshots(store: Pick<ReadStore, 'get' | 'getMany'>): Snapshots {
  async function getAll(ids: readonly string[]): Promise<readonly StoredDocument[]> {
    const found = ids.length === 0 ? [] : await store.getMany(SNAPSHOTS.name, ids)
    if (found.length < ids.length) throw new NoCollection(SNAPSHOTS.name)
    return found
  }

  /** Each block's owners, with their numbers of chunks. */
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

/** For a fold that begins with the first event. */
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

/** The last end that is not beyond; `number`: of stretches to there, 0 for none. */
export function lastEnd(ends: readonly StretchEnd[], isBeyond: (end: StretchEnd) => boolean): StretchEnd & { readonly number: number } {
  const index = ends.findLastIndex((end) => !isBeyond(end))
  return { position: START, latestMs: Number.NEGATIVE_INFINITY, ...ends[index], number: index + 1 }
}

export const ownerOf = ({ userId }: JsonObject): Owner => (typeof userId === 'string' ? (userId as UserId) : NOBODY)
