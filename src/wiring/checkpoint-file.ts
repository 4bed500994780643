/** Appends a signed checkpoint of the log to a file every hour and at each stop; the file should be on another disk or host. */
import { appendFile } from 'node:fs/promises'
import { createLogSeals } from '../app/audit/log-seals.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import type { Clock } from '../ports/clock.ts'
import type { Services } from './services.ts'
import type { Report } from '../ports/report.ts'

const EVERY_MS = 3_600_000
const STOP_MS = 3_000
const OWNER_ONLY = 0o600

export interface CheckpointFileOptions {
  readonly services: Pick<Services, 'auditTree' | 'checkpoints' | 'commandHandler'>
  readonly clock: Clock
  readonly file: string
  /** Settles when the audit contains everything so far. */
  readonly caughtUp: () => Promise<void>
  readonly onError: Report
}

/** Writes one at once; returns a function that stops it. */
export function keepCheckpoints({ services, clock, file, caughtUp, onError }: CheckpointFileOptions): () => Promise<void> {
  const { auditTree: tree, checkpoints, commandHandler } = services
  const keep = (note: string) => appendFile(file, `${note}\n`, { mode: OWNER_ONLY, flush: true })
  const seals = createLogSeals({ tree, checkpoints, commandHandler, keep })
  const seal = (work: () => Promise<void> = seals.seal) =>
    withTimeout(work(), { clock, ms: STOP_MS, message: 'The log could not be read' }).catch((cause: unknown) => {
      onError(new Error(`No checkpoint could be appended to ${file} (MARQUEE_CHECKPOINT_FILE)`, { cause }))
    })
  void seal()
  const stop = clock.every(EVERY_MS, () => void seal())
  return async () => {
    stop()
    // The last checkpoint must cover everything that this process has done.
    await seal(() => caughtUp().then(seals.seal, seals.seal))
  }
}
