/**
 * View `audit`: the ledger of the log. It holds one row for each event in log order, and the full tiles of the Merkle tree over them
 * (C2SP tlog-tiles: 256 hashes each). It also holds the state that the next batch builds on. Rows and tiles never change.
 */
import type { StoredEvent } from '../../src/events/envelope.ts'
import { grow, joined, type Hash } from '../../src/events/merkle-tree.ts'
import { START, type Position } from '../../src/events/position.ts'
import { auditRow, auditRowId, later, type AuditRow } from './audit-row.ts'
import type { Appended, Ledger, LedgerBatch, View } from './view.ts'

/** A full tile: the hashes of 256 adjacent subtrees with 256^level leaves each. */
export interface AuditTile {
  /** Base64, all hashes in order. */
  readonly hashes: string
  /** Base64: their root hash. */
  readonly root: string
}

/** State of the ledger after a batch. */
interface Edge {
  readonly size: number
  /** The latest `at` of all rows. */
  readonly latestAt: string
  /** Base64: roots of the complete subtrees, the largest first. */
  readonly frontier: readonly string[]
  /** Id of the previous edge. */
  readonly previous: string | null
}

export type AuditDocument = AuditRow | AuditTile | Edge

export const TILE_WIDTH = 256

export const auditTileId = (level: number, index: number): string => `tile:${level}:${index}`
export const auditEdgeId = (position: Position): string => `edge:${position}`

export const audit: View<AuditDocument> = {
  name: 'audit',
  version: 5,
  fields: {
    seq: 'number',
    at: 'text',
    timeKey: 'text',
    late: 'boolean',
    listed: 'boolean',
    type: 'text',
    actorId: 'text',
    targetId: 'text',
    subjectId: 'text',
    requestId: 'text',
    leafHash: 'text',
    root: 'text',
  },
  indexes: [
    ['seq'],
    ['late', 'seq'],
    // If two indexes serve a query equally well, the first is used: its leading field is more selective.
    ['requestId', 'seq'],
    ['type', 'seq'],
    ['listed', 'seq'],
    ['listed', 'actorId', 'seq'],
    ['listed', 'targetId', 'seq'],
    ['listed', 'subjectId', 'seq'],
    ['timeKey'],
  ],
  unique: ['seq', 'timeKey'],
  // Only rows have them, and no query seeks the others: tiles, and the state for the next batch, which changes with each.
  sparse: ['late', 'requestId', 'type', 'listed'],
  handles: {},
  append,
}

type Put = Appended<AuditDocument>['puts'][number]

const NO_EDGE: Edge = { size: 0, latestAt: '', frontier: [], previous: null }

async function append({ events, after }: LedgerBatch, ledger: Ledger<AuditDocument>): Promise<Appended<AuditDocument>> {
  const { edge, before } = await standing({ events, after }, ledger)
  const states = new Map(before.map((row) => [row.stream, row.after]))
  const rows: Put[] = []
  const tiles: Put[] = []
  const made = new Map<number, string>()
  let { size, latestAt } = edge
  const frontier = edge.frontier.map(fromBase64)
  for (const event of events) {
    const row = auditRow(event, { seq: size, latestAt, state: states.get(event.stream) ?? {} })
    states.set(event.stream, row.after)
    rows.push({ id: auditRowId(event), at: event.position, document: row })
    made.set(row.seq, row.leafHash)
    grow(frontier, size, fromBase64(row.leafHash))
    size = row.seq
    latestAt = later(row.at, latestAt)
    if (size % TILE_WIDTH === 0) tiles.push(...(await fullTiles({ size, at: event.position, made, tiles }, ledger)))
  }
  const at = events.at(-1)?.position ?? after
  const next: Edge = { size, latestAt, frontier: frontier.map(toBase64), previous: after === START ? null : auditEdgeId(after) }
  // If the batch is replayed, it needs the edge that it started from, but not the edge before that.
  const removes = edge.previous === null ? [] : [{ id: edge.previous, at }]
  return { puts: [...rows, ...tiles, { id: auditEdgeId(at), at, document: next }], removes }
}

/** The state a batch builds on: the previous edge, and the last row of each stream in the batch. */
async function standing({ events, after }: LedgerBatch, ledger: Ledger<AuditDocument>) {
  const firsts = new Map<string, StoredEvent>()
  for (const event of events) if (!firsts.has(event.stream)) firsts.set(event.stream, event)
  const continued = [...firsts.values()].filter(({ revision }) => revision > 0)
  const rowIds = continued.map(({ stream, revision }) => auditRowId({ stream, revision: revision - 1 }))
  const documents = await ledger.getMany([...(after === START ? [] : [auditEdgeId(after)]), ...rowIds])
  const edge = after === START ? NO_EDGE : documents.find(isEdge)
  if (!edge) throw new Error(`The audit has lost its place at ${after}. Delete the read models; they are rebuilt from the log`)
  return { edge, before: documents.filter(isRow) }
}

interface Filling {
  readonly size: number
  readonly at: Position
  /** Leaf hashes of the batch, by seq. */
  readonly made: ReadonlyMap<number, string>
  /** Tiles of the batch. */
  readonly tiles: readonly Put[]
}

/** The tiles that the last row completed, from the lowest level up. */
async function fullTiles({ size, at, made, tiles }: Filling, ledger: Ledger<AuditDocument>): Promise<readonly Put[]> {
  const full: Put[] = []
  for (let level = 0, count = size; count % TILE_WIDTH === 0; level++) {
    const index = count / TILE_WIDTH - 1
    const first = index * TILE_WIDTH
    const hashes = level === 0 ? await leaves(first, made, ledger) : await roots({ level: level - 1, first }, [...tiles, ...full], ledger)
    const bytes = Buffer.concat(hashes)
    full.push({ id: auditTileId(level, index), at, document: { hashes: toBase64(bytes), root: toBase64(joined(hashes)) } })
    count = index + 1
  }
  return full
}

/** The hashes of 256 leaves: earlier ones from the ledger, the others from the batch. */
async function leaves(first: number, made: ReadonlyMap<number, string>, ledger: Ledger<AuditDocument>): Promise<readonly Hash[]> {
  const seqs = Array.from({ length: TILE_WIDTH }, (_, n) => first + n + 1)
  const isStored = !made.has(first + 1)
  const stored = isStored ? await ledger.range('seq', { from: first + 1, to: first + TILE_WIDTH }, ['seq', 'leafHash']) : []
  const known = new Map(stored.map((row) => ('seq' in row ? [row.seq, row.leafHash] : [undefined, undefined])))
  return seqs.map((seq) => fromBase64(made.get(seq) ?? known.get(seq) ?? missing(`row ${seq}`)))
}

async function roots(
  { level, first }: { readonly level: number; readonly first: number },
  made: readonly Put[],
  ledger: Ledger<AuditDocument>,
): Promise<readonly Hash[]> {
  const ids = Array.from({ length: TILE_WIDTH }, (_, n) => auditTileId(level, first + n))
  const own = new Map(made.map(({ id, document }) => [id, document]))
  const stored = await ledger.getMany(ids.filter((id) => !own.has(id)))
  const tiles = [...stored, ...ids.flatMap((id) => own.get(id) ?? [])].filter(isTile)
  if (tiles.length < TILE_WIDTH) missing(`tile of level ${level}`)
  return tiles.map(({ root }) => fromBase64(root))
}

function missing(what: string): never {
  throw new Error(`The audit lacks a ${what}. Delete the read models; they are rebuilt from the log`)
}

const isEdge = (document: AuditDocument): document is Edge => 'frontier' in document
const isRow = (document: AuditDocument): document is AuditRow => 'leafHash' in document
const isTile = (document: AuditDocument): document is AuditTile => 'root' in document

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const fromBase64 = (text: string): Hash => Buffer.from(text, 'base64')
