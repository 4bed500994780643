/**
 * Reads the stored Merkle tree over the log: hashes of complete subtrees come from tiles, from rows and from roots of tiles. A proof reads
 * about as many of them as the tree is high.
 */
import { auditTileId, TILE_WIDTH, type AuditTile } from '../../../projections/views/audit.ts'
import {
  consistencyPath,
  HASH_BYTES,
  inclusionPath,
  joined,
  rootOf,
  subtreesOf,
  type Hash,
  type Range,
  type Subtree,
  type Tree,
} from '../../events/merkle-tree.ts'
import type { ReadModels } from '../read-models/read-models.ts'

export interface AuditTree {
  /** Events in the tree. */
  size(): Promise<number>
  /** The tree of the first `size` events, or of all events if there are fewer. */
  at(size: number): Promise<Tree>
  /** Leaf and path that prove the event with this seq in the tree of that size. 1 <= seq <= size <= size(). */
  inclusion(seq: number, size: number): Promise<{ readonly leafHash: Hash; readonly path: readonly Hash[] }>
  /** The path that proves that one tree has grown out of the other. 1 <= from <= to <= size(). */
  consistency(from: number, to: number): Promise<readonly Hash[]>
  /** `count` hashes of subtrees with 256^level leaves, from the given one on: at most one tile, and within one tile. */
  hashes(level: number, first: number, count: number): Promise<readonly Hash[]>
}

/** A tile has 2^8 hashes. */
const TILE_LEVELS = Math.log2(TILE_WIDTH)

export function createAuditTree(readModels: Pick<ReadModels, 'audit' | 'auditTiles'>): AuditTree {
  const read = () => createReader(readModels)
  return {
    async size() {
      const { items } = await readModels.audit.find({ sort: { field: 'seq', direction: 'desc' }, only: ['seq'], limit: 1 })
      return items[0]?.seq ?? 0
    },
    at: async (size) => ({ size, root: await read().root({ start: 0, end: size }) }),
    async inclusion(seq, size) {
      const reader = read()
      const [leafHash, ...path] = await Promise.all([
        reader.root({ start: seq - 1, end: seq }),
        ...inclusionPath(seq - 1, { start: 0, end: size }).map(reader.root),
      ])
      return { leafHash, path }
    },
    consistency: (from, to) => Promise.all(consistencyPath(from, to).map(read().root)),
    hashes: (level, first, count) => read().hashes(level, first, count),
  }
}

/** Reader for one request: a tile that holds several of its hashes is read once. */
function createReader({ audit, auditTiles }: Pick<ReadModels, 'audit' | 'auditTiles'>) {
  const tiles = new Map<string, Promise<AuditTile | undefined>>()

  function tile(level: number, index: number): Promise<AuditTile | undefined> {
    const id = auditTileId(level, index)
    const asked = tiles.get(id) ?? auditTiles.get(id)
    tiles.set(id, asked)
    return asked
  }

  async function hashes(level: number, first: number, count: number): Promise<readonly Hash[]> {
    const full = await tile(level, Math.floor(first / TILE_WIDTH))
    const found = full
      ? slice(full, first % TILE_WIDTH, count)
      : level === 0
        ? await leaves(first, count)
        : await roots(level - 1, first, count)
    if (found.length < count) throw new RangeError(`The tree has no ${count} hashes from ${first} on at level ${level}`)
    return found
  }

  /** Leaves from rows that do not fill a tile yet. */
  async function leaves(first: number, count: number): Promise<readonly Hash[]> {
    const where = [
      { field: 'seq', op: 'gt', value: first },
      { field: 'seq', op: 'lte', value: first + count },
    ] as const
    const { items } = await audit.find({ where, sort: { field: 'seq', direction: 'asc' }, only: ['leafHash'], limit: count })
    return items.map(({ leafHash }) => Buffer.from(leafHash, 'base64'))
  }

  async function roots(level: number, first: number, count: number): Promise<readonly Hash[]> {
    const parts = Array.from({ length: count }, (_, n) => auditTiles.getPart(auditTileId(level, first + n), ['root']))
    return (await Promise.all(parts)).flatMap((part) => (part ? [Buffer.from(part.root, 'base64')] : []))
  }

  async function complete({ level, index }: Subtree): Promise<Hash> {
    const tileLevel = Math.floor(level / TILE_LEVELS)
    const count = 2 ** (level - tileLevel * TILE_LEVELS)
    return joined(await hashes(tileLevel, index * count, count))
  }

  return { hashes, root: async (range: Range): Promise<Hash> => rootOf(await Promise.all(subtreesOf(range).map(complete))) }
}

function slice({ hashes }: AuditTile, first: number, count: number): readonly Hash[] {
  const bytes = Buffer.from(hashes, 'base64')
  return Array.from({ length: count }, (_, n) => bytes.subarray((first + n) * HASH_BYTES, (first + n + 1) * HASH_BYTES))
}
