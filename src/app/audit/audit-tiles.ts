/**
 * Serves tiles of the Merkle tree over the log (c2sp.org/tlog-tiles) to monitors that follow transparency logs: 256 neighbouring hashes of
 * subtrees, or the entries that 256 leaves are made of. A partial tile holds the hashes that exist so far.
 */
import { TILE_WIDTH } from '../../../projections/views/audit.ts'
import { logEntry } from '../../events/log-entry.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { AuditTree } from './audit-tree.ts'

export interface TileAsk {
  /** The level's hashes are those of subtrees with 256^level leaves; `entries`: the entries of the leaves. */
  readonly level: number | 'entries'
  readonly index: number
  /** Hashes or entries in it: 256 for a full tile. */
  readonly width: number
}

export interface AuditTiles {
  /** Undefined if the log is shorter than that. */
  get(ask: TileAsk): Promise<Uint8Array | undefined>
}

export interface AuditTilesDependencies {
  readonly tree: Pick<AuditTree, 'size' | 'hashes'>
  readonly readModels: Pick<ReadModels, 'audit'>
  readonly log: Pick<EventLog, 'read'>
}

export function createAuditTiles(deps: AuditTilesDependencies): AuditTiles {
  return {
    async get({ level, index, width }) {
      const leaves = TILE_WIDTH ** (level === 'entries' ? 0 : level)
      const first = index * TILE_WIDTH
      if ((first + width) * leaves > (await deps.tree.size())) return undefined
      return level === 'entries' ? entries(deps, first, width) : Buffer.concat(await deps.tree.hashes(level, first, width))
    },
  }
}

/** Each entry follows its length in two bytes. */
async function entries({ readModels, log }: AuditTilesDependencies, first: number, count: number): Promise<Uint8Array> {
  const where = [
    { field: 'seq', op: 'gt', value: first },
    { field: 'seq', op: 'lte', value: first + count },
  ] as const
  const { items } = await readModels.audit.find({ where, sort: { field: 'seq', direction: 'asc' }, limit: count })
  const parts: Buffer[] = []
  for (const { stream, revision } of items) {
    for await (const stored of log.read(stream, revision)) {
      const entry = Buffer.from(logEntry(stored))
      const length = Buffer.alloc(2)
      length.writeUInt16BE(entry.length)
      parts.push(length, entry)
      break
    }
  }
  return Buffer.concat(parts)
}
