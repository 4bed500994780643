/**
 * Walks the folders of a library. It begins with a bounded number of calls that wait for the disk. If the disk answers as fast as from
 * memory, passing each call to another thread and back is what a long walk takes most time for: it then goes on in a thread of its own,
 * whose calls block.
 */
import { Worker } from 'node:worker_threads'
import type { ListedFolder, Media } from '../../ports/media.ts'
import { abortable } from '../../concurrency/timeout.ts'
import { holdThread, realpathMedia } from '../../drives/media-files.ts'
import { NoAnswer } from '../../drives/places.ts'
import type { Walk } from './walk-batch.ts'
import { plainWords, readFolder, type Ahead, type ReadFolder } from './walk-folder.ts'
import { batchIn, writtenWalk, type BatchMessage } from './walk-messages.ts'

type WalkOptions = Parameters<Media['list']>[1]

const PARALLEL_FOLDERS = 16
/** Folders after which starting a thread pays. */
const LONG_WALK = 256
/** Average wait for a folder of a disk that answers from memory, on a busy machine. */
const QUICK_FOLDER_MS = 0.4

/** For a drive that no longer answers: the thread otherwise notices a slow one much earlier. */
const BATCH_TIMEOUT_MS = 120_000

export interface WalkMeans {
  readonly startThread: (walk: string) => WalkThread
  /** A thread walks on if the average wait for a folder is shorter. */
  readonly quickFolderMs: number
}

export interface WalkThread {
  next(): Promise<BatchMessage>
  end(): void
}

export async function* listFolders(root: string, options: WalkOptions, means: Partial<WalkMeans> = {}): AsyncIterable<ListedFolder> {
  const { signal } = options
  const { startThread, quickFolderMs } = { startThread: start, quickFolderMs: QUICK_FOLDER_MS, ...means }
  signal.throwIfAborted()
  const first = { path: root, real: await abortable(realpathMedia(root), signal) }
  const walk: Walk = { ahead: [first], visited: new Set() }
  const folderMs = yield* walkWaiting(walk, { ...options, first, most: LONG_WALK })
  if (folderMs < quickFolderMs && walk.ahead.length > 0) yield* walkInThread(walk, options, startThread(writtenWalk(walk)))
  yield* walkWaiting(walk, { ...options, first, most: Infinity })
}

interface WaitingWalk extends WalkOptions {
  readonly first: Ahead
  /** Folders to read. */
  readonly most: number
}

/** Returns the average wait for a folder. Folders are yielded one by one, in order, but read several at once. */
async function* walkWaiting(walk: Walk, { signal, onError, first, most }: WaitingWalk): AsyncGenerator<ListedFolder, number> {
  const { ahead, visited } = walk
  const begun = new Map<Ahead, ReturnType<typeof readOrSay>>()
  const begin = (folder: Ahead): ReturnType<typeof readOrSay> => {
    const reading = begun.get(folder) ?? readOrSay(folder)
    begun.set(folder, reading)
    return reading
  }
  let waitedMs = 0
  let read = 0
  for (let next = ahead.pop(); next; next = read < most ? ahead.pop() : undefined) {
    const reading = begin(next)
    begun.delete(next)
    const startMs = performance.now()
    const found = await abortable(reading, signal)
    waitedMs += performance.now() - startMs
    read++
    if (visited.has(next.real)) continue
    visited.add(next.real)
    if ('failed' in found) {
      // Each of the other folders would take as long.
      if (next === first || found.failed instanceof NoAnswer) throw found.failed
      onError(next.path, plainWords(found.failed))
      continue
    }
    for (const { path, message } of found.problems) onError(path, message)
    ahead.push(...found.folders.toReversed())
    for (const soon of ahead.slice(-PARALLEL_FOLDERS)) void begin(soon)
    if (found.files.length > 0) yield { path: next.path, files: found.files, device: found.device }
  }
  return waitedMs / read
}

const readOrSay = (folder: Ahead): Promise<ReadFolder | { readonly failed: unknown }> =>
  readFolder(folder).catch((failed: unknown) => ({ failed }))

/** Leaves in the walk what the thread has not read, if it found the disk slow. */
async function* walkInThread(walk: Walk, { signal, onError }: WalkOptions, thread: WalkThread): AsyncGenerator<ListedFolder, void> {
  walk.ahead.length = 0
  try {
    // The thread reads the next batch while this one is used.
    for (let coming: Promise<BatchMessage> | undefined = thread.next(); coming;) {
      const { folders, problems, state, rest }: BatchMessage = await abortable(
        coming,
        AbortSignal.any([signal, AbortSignal.timeout(BATCH_TIMEOUT_MS)]),
      )
      coming = state === 'more' ? thread.next() : undefined
      for (const { path, message } of problems) onError(path, message)
      yield* folders
      for (const folder of rest?.ahead ?? []) walk.ahead.push(folder)
      for (const real of rest?.visited ?? []) walk.visited.add(real)
    }
  } finally {
    thread.end()
  }
}

function start(walk: string): WalkThread {
  const worker = new Worker(new URL('walk-worker.ts', import.meta.url), { workerData: walk, execArgv: [] })
  worker.once('exit', holdThread())
  return {
    next() {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const exited = (): void => reject(new Error('The thread of a walk has ended'))
      worker.once('message', resolve).once('error', reject).once('exit', exited)
      worker.postMessage('next', [])
      const answer = promise.then(batchIn).finally(() => worker.off('message', resolve).off('error', reject).off('exit', exited))
      // Nobody awaits the next batch of a walk that was given up.
      answer.catch(() => {})
      return answer
    },
    /** While it waits for the disk it ends only when that answers. */
    end: (): void => void worker.terminate(),
  }
}
