/** Appends a signed checkpoint of the log to a file every hour and at each stop; the file should be on another disk or host. */
import { appendFile, open, stat } from 'node:fs/promises'
import { NOTE_MAX, tornLength } from '../app/audit/torn-note.ts'
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
  const keep = (note: string) => append(file, note)
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

/** A note that was cut off, now or before, is removed: the next one would run into it. */
async function append(file: string, note: string): Promise<void> {
  const [name = ''] = note.split('\n')
  await removeTorn(file, name)
  try {
    await appendFile(file, `${note}\n`, { mode: OWNER_ONLY, flush: true })
  } catch (cause) {
    await removeTorn(file, name)
    throw cause
  }
}

/** Only if the file allows it: it may be a pipe, or allow appending alone. Readers skip such a note. */
async function removeTorn(path: string, name: string): Promise<void> {
  try {
    if (!(await stat(path)).isFile()) return
    const file = await open(path, 'r+')
    try {
      const { size } = await file.stat()
      const start = Math.max(0, size - NOTE_MAX)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
      const torn = tornLength(buffer.toString('latin1', 0, bytesRead), name)
      if (torn > 0) await file.truncate(size - torn)
    } finally {
      await file.close()
    }
  } catch {
    // Whether anything can be appended shows next.
  }
}
