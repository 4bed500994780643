/** Backups by themselves, if a setting names their folder. */
import { backupWarning, runBackupSchedule, watchBackups } from '../app/backup/backup-schedule.ts'
import type { Config } from '../config/config.ts'
import type { Troubles } from '../app/tasks/trouble.ts'
import { runInBackground, type Background } from './background-tasks.ts'
import type { Ports } from './ports.ts'
import type { Services } from './services.ts'
import type { Report } from '../ports/report.ts'

const LEASE_RETRY_MS = 5_000
const HOUR_MS = 3_600_000

export interface BackupTasksOptions {
  readonly ports: Pick<Ports, 'clock' | 'leases'>
  readonly services: Pick<Services, 'backups'>
  readonly config: Pick<Config, 'backupDir' | 'backupKeep' | 'backupHours'>
  readonly onError: Report
  readonly troubles: Troubles
}

export interface BackupTasks {
  start(this: void): void
  /** What is missing, in a sentence; undefined if nothing is. */
  warning(this: void): string | undefined
  stop(this: void): Promise<void>
}

export function createBackupTasks({ ports, services, config, onError, troubles }: BackupTasksOptions): BackupTasks {
  const { clock, leases } = ports
  const { backups } = services
  const { backupDir: path } = config
  const everyMs = config.backupHours * HOUR_MS
  let background: Background | undefined
  return {
    start() {
      if (path === undefined) return
      const options = { clock, backups, path, keep: config.backupKeep, everyMs, onError }
      background = runInBackground(
        {
          schedule: { lease: 'backup-keeping', run: (held) => runBackupSchedule(options, held) },
          watch: { lease: null, run: (until) => watchBackups(options, until) },
        },
        { clock, leases, retryMs: LEASE_RETRY_MS, troubles },
      )
    },
    warning: () => (path === undefined ? undefined : backupWarning({ clock, backups, everyMs })),
    stop: async () => background?.stop(),
  }
}
