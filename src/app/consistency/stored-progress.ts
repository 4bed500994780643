/**
 * Stored progress: one position that says how far a set of collections kept by one projector has come, events that concerned none
 * of them included. Each set has a small collection of its own, whose checkpoint is that position: it is committed after the
 * documents it speaks of, so it never runs ahead of them. Who asks the store needs no checkpoint of each view, which is old where
 * nothing concerned the view.
 *
 * What it says stays true whoever keeps the collections afterwards. Still, who takes a collection forgets what older sets said of it,
 * since the collection may have been made anew in the meantime.
 */
import { hash } from 'node:crypto'
import { isPosition, type Position } from '../../events/position.ts'
import { NoCollection, type CollectionSpec, type ReadStore, type StoredDocument } from '../../ports/read-store.ts'

/** The last event that is in the documents: its hash is that of no other log. */
export interface LogMark {
  readonly stream: string
  readonly revision: number
  readonly position: Position
  readonly hash: string
}

const PREFIX = 'progress_'
/** The document that names the collections. */
const SET = 'set'
/** The document that holds a mark. */
const MARK = 'mark'
const DIGITS = 16

/** The specs are part of the name: a collection made anew is another one. */
export function progressCollectionOf(specs: readonly CollectionSpec[]): string {
  const sorted = [...specs].sort((a, b) => (a.name < b.name ? -1 : 1))
  return `${PREFIX}${hash('sha256', JSON.stringify(sorted), 'hex').slice(0, DIGITS)}`
}

/** Makes what is missing; gives the position stored. Undefined: another projector has taken over. */
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
    // What the older ones say of the log stays true.
    const marks = (await Promise.all(older.map(([other]) => markIn(store, other)))).flatMap((mark) => mark ?? [])
    const mark = marks.reduce<LogMark | undefined>((a, b) => (a && a.position > b.position ? a : b), undefined)
    const puts = [{ id: SET, at: position, body: { collections: names } }, ...(mark ? [markDocument(mark)] : [])]
    const stored = await store.commit({ collection, epoch, from: position, to: position, puts, removes: [] })
    if (stored === 'fenced') return undefined
  }
  for (const [other] of older) await store.drop(other)
  return position
}

/** What a commit of a set stores beside its position. */
export const markDocument = (mark: LogMark): StoredDocument => ({ id: MARK, at: mark.position, body: { ...mark } })

/** Those of all sets. */
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

/** Drops what is said of collections that are all gone. */
export async function forgetProgressOfGone(store: ReadStore): Promise<void> {
  const existing = new Set(await store.collections())
  for (const [collection, set] of await setsIn(store)) {
    if (!set.some((name) => existing.has(name))) await store.drop(collection)
  }
}

/** How far these collections have come by the store: those that no set speaks of by their own checkpoints. */
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

/** Undefined: another projector, which has taken over, has dropped the collection since it was listed. */
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
