/** Every event about one user for the user's own export, each with its proof: what was stored, and its path to one checkpoint. */
import type { JsonObject, StoredEvent } from '../../events/envelope.ts'
import { logEntry } from '../../events/log-entry.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { AuditLog } from './audit-log.ts'
import type { AuditTree } from './audit-tree.ts'
import type { Checkpoints } from './checkpoints.ts'

export interface OwnAuditLinesDependencies {
  readonly auditLog: Pick<AuditLog, 'walkAbout'>
  readonly log: Pick<EventLog, 'read'>
  readonly tree: Pick<AuditTree, 'inclusion' | 'size'>
  readonly checkpoints: Pick<Checkpoints, 'of' | 'verifier'>
}

/** First the checkpoint that all proofs lead to, with the key that verifies it; then a line for each event up to there. */
export function createOwnAuditLines({ auditLog, log, tree, checkpoints }: OwnAuditLinesDependencies) {
  return async function* auditLines(userId: UserId): AsyncGenerator<JsonObject> {
    const size = await tree.size()
    yield { type: 'checkpoint', size, checkpoint: await checkpoints.of(size), key: await checkpoints.verifier() }
    for await (const { entry, row } of auditLog.walkAbout(userId)) {
      if (entry.seq > size) continue
      const stored = await eventAt(log, row)
      const { path } = await tree.inclusion(entry.seq, size)
      const { type: eventType, ...rest } = entry
      const proof = { event: stored && logEntry(stored), hashes: path.map((hash) => Buffer.from(hash).toString('base64')) }
      yield { type: 'audit', eventType, ...rest, ...proof } as unknown as JsonObject
    }
  }
}

async function eventAt(log: Pick<EventLog, 'read'>, { stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>) {
  for await (const stored of log.read(stream, revision)) return stored
  return null
}
