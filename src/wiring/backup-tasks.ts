/** Backups by themselves, if a setting names their folder. */
import { backupWarning, runBackupSchedule, watchBackups } from '../app/backup/backup-schedule.ts'
import { supervise } from '../app/tasks/supervise.ts'
import { underLease } from '../app/tasks/under-lease.ts'
import type { Config } from '../config/config.ts'
import type { Ports } from './ports.ts'
import type { Services } from './services.ts'

const LEASE_RETRY_MS = 5_000
const HOUR_MS = 3_600_000

export interface BackupTasksOptions {
  readonly ports: Pick<Ports, 'clock' | 'leases'>
  readonly services: Pick<Services, 'backups'>
  readonly config: Pick<Config, 'backupDir' | 'backupKeep' | 'backupHours'>
  readonly onError: (cause: unknown) => void
}

export interface BackupTasks {
  start(this: void): void
  /** What is missing, in a sentence; undefined if nothing is. */
  warning(this: void): string | undefined
  stop(this: void): Promise<void>
}

export function createBackupTasks({ ports, services, config, onError }: BackupTasksOptions): BackupTasks {
  const { clock, leases } = ports
  const { backups } = services
  const { backupDir: path } = config
  const everyMs = config.backupHours * HOUR_MS
  const stopping = new AbortController()
  let running: readonly Promise<void>[] = []
  return {
    start() {
      if (path === undefined) return
      const options = { clock, backups, path, keep: config.backupKeep, everyMs, onError }
      const duty = { leases, clock, retryMs: LEASE_RETRY_MS }
      const supervised = { clock, signal: stopping.signal, onError }
      running = [
        supervise((until) => underLease(duty, 'backup-keeping', (held) => runBackupSchedule(options, held), until), supervised),
        supervise((until) => watchBackups(options, until), supervised),
      ]
    },
    warning: () => (path === undefined ? undefined : backupWarning({ clock, backups, everyMs })),
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
