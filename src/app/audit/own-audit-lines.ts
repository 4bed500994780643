/** Exports every event about one user or by this user, each with its proof: the stored event and its path to one checkpoint. */
import type { JsonObject, StoredEvent } from '../../events/envelope.ts'
import { logEntry } from '../../events/log-entry.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { AuditTree } from './audit-tree.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { OwnAudit } from './own-audit.ts'

export interface OwnAuditLinesDependencies {
  readonly ownAudit: Pick<OwnAudit, 'walk'>
  readonly log: Pick<EventLog, 'read'>
  readonly tree: Pick<AuditTree, 'inclusion' | 'size'>
  readonly checkpoints: Pick<Checkpoints, 'of' | 'verifier'>
}

/** The first line is the checkpoint of all proofs, with the key that verifies it; then follows a line for each event up to it. */
export function createOwnAuditLines({ ownAudit, log, tree, checkpoints }: OwnAuditLinesDependencies) {
  return async function* auditLines(userId: UserId): AsyncGenerator<JsonObject> {
    const size = await tree.size()
    yield { type: 'checkpoint', size, checkpoint: await checkpoints.of(size), key: await checkpoints.verifier() }
    const logins = new Set<string | null>()
    for await (const { entry, row } of ownAudit.walk(userId)) {
      if (entry.seq > size) continue
      const stored = await eventAt(log, row)
      if (row.type === 'SignedIn') logins.add(row.targetId)
      if (row.type === 'LoginsExpired' && !isAbout(stored, logins)) continue
      const { path } = await tree.inclusion(entry.seq, size)
      const { type: eventType, ...rest } = entry
      const proof = { event: stored && logEntry(stored), hashes: path.map((hash) => Buffer.from(hash).toString('base64')) }
      yield { type: 'audit', eventType, ...rest, ...proof } as unknown as JsonObject
    }
  }
}

const isAbout = (stored: StoredEvent | null, logins: ReadonlySet<string | null>): boolean =>
  Array.isArray(stored?.data['loginIds']) && stored.data['loginIds'].some((id) => logins.has(String(id)))

async function eventAt(log: Pick<EventLog, 'read'>, { stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>) {
  for await (const stored of log.read(stream, revision)) return stored
  return null
}
