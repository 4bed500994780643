/** State of a run table: the runs of one rendition, their recent output, and failures. */
import type { Rendition } from '../../../domain/streaming/rendition.ts'
import type { SlotRequest } from '../../../domain/streaming/fair-share.ts'
import type { Pace, Starts } from '../../../domain/streaming/wait-or-restart.ts'
import type { Bus } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Ids } from '../../../ports/ids.ts'
import type { RenditionCache } from '../../../ports/segment-store.ts'
import type { AgentDirectory } from '../agents/agent-directory.ts'
import type { Init } from '../segments/init-record.ts'
import type { JobAttachment } from '../agents/job-attachment.ts'
import type { JobSource } from '../agents/agent-protocol.ts'
import type { AgentJob } from '../agents/agent-job.ts'
import type { Ending, RunJournal } from '../agents/run-journal.ts'
import type { Unavailable } from '../segments/unavailable.ts'
import type { Viewers } from './viewers.ts'
import type { Waiters } from './waiters.ts'

export interface RunTableOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly node: string
  readonly directory: AgentDirectory
  /** Segments made so far. */
  readonly renditionCache: RenditionCache
  readonly rendition: Rendition
  /** As in `JobSpec`. */
  readonly renditionId: string
  readonly epoch: number
  readonly source: Omit<JobSource, 'token'>
  /** Token with which the agent of a job fetches the film. */
  readonly signSource: (fileId: string, jobId: string) => string
  readonly zeroMs: number
  /** Where a run that starts with a segment begins to read. */
  readonly seekFor: (segment: number) => number | null
  /** Data that its jobs need besides the film. */
  readonly attachment?: (() => Promise<JobAttachment | Unavailable>) | undefined
  /** Most bytes to make ahead of the viewers, at the moment. */
  readonly aheadBytes: () => number
  /** Called when all agents are busy: frees slots elsewhere. False if no slot is known to be freed yet. */
  readonly reclaim: (request: SlotRequest) => boolean
  /** Reports a segment that is given up after a retry. */
  readonly onError: (cause: Error) => void
  readonly journal?: RunJournal | undefined
  /** Called when an agent reports a newer owner. */
  readonly superseded?: () => void
  readonly waiters: Waiters<Uint8Array | Unavailable>
  readonly viewers: Viewers
}

export interface Run {
  readonly startSegment: number
  readonly startedAt: number
  /** The segment that it makes next. */
  next: number
  /** Whether it is paused until the viewers come closer. */
  paused: boolean
  job: AgentJob | undefined
  /** Set when it has ended. */
  ending: Ending | undefined
  stopped: boolean
}

interface Failure {
  readonly unavailable: Unavailable
  readonly until: number
}

export interface TableState extends RunTableOptions {
  readonly runs: Set<Run>
  readonly failures: Map<number, Failure>
  /** Consecutive failed runs at a segment. */
  readonly attempts: Map<number, number>
  /** Bytes of recent segments, for the limit of bytes ahead. */
  readonly sizes: Map<number, number>
  init: Init | undefined
  /** Settles when the init segment of an earlier run is known. */
  recalled: Promise<void>
  pace: Pace
  /** Consecutive starts that failed before they made anything. */
  failed: number
  /** Consecutive agents that were lost before they made anything. */
  lost: number
  starts: Starts
  /** The segment to start next, and since when it is that one. */
  wanted: number | undefined
  wantedAt: number
  notBefore: number
  stallReason: string | undefined
  starting: boolean
  disarm: (() => void) | undefined
  /** A newer owner is active. */
  isSuperseded: boolean
  closed: boolean
}

/** Why a segment could not be made recently. */
export function failureOf({ failures, clock }: TableState, segment: number): Unavailable | undefined {
  const failure = failures.get(segment)
  return failure && failure.until > clock.monotonic() ? failure.unavailable : undefined
}
