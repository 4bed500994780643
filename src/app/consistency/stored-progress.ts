/**
 * Stores one position for all collections of one projector, which also covers events that concerned none of them. Each set of collections
 * has a small collection of its own whose checkpoint is that position. It is committed after the documents, so it never runs ahead of them.
 * Readers of the store then need no checkpoint of each view, which is old if no recent event concerned the view.
 *
 * The position stays valid when another projector takes the collections over. That projector still drops the records of older sets with
 * these collections, since a collection may have been rebuilt meanwhile.
 */
import { hash } from 'node:crypto'
import { isPosition, type Position } from '../../events/position.ts'
import { NoCollection, type CollectionSpec, type ReadStore, type StoredDocument } from '../../ports/read-store.ts'

/** The last event that is in the documents: no other log has an event with its hash. */
export interface LogMark {
  readonly stream: string
  readonly revision: number
  readonly position: Position
  readonly hash: string
}

const PREFIX = 'progress_'
/** Id of the document that names the collections. */
const SET = 'set'
/** Id of the document that holds a mark. */
const MARK = 'mark'
const DIGITS = 16

/** The name depends on the specs: a collection that is rebuilt with another spec gets another name. */
export function progressCollectionOf(specs: readonly CollectionSpec[]): string {
  const sorted = [...specs].sort((a, b) => (a.name < b.name ? -1 : 1))
  return `${PREFIX}${hash('sha256', JSON.stringify(sorted), 'hex').slice(0, DIGITS)}`
}

/** Creates the missing collection; returns the stored position. Undefined if another projector has taken over. */
export async function openProgress(store: ReadStore, specs: readonly CollectionSpec[], epoch: number): Promise<Position | undefined> {
  const collection = progressCollectionOf(specs)
  const names = specs.map(({ name }) => name)
  await store.open([{ name: collection, fields: {}, indexes: [] }])
  return unlessGone(() => nameSet(store, { collection, epoch, names }))
}

interface NamedSet {
  readonly collection: string
  readonly epoch: number
  readonly names: readonly string[]
}

async function nameSet(store: ReadStore, { collection, epoch, names }: NamedSet): Promise<Position | undefined> {
  const older = [...(await setsIn(store))].filter(([other, set]) => other !== collection && set.some((name) => names.includes(name)))
  const position = await store.checkpoint(collection)
  if ((await namedBy(store, collection)).length === 0) {
    // The marks of older sets stay valid.
    const marks = (await Promise.all(older.map(([other]) => markIn(store, other)))).flatMap((mark) => mark ?? [])
    const mark = marks.reduce<LogMark | undefined>((a, b) => (a && a.position > b.position ? a : b), undefined)
    const puts = [{ id: SET, at: position, body: { collections: names } }, ...(mark ? [markDocument(mark)] : [])]
    const stored = await store.commit({ collection, epoch, from: position, to: position, puts, removes: [] })
    if (stored === 'fenced') return undefined
  }
  for (const [other] of older) await store.drop(other)
  return position
}

/** Stored with the position in each commit of a set. */
export const markDocument = (mark: LogMark): StoredDocument => ({ id: MARK, at: mark.position, body: { ...mark } })

/** The marks of all sets. */
export async function storedMarks(store: ReadStore): Promise<readonly LogMark[]> {
  const marks = await Promise.all([...(await setsIn(store)).keys()].map((collection) => markIn(store, collection)))
  return marks.flatMap((mark) => mark ?? [])
}

export async function markIn(store: ReadStore, collection: string): Promise<LogMark | undefined> {
  const found = await unlessGone(() => store.get(collection, MARK))
  const { stream, revision, position, hash: digest } = found?.body ?? {}
  const isMark = typeof stream === 'string' && typeof revision === 'number' && isPosition(position) && typeof digest === 'string'
  return isMark ? { stream, revision, position, hash: digest } : undefined
}

/** Drops the sets whose collections are all gone. */
export async function forgetProgressOfGone(store: ReadStore): Promise<void> {
  const existing = new Set(await store.collections())
  for (const [collection, set] of await setsIn(store)) {
    if (!set.some((name) => existing.has(name))) await store.drop(collection)
  }
}

/** Stored position of each collection: from its set or, if it is in no set, from its own checkpoint. */
export async function storedPositions(store: ReadStore, collections: readonly string[]): Promise<ReadonlyMap<string, Position>> {
  const positions = new Map<string, Position>()
  for (const [collection, set] of await setsIn(store)) {
    const position = await unlessGone(() => store.checkpoint(collection))
    if (position === undefined) continue
    for (const name of set) if (position > (positions.get(name) ?? '')) positions.set(name, position)
  }
  for (const name of collections) if (!positions.has(name)) positions.set(name, await store.checkpoint(name))
  return positions
}

async function setsIn(store: ReadStore): Promise<ReadonlyMap<string, readonly string[]>> {
  const sets = new Map<string, readonly string[]>()
  for (const name of await store.collections()) {
    if (!name.startsWith(PREFIX)) continue
    const set = await unlessGone(() => namedBy(store, name))
    if (set) sets.set(name, set)
  }
  return sets
}

/** Undefined if a projector that has taken over has dropped the collection since it was listed. */
async function unlessGone<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof NoCollection) return undefined
    throw cause
  }
}

async function namedBy(store: ReadStore, collection: string): Promise<readonly string[]> {
  const names = (await store.get(collection, SET))?.body['collections']
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}
