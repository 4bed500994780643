/** Records when an administrator reads in the audit log actions of others, or on others. */
import type { Caller, RequestOrigin } from '../access/caller.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { AccessRecords } from './access-records.ts'
import type { AuditFilter, AuditLogDependencies } from './audit-log.ts'

export interface AuditLooksDependencies extends Pick<AuditLogDependencies, 'nameOf'> {
  readonly accessRecords: Pick<AccessRecords, 'viewed'>
}

export type RecordAuditLook = (caller: Caller, filter: AuditFilter, asked: { operation: string; origin: RequestOrigin }) => Promise<void>

export function createAuditLooks({ accessRecords, nameOf }: AuditLooksDependencies): RecordAuditLook {
  /** The user who is looked at; null if the target is a movie or a library, which anybody may have changed. */
  async function lookedAt({ actorId, targetId }: AuditFilter): Promise<UserId | null> {
    for (const id of [actorId, targetId]) if (id !== undefined && (await nameOf(id)) !== null) return id as UserId
    return null
  }

  return async (caller, filter, { operation, origin }) =>
    accessRecords.viewed(caller, { userId: await lookedAt(filter), operation }, origin)
}
