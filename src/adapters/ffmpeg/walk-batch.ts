/** Walks on with calls that block the thread, a batch of folders at a time. */
import type { ListedFolder } from '../../ports/media.ts'
import { plainWords, readFolderAtOnce, type Ahead, type Problem, type ReadFolder } from './walk-folder.ts'

/** A walk in progress. */
export interface Walk {
  /** Folders to read, the next one last. */
  readonly ahead: Ahead[]
  /** Folders that were read, with links resolved. */
  readonly visited: Set<string>
}

export interface WalkBatch {
  readonly folders: readonly ListedFolder[]
  readonly problems: readonly Problem[]
  /** `slow`: the disk takes so long that the rest of the walk should read several folders at once. */
  readonly state: 'more' | 'end' | 'slow'
}

/** Folders of a batch: passing on each one alone would cost more than reading it. */
const FOLDERS = 256
/** A disk that answers from memory takes some microseconds. */
const SLOW_CALL_MS = 0.2
/** After this time a slow disk is noticed. */
const BATCH_MS = 100

const MEANS = { read: readFolderAtOnce, now: () => performance.now() }

export function walkBatch({ ahead, visited }: Walk, { read, now }: typeof MEANS = MEANS): WalkBatch {
  const folders: ListedFolder[] = []
  const problems: Problem[] = []
  const startMs = now()
  let [calls, tookMs] = [0, 0]
  while (ahead.length > 0 && folders.length < FOLDERS && tookMs < BATCH_MS) {
    const next = ahead.pop()
    if (!next || visited.has(next.real)) continue
    visited.add(next.real)
    const found = readOrSay(read, next, problems)
    problems.push(...found.problems)
    ahead.push(...found.folders.toReversed())
    if (found.files.length > 0) folders.push({ path: next.path, files: found.files, device: found.device })
    calls += 1 + found.files.length
    tookMs = now() - startMs
  }
  return { folders, problems, state: ahead.length === 0 ? 'end' : tookMs > calls * SLOW_CALL_MS ? 'slow' : 'more' }
}

const NOTHING: ReadFolder = { files: [], folders: [], problems: [] }

function readOrSay(read: (folder: Ahead) => ReadFolder, folder: Ahead, problems: Problem[]): ReadFolder {
  try {
    return read(folder)
  } catch (error) {
    problems.push({ path: folder.path, message: plainWords(error) })
    return NOTHING
  }
}
