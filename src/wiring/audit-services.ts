/** Builds the services of the audit: reading it, proving it, backing it up, and recording its own events. */
import { createAuditLog, type AuditLogDependencies } from '../app/audit/audit-log.ts'
import { createAuditLooks } from '../app/audit/audit-looks.ts'
import { createAuditTiles } from '../app/audit/audit-tiles.ts'
import { createAuditTree } from '../app/audit/audit-tree.ts'
import { createCheckpoints } from '../app/audit/checkpoints.ts'
import { createAccessRecords, type AccessRecordsDependencies } from '../app/audit/access-records.ts'
import { recordRebuilds, type RecordedRebuildsDependencies } from '../app/audit/recorded-rebuilds.ts'
import { createErasureReceipts } from '../app/audit/erasure-receipts.ts'
import { createOwnAudit } from '../app/audit/own-audit.ts'
import { createOwnAuditLines } from '../app/audit/own-audit-lines.ts'
import { createWitnesses } from '../app/audit/witnesses.ts'
import type { CommandHandler } from '../app/commands/command-handler.ts'
import type { ReadModels } from '../app/read-models/read-models.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Leases } from '../ports/leases.ts'
import type { ReadYourWrites } from '../app/consistency/read-your-writes.ts'
import type { Vault } from '../ports/vault.ts'
import { createBackupService, type BackupOptions } from './backup-service.ts'

export interface AuditServicesDependencies extends AuditLogDependencies, AccessRecordsDependencies, RecordedRebuildsDependencies {
  readonly commandHandler: CommandHandler
  readonly readModels: ReadModels
  readonly leases: Leases
  readonly log: EventLog
  readonly wholeLog?: EventLog
  readonly vault: Vault
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly backups?: BackupOptions
}

export function createAuditServices(deps: AuditServicesDependencies) {
  const { readModels, log, vault } = deps
  const auditLog = createAuditLog(deps)
  const ownAudit = createOwnAudit(deps)
  const accessRecords = createAccessRecords(deps)
  const auditTree = createAuditTree(readModels)
  const tree = auditTree
  const checkpoints = createCheckpoints({ tree, vault, commandHandler: deps.commandHandler })
  return {
    auditLines: createOwnAuditLines({ ownAudit, log, tree, checkpoints }),
    auditLog,
    ownAudit,
    auditTiles: createAuditTiles({ tree, readModels, log }),
    auditTree,
    checkpoints,
    accessRecords,
    recordAuditLook: createAuditLooks({ accessRecords, nameOf: deps.nameOf }),
    projections: recordRebuilds(deps),
    erasureReceipts: createErasureReceipts({ log, readModels, tree, checkpoints }),
    backups: createBackupService({ ...deps, auditTree, checkpoints, options: deps.backups }),
    witness: createWitnesses({ checkpoints, readModels }),
  }
}
