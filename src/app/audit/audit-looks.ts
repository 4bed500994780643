/** Looks of administrators at what others did, or what was done to them, in the audit log: each is on record. */
import type { Caller, RequestOrigin } from '../access/caller.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { AccessRecords } from './access-records.ts'
import type { AuditFilter, AuditLogDependencies } from './audit-log.ts'

export interface AuditLooksDependencies extends Pick<AuditLogDependencies, 'nameOf'> {
  readonly accessRecords: Pick<AccessRecords, 'viewed'>
}

export type RecordAuditLook = (caller: Caller, filter: AuditFilter, asked: { operation: string; origin: RequestOrigin }) => Promise<void>

export function createAuditLooks({ accessRecords, nameOf }: AuditLooksDependencies): RecordAuditLook {
  /** Who is looked at. What was done to a movie or a library may have been done by anybody. */
  async function lookedAt({ actorId, targetId }: AuditFilter): Promise<UserId | null> {
    for (const id of [actorId, targetId]) if (id !== undefined && (await nameOf(id)) !== null) return id as UserId
    return null
  }

  return async (caller, filter, { operation, origin }) =>
    accessRecords.viewed(caller, { userId: await lookedAt(filter), operation }, origin)
}
