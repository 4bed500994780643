/**
 * Records which agent made which segments, and how each run ended. Writes asynchronously: a film never waits for its journal. During an
 * outage of the log, entries beyond a bound are dropped.
 */
import { transcodeStream } from '../../events/streams.ts'
import { parseId, type JobId } from '../../vocabulary/id.ts'
import type { Decision } from '../../domain/decider.ts'
import { assignTranscode, endTranscode, transcode, type TranscodeEnd, type TranscodeState } from '../../domain/streaming/transcode.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import type { RunEnding, RunJournal } from './agents/run-journal.ts'
import type { Report } from '../../ports/report.ts'

export interface TranscodeJournal extends RunJournal {
  /** Settles when everything is written, or after two seconds. */
  settled(): Promise<void>
}

const AUTHOR = { actor: 'system', command: 'transcode' } as const
/** Jobs with pending entries. */
const WRITING_MAX = 1_000
const SETTLE_MS = 2_000

export function createTranscodeJournal({
  clock,
  commandHandler,
  onError,
}: {
  readonly clock: Clock
  readonly commandHandler: Pick<CommandHandler, 'execute'>
  readonly onError: Report
}): TranscodeJournal {
  /** Writes of one job run one after another. */
  const writing = new Map<JobId, Promise<void>>()
  let isAway = false

  /** Reported once, until the log is back. */
  function report(cause: unknown): void {
    if (!isAway) onError(cause, 'warn')
    isAway = true
  }

  function write(jobId: JobId, decide: (state: TranscodeState) => Decision): void {
    const before = writing.get(jobId)
    if (!before && writing.size >= WRITING_MAX) return
    const target = { stream: transcodeStream(jobId), decider: transcode }
    const written = (before ?? Promise.resolve())
      .then(() => commandHandler.execute(target, decide, AUTHOR))
      .then(() => void (isAway = false), report)
      .finally(() => {
        if (writing.get(jobId) === written) writing.delete(jobId)
      })
    writing.set(jobId, written)
  }

  return {
    assigned({ agentId, epoch, quality, method, positionMs, ...ids }) {
      const jobId = parseId<'job'>(ids.jobId)
      const fileId = parseId<'file'>(ids.fileId)
      if (!jobId || !fileId) return
      const requested = { type: 'TranscodeRequested', data: { jobId, fileId, quality, method, positionMs } } as const
      write(jobId, assignTranscode(requested, { type: 'TranscodeAssigned', data: { jobId, agentId, epoch } }))
    },
    ended(id, ending) {
      const jobId = parseId<'job'>(id)
      if (jobId) write(jobId, endTranscode(eventOf(jobId, ending)))
    },
    async settled() {
      const all = Promise.all(writing.values())
      await withTimeout(all, { clock, ms: SETTLE_MS, message: 'The event log is unavailable' }).catch(() => undefined)
    },
  }
}

function eventOf(jobId: JobId, { end, reason, positionMs }: RunEnding): TranscodeEnd {
  if (end === 'failed') return { type: 'TranscodeFailed', data: { jobId, positionMs, reason } }
  if (end === 'lost') return { type: 'TranscodeReassigned', data: { jobId, positionMs, reason } }
  return { type: 'TranscodeStopped', data: { jobId, positionMs, reason: end } }
}
