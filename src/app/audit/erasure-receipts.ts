/**
 * Issues receipts of erasures. A receipt proves without this server that the key of a person's data was destroyed: it holds the log entry,
 * its path to the root, and a signed checkpoint of that root.
 */
import { auditRowId } from '../../../projections/views/audit-row.ts'
import { logEntry } from '../../events/log-entry.ts'
import type { Hash } from '../../events/merkle-tree.ts'
import { erasureStream } from '../../events/streams.ts'
import { parseId, type UserId } from '../../vocabulary/id.ts'
import { decode } from '../../events/codec.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { AuditTree } from './audit-tree.ts'
import type { Checkpoints } from './checkpoints.ts'

export interface ErasureReceipt {
  readonly id: string
  readonly subject: UserId
  readonly keyId: string
  readonly erasedAt: string
  /** Of the entry that records the erasure. */
  readonly seq: number
  /** A signed note of the tree that ends with that entry. */
  readonly checkpoint: string
  /** The entry as it was hashed (RFC 8785), and its path in that tree. */
  readonly entry: string
  readonly hashes: readonly Hash[]
}

export interface ErasureReceipts {
  /** Refusals: `not-found`; `unavailable` while the audit log does not show it yet. */
  get(id: string): Promise<ErasureReceipt | Refusal>
}

export interface ErasureReceiptsDependencies {
  readonly log: Pick<EventLog, 'read'>
  readonly readModels: Pick<ReadModels, 'audit'>
  readonly tree: Pick<AuditTree, 'inclusion'>
  readonly checkpoints: Pick<Checkpoints, 'of'>
}

const UNKNOWN = refuse('not-found', 'There is no such erasure')
const NOT_YET = refuse('unavailable', 'The audit log does not show this erasure yet', { retryAfterSeconds: 2 })

export function createErasureReceipts({ log, readModels, tree, checkpoints }: ErasureReceiptsDependencies): ErasureReceipts {
  return {
    async get(text) {
      const id = parseId<'erasure'>(text)
      for await (const stored of id ? log.read(erasureStream(id)) : []) {
        const event = decode(stored)
        if (event?.type !== 'KeyShredded') continue
        const row = await readModels.audit.get(auditRowId(stored))
        if (!row) return NOT_YET
        const { seq } = row
        const [{ path }, checkpoint] = await Promise.all([tree.inclusion(seq, seq), checkpoints.of(seq)])
        const { userId: subject, keyId } = event.data
        return { id: text, subject, keyId, erasedAt: event.at, seq, checkpoint, entry: logEntry(stored), hashes: path }
      }
      return UNKNOWN
    },
  }
}
