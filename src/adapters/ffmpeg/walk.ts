/**
 * Walks the folders of a library. It begins with a bounded number of calls that wait for the disk. If the disk answers as fast as from
 * memory, passing each call to another thread and back is what a long walk takes most time for: it then goes on in a thread of its own,
 * whose calls block. If a drive that is mounted below does not answer, its folders are problems, and the walk goes on with the others.
 */
import { Worker } from 'node:worker_threads'
import type { ListedFolder, Media } from '../../ports/media.ts'
import { abortable } from '../../concurrency/timeout.ts'
import { driveAt, holdThread, realpathMedia } from '../../drives/media-files.ts'
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

/** The thread notices a drive that is only slow much earlier. */
const BATCH_TIMEOUT_MS = 120_000

export interface WalkMeans {
  readonly startThread: (walk: string) => WalkThread
  /** A thread walks on if the average wait for a folder is shorter. */
  readonly quickFolderMs: number
  /** A thread that takes longer for a batch waits for a dead drive. */
  readonly batchTimeoutMs: number
  readonly read: (folder: Ahead) => Promise<ReadFolder>
}

export interface WalkThread {
  next(): Promise<BatchMessage>
  end(): void
}

export async function* listFolders(root: string, options: WalkOptions, means: Partial<WalkMeans> = {}): AsyncIterable<ListedFolder> {
  const { signal } = options
  const given: WalkMeans = {
    startThread: start,
    quickFolderMs: QUICK_FOLDER_MS,
    batchTimeoutMs: BATCH_TIMEOUT_MS,
    read: readFolder,
    ...means,
  }
  signal.throwIfAborted()
  const first = { path: root, real: await abortable(realpathMedia(root), signal) }
  const walk: Walk = { ahead: [first], visited: new Set() }
  const waiting = { ...options, read: given.read, first }
  const folderMs = yield* walkWaiting(walk, { ...waiting, most: LONG_WALK })
  const isQuick = folderMs < given.quickFolderMs && walk.ahead.length > 0
  const done = isQuick ? yield* walkInThread(walk, options, given) : undefined
  yield* walkWaiting(walk, { ...waiting, ...(done ? withoutThose(options, done) : {}), most: Infinity })
}

interface WaitingWalk extends WalkOptions {
  readonly read: WalkMeans['read']
  readonly first: Ahead
  /** Folders to read. */
  readonly most: number
  /** Whether this folder was given already. */
  readonly isDone?: (path: string) => boolean
}

/** Returns the average wait for a folder. Folders are yielded one by one, in order, but read several at once. */
async function* walkWaiting(
  walk: Walk,
  { signal, onError, read, first, most, isDone = () => false }: WaitingWalk,
): AsyncGenerator<ListedFolder, number> {
  const { ahead, visited } = walk
  const begun = new Map<Ahead, ReturnType<typeof readOrSay>>()
  const begin = (folder: Ahead): ReturnType<typeof readOrSay> => {
    const reading = begun.get(folder) ?? readOrSay(read, folder)
    begun.set(folder, reading)
    return reading
  }
  let waitedMs = 0
  let count = 0
  for (let next = ahead.pop(); next; next = count < most ? ahead.pop() : undefined) {
    const reading = begin(next)
    begun.delete(next)
    const startMs = performance.now()
    const found = await abortable(reading, signal)
    waitedMs += performance.now() - startMs
    count++
    if (visited.has(next.real)) continue
    visited.add(next.real)
    if ('failed' in found) {
      if (next === first || isOnDriveOf(first, found.failed)) throw found.failed
      onError(next.path, plainWords(found.failed))
      continue
    }
    for (const { path, message } of found.problems) onError(path, message)
    ahead.push(...found.folders.toReversed())
    for (const soon of ahead.slice(-PARALLEL_FOLDERS)) void begin(soon)
    if (found.files.length > 0 && !isDone(next.path)) yield { path: next.path, files: found.files, device: found.device }
  }
  return waitedMs / count
}

/** Whether the drive of the walk does not answer: each of the other folders would take as long. */
const isOnDriveOf = ({ real }: Ahead, cause: unknown): boolean => cause instanceof NoAnswer && cause.drive === driveAt(real)

const readOrSay = (read: WalkMeans['read'], folder: Ahead): Promise<ReadFolder | { readonly failed: unknown }> =>
  read(folder).catch((failed: unknown) => ({ failed }))

/** Paths of folders that were given, and of problems. */
interface Done {
  readonly folders: Set<string>
  readonly problems: Set<string>
}

const withoutThose = ({ onError }: WalkOptions, { folders, problems }: Done): Pick<WaitingWalk, 'isDone' | 'onError'> => ({
  isDone: (path) => folders.has(path),
  onError: (path, message) => {
    if (!problems.has(path)) onError(path, message)
  },
})

/**
 * Leaves in the walk what the thread has not read, if it found the disk slow. If the thread is stuck, it leaves everything, and returns what
 * was given.
 */
async function* walkInThread(
  walk: Walk,
  { signal, onError }: WalkOptions,
  means: WalkMeans,
): AsyncGenerator<ListedFolder, Done | undefined> {
  const thread = means.startThread(writtenWalk(walk))
  const before = [...walk.ahead]
  const done: Done = { folders: new Set(), problems: new Set() }
  walk.ahead.length = 0
  try {
    // The thread reads the next batch while this one is used.
    for (let coming: Promise<BatchMessage> | undefined = thread.next(); coming;) {
      const batch: BatchMessage | undefined = await unlessStuck(coming, signal, means.batchTimeoutMs)
      if (!batch) {
        walk.ahead.push(...before)
        return done
      }
      const { folders, problems, state, rest }: BatchMessage = batch
      coming = state === 'more' ? thread.next() : undefined
      for (const { path, message } of problems) {
        done.problems.add(path)
        onError(path, message)
      }
      for (const folder of folders) done.folders.add(folder.path)
      yield* folders
      for (const folder of rest?.ahead ?? []) walk.ahead.push(folder)
      for (const real of rest?.visited ?? []) walk.visited.add(real)
    }
    return undefined
  } finally {
    thread.end()
  }
}

/** Undefined after the timeout. */
async function unlessStuck<Value>(coming: Promise<Value>, signal: AbortSignal, timeoutMs: number): Promise<Value | undefined> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    return await abortable(coming, AbortSignal.any([signal, late]))
  } catch (cause) {
    if (signal.aborted || !late.aborted) throw cause
    return undefined
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
