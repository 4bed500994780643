/**
 * Copies the journal of a file into the file in a thread of its own (journal-worker.ts), since that waits for the disk. By default SQLite
 * does it at the end of a commit, and nothing else happens on the thread of the commit meanwhile. The thread ends when it has had nothing to
 * do for some time. If it fails, or the journal grows faster than it is copied, SQLite copies it at a commit after all.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

export interface JournalCheckpoints {
  /** Call it after each commit: it costs about 1 us. */
  committed(this: void): void
  /** Waits until the thread has ended. */
  close(this: void): Promise<void>
}

export type ToJournalWorker = 'copy' | 'end'
export type FromJournalWorker = 'copied'

export interface JournalCheckpointsOptions {
  readonly db: DatabaseSync
  readonly file: string
  readonly after: (this: void, ms: number, callback: () => void) => () => void
}

interface State extends JournalCheckpointsOptions {
  /** Says how many pages the journal holds, and how many of them have been copied. */
  readonly counting: StatementSync
  worker: Worker | undefined
  /** Asked, and not answered yet. */
  isCopying: boolean
  hasFailed: boolean
  /** Stops the timer that ends the thread. */
  disarm: (() => void) | undefined
}

/** 16 MB. */
const PAGES = 4_000
/** The pages after which SQLite copies them at a commit: 64 MB. While commits follow each other closely, the journal cannot begin again. */
const PAGES_MAX = 16_000
const IDLE_MS = 10_000

export function createJournalCheckpoints(options: JournalCheckpointsOptions): JournalCheckpoints {
  const { db } = options
  if (!canCount(process.versions['sqlite'])) return { committed: () => {}, close: async () => {} }
  db.exec(`pragma wal_autocheckpoint = ${PAGES_MAX}`)
  const counting = db.prepare('pragma wal_checkpoint(noop)')
  const state: State = { ...options, counting, worker: undefined, isCopying: false, hasFailed: false, disarm: undefined }
  return {
    committed: () => copyIfLong(state),
    close: () => end(state),
  }
}

/** Since SQLite 3.51. An older one would copy the pages. */
function canCount(version = '0.0'): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 3 || (major === 3 && minor >= 51)
}

function copyIfLong(state: State): void {
  if (state.isCopying || state.hasFailed || pagesToCopy(state) < PAGES) return
  state.worker ??= begin(state)
  state.isCopying = true
  state.disarm?.()
  const order: ToJournalWorker = 'copy'
  state.worker.postMessage(order, [])
}

function pagesToCopy({ counting }: State): number {
  try {
    const { log, checkpointed } = counting.get() ?? {}
    return Number(log) - Number(checkpointed)
  } catch {
    // The commit itself is done. If the file is in trouble, the next one reports it.
    return 0
  }
}

function begin(state: State): Worker {
  const worker = new Worker(new URL('journal-worker.ts', import.meta.url), { workerData: state.file, execArgv: [] })
  worker.unref()
  worker.on('message', () => {
    state.isCopying = false
    state.disarm = state.after(IDLE_MS, () => void end(state))
  })
  worker.on('error', () => (state.hasFailed = true))
  return worker
}

async function end(state: State): Promise<void> {
  const { worker, disarm } = state
  disarm?.()
  if (!worker) return
  state.worker = undefined
  state.isCopying = false
  worker.ref()
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  const order: ToJournalWorker = 'end'
  worker.postMessage(order, [])
  if (!state.hasFailed) await exited
}
