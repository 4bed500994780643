/**
 * The single writer: runs appends, deletions and the server's own writes in the order of arrival. All those of one event loop turn go to
 * disk in one write (group commit); replies, and visibility to readers, follow after it.
 */
import { randomUUID } from 'node:crypto'
import { checkCommit, type Attempt, type Check, type Expected } from './commit-check.ts'
import { FRAME_HEADER_BYTES, frameOf, type LogFile } from './log-file.ts'
import { DELETED_REVISION, recordEvent, type NewEvent, type Recorded } from './recorded.ts'
import type { Store } from './store.ts'
import { isSoftDeleted, metadataText, metastreamOf } from './stream-metadata.ts'

export type Written =
  | { readonly type: 'stored'; readonly revision: number; readonly position?: number }
  | Exclude<Check, { type: 'store' } | { type: 'repeat' }>

export interface Writer {
  /** Position of the next append. */
  readonly endPosition: () => number
  readonly append: (stream: string, expected: Expected, events: readonly NewEvent[]) => Promise<Written>
  /** Soft deletion: hides the events; the stream may start again with higher revisions. */
  readonly hide: (stream: string, expected: Expected) => Promise<Written>
  /** Permanent deletion. */
  readonly tombstone: (stream: string, expected: Expected) => Promise<Written>
  /** Keeps only these events in the log; positions stay. */
  readonly keep: (choose: (events: readonly Recorded[]) => readonly Recorded[]) => Promise<void>
}

type Job = () => () => void

const EMPTY = new Uint8Array()

export function createWriter({ store, file, ...log }: { store: Store; file: LogFile; endPosition: number }): Writer {
  let { endPosition } = log
  let jobs: Job[] = []
  let frames: Buffer[] = []

  /** Adds the events to the log; they count from now on, and are on disk before anyone sees them. */
  function write(stream: string, events: readonly NewEvent[], firstRevision: number): { revision: number; position: number } {
    const framePosition = endPosition
    endPosition += FRAME_HEADER_BYTES
    const createdMs = Date.now()
    const records = events.map((event, index) => {
      const recorded = recordEvent(event, { position: endPosition, stream, revision: firstRevision + index, createdMs })
      endPosition = recorded.endPosition
      return recorded
    })
    frames.push(frameOf(framePosition, records))
    store.add(records)
    // Without events there is only the frame, and its position follows the last one, like on the real server.
    const last = records.at(-1)
    return last ? { revision: last.revision, position: last.position } : { revision: firstRevision, position: framePosition }
  }

  function writeMetadata(stream: string, truncateBefore?: number): { revision: number; position: number } {
    const described = store.stream(stream)
    const metastream = metastreamOf(stream)
    return write(metastream, [metadataEvent(metadataText(described.metadata, truncateBefore))], store.stream(metastream).lastRevision + 1)
  }

  function append(attempt: Attempt, events: readonly NewEvent[]): Written {
    const check = checkCommit(store, attempt)
    if (check.type === 'repeat') return { ...check, type: 'stored' }
    if (check.type !== 'store') return check
    const before = store.stream(attempt.stream)
    const [wasHidden, firstRevision] = [isSoftDeleted(before.metadata) && events.length > 0, before.lastRevision + 1]
    const written = write(attempt.stream, events, firstRevision)
    if (wasHidden) writeMetadata(attempt.stream, firstRevision)
    return { type: 'stored', ...written }
  }

  /** A deletion is never a repeated append: it has no id. */
  function remove(attempt: Attempt, doIt: () => { position: number; revision: number }): Written {
    const check = checkCommit(store, { ...attempt, ids: [randomUUID()] })
    if (check.type === 'repeat') return { ...check, type: 'stored' }
    return check.type === 'store' ? { type: 'stored', ...doIt() } : check
  }

  function commit(): void {
    const [todo, toWrite] = [jobs, frames]
    jobs = []
    const answers = todo.map((job) => job())
    frames = []
    if (toWrite.length > 0) file.write(toWrite)
    for (const answer of answers) answer()
    store.committed()
  }

  /** Runs the job in the next commit; the promise settles when its bytes are on disk. */
  const submit = <Result>(job: () => Result): Promise<Result> =>
    new Promise((settle) => {
      if (jobs.length === 0) setImmediate(commit)
      jobs.push(() => {
        const result = job()
        return () => settle(result)
      })
    })

  return {
    endPosition: () => endPosition,
    append: (stream, expected, events) => submit(() => append({ stream, expected, ids: events.map(({ id }) => id) }, events)),
    hide: (stream, expected) => submit(() => remove({ stream, expected, ids: [] }, () => writeMetadata(stream))),
    tombstone: (stream, expected) =>
      submit(() => remove({ stream, expected, ids: [] }, () => write(stream, [tombstoneEvent()], DELETED_REVISION))),
    keep: (choose) =>
      submit(() => {
        const kept = choose(store.all())
        // An empty frame at the end reserves the next position.
        const last = frameOf(endPosition, [])
        endPosition += last.length
        file.replace([...kept.map((event) => frameOf(event.position - FRAME_HEADER_BYTES, [event])), last])
        // The new file already contains the earlier jobs of this commit.
        frames.length = 0
        store.replace(kept)
      }),
  }
}

const tombstoneEvent = (): NewEvent => ({
  id: randomUUID(),
  type: '$streamDeleted',
  contentType: 'application/octet-stream',
  data: EMPTY,
  metadata: EMPTY,
})

export const metadataEvent = (text: string): NewEvent => ({
  id: randomUUID(),
  type: '$metadata',
  contentType: 'application/json',
  data: Buffer.from(text),
  metadata: EMPTY,
})
