/** Backups by the clock: one whenever the last one in the folder is old enough, and an earlier try again after one that failed. */
import { isRefusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Backups } from './backups.ts'
import type { Report } from '../../ports/report.ts'

export interface BackupScheduleOptions {
  readonly clock: Clock
  readonly backups: Backups
  readonly path: string
  readonly keep: number
  readonly everyMs: number
  readonly onError: Report
}

const RETRY_MS = 600_000
/** Another node may have made one, and timers take no more than 24 days. */
const LOOK_MS = 300_000

/** Runs until the signal, on one node at a time. @throws the signal's reason */
export async function runBackupSchedule(options: BackupScheduleOptions, signal: AbortSignal): Promise<void> {
  const { clock, everyMs } = options
  const retried = { ...options, onError: onceEach(options.onError) }
  for (;;) {
    const { lastSuccessAt } = await seenBy(retried)
    const waitMs = lastSuccessAt === null ? 0 : lastSuccessAt + everyMs - clock.now()
    if (waitMs > 0) await clock.sleep(Math.min(waitMs, LOOK_MS), signal)
    else if (!(await tryOnce(retried, signal))) await clock.sleep(Math.min(RETRY_MS, everyMs), signal)
  }
}

/** Keeps the status of a node up to date that makes none itself. */
export async function watchBackups(options: BackupScheduleOptions, signal: AbortSignal): Promise<void> {
  const looking = { ...options, onError: onceEach(options.onError) }
  for (;;) {
    await seenBy(looking)
    await options.clock.sleep(LOOK_MS, signal)
  }
}

/** What is missing, in a sentence that everybody may read; undefined if nothing is. */
export function backupWarning({
  clock,
  backups,
  everyMs,
}: Pick<BackupScheduleOptions, 'clock' | 'backups' | 'everyMs'>): string | undefined {
  const { lastSuccessAt, lastFailure } = backups.status()
  if (lastFailure !== null) return 'The last backup failed'
  const isLate = lastSuccessAt !== null && clock.now() - lastSuccessAt > 2 * everyMs
  return isLate ? 'The last backup is older than it should be' : undefined
}

async function seenBy({ backups, path, onError }: BackupScheduleOptions) {
  await backups.look(path).catch((cause: unknown) => onError(problem(path, cause)))
  return backups.status()
}

async function tryOnce({ backups, path, keep, onError }: BackupScheduleOptions, signal: AbortSignal): Promise<boolean> {
  try {
    const made = await backups.run({ path, keep }, () => {}, signal)
    if (isRefusal(made)) {
      onError(problem(path, made.message))
      return false
    }
    if (made.replaced > 0)
      onError(new Error(`Damaged files in ${path} (MARQUEE_BACKUP_DIR) were written again: ${made.replaced}. Check the disk`), 'warn')
    if (made.isInDataFolder)
      onError(
        new Error(`${path} (MARQUEE_BACKUP_DIR) is in the data folder, so its backups are lost together with it: name another`),
        'warn',
      )
    if (made.pruneProblem !== null)
      onError(new Error(`Old backups in ${path} are not removed (MARQUEE_BACKUP_KEEP): ${made.pruneProblem}`), 'warn')
    else onError(new Error(`A backup is made in ${path} (MARQUEE_BACKUP_DIR): ${made.events} events`), 'info')
    return true
  } catch (cause) {
    signal.throwIfAborted()
    onError(problem(path, cause))
    return false
  }
}

/** Leaves out a line that says what the last one said: a backup that fails is tried again every few minutes. */
function onceEach(onError: Report): Report {
  let last: string | undefined
  return (cause, level) => {
    const line = String(cause)
    if (line !== last) onError(cause, level)
    last = line
  }
}

const problem = (path: string, cause: unknown): Error =>
  new Error(`No backup could be made in ${path} (MARQUEE_BACKUP_DIR): ${cause instanceof Error ? cause.message : String(cause)}`)
