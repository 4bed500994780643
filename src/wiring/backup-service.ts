/** Backups of this installation: what they are made of. */
import { createBackups, type Backups } from '../app/backup/backups.ts'
import type { AuditTree } from '../app/audit/audit-tree.ts'
import type { Checkpoints } from '../app/audit/checkpoints.ts'
import { waitForViews } from '../app/consistency/wait-for-views.ts'
import type { ReadYourWrites } from '../app/consistency/read-your-writes.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../process/data-folder.ts'
import { isInFolder } from '../process/in-folder.ts'
import { backupKeys, filesIn, openForReading, openForWriting } from './backup-stores.ts'
import type { Ports } from './ports.ts'
import { storedSecret } from './signing-secrets.ts'

export interface BackupOptions {
  readonly folder: Pick<DataFolder, 'path' | 'lasting' | 'secret'>
  readonly config: Pick<Config, 'secret' | 'backupDir' | 'backupPassphrase'>
}

export interface BackupServiceDependencies extends Pick<Ports, 'clock' | 'leases' | 'log' | 'wholeLog' | 'vault'> {
  readonly auditTree: AuditTree
  readonly checkpoints: Checkpoints
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
  readonly options: BackupOptions | undefined
}

export function createBackupService({ clock, leases, log, wholeLog, vault, options, ...deps }: BackupServiceDependencies): Backups {
  const { auditTree: tree, checkpoints, readYourWrites } = deps
  const backups = createBackups({
    clock,
    leases,
    log: wholeLog ?? log,
    vault,
    tree,
    checkpoints,
    caughtUp: async (signal) => waitForViews(readYourWrites, await log.head(), signal),
    openStore: openForWriting,
    readStore: openForReading,
    keys: backupKeys,
    lastingFiles: () => (options ? filesIn(options.folder.lasting) : nothing()),
    isInDataFolder: (path) => options !== undefined && isInFolder(path, options.folder.path),
    signingSecret: () => (options ? keptSecret(options) : null),
    scheduled: options?.config.backupDir,
  })
  const passphrase = options?.config.backupPassphrase
  return { ...backups, run: (ask, step, signal) => backups.run({ ...ask, passphrase: ask.passphrase ?? passphrase }, step, signal) }
}

/** One that the settings name is not the backup's to keep. */
const keptSecret = ({ config, folder }: BackupOptions): string | null =>
  config.secret === undefined ? (storedSecret(folder) ?? null) : null

async function* nothing(): AsyncGenerator<never> {}
