/** What a run table holds: the runs of one rendition, what they made lately, and what went wrong. */
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
import type { Run } from '../agents/run.ts'
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
  /** What was made so far. */
  readonly renditionCache: RenditionCache
  readonly rendition: Rendition
  /** As `JobSpec` has them. */
  readonly renditionId: string
  readonly epoch: number
  readonly source: Omit<JobSource, 'token'>
  /** Token with which the agent of a job fetches the film. */
  readonly signSource: (fileId: string, jobId: string) => string
  readonly zeroMs: number
  /** Where a run that begins with a segment starts to read. */
  readonly seekFor: (segment: number) => number | null
  /** What its jobs need besides the film. */
  readonly attachment?: (() => Promise<JobAttachment | Unavailable>) | undefined
  /** Most bytes to have ready ahead of the viewers, at the moment. */
  readonly aheadBytes: () => number
  /** Called when all agents are busy: has slots given up elsewhere. False when none is known to be given up yet. */
  readonly reclaim: (request: SlotRequest) => boolean
  /** Told when a segment is given up after a second try. */
  readonly onError: (cause: Error) => void
  readonly journal?: RunJournal | undefined
  /** Told when an agent knows a newer owner than this one. */
  readonly superseded?: () => void
  readonly waiters: Waiters<Uint8Array | Unavailable>
  readonly viewers: Viewers
}

export interface ActiveRun {
  readonly startSegment: number
  readonly startedAt: number
  /** The segment that it makes next. */
  next: number
  /** Whether it is held until the viewers have come nearer. */
  paused: boolean
  handle: Run | undefined
  /** Once it has ended. */
  ending: Ending | undefined
  stopped: boolean
}

interface Failure {
  readonly unavailable: Unavailable
  readonly until: number
}

export interface TableState extends RunTableOptions {
  readonly runs: Set<ActiveRun>
  readonly failures: Map<number, Failure>
  /** Runs in a row that ended in failure at a segment. */
  readonly attempts: Map<number, number>
  /** Bytes of the segments made lately, for the look-ahead's limit. */
  readonly sizes: Map<number, number>
  init: Init | undefined
  /** Settles when the init segment that an earlier run made is known. */
  recalled: Promise<void>
  pace: Pace
  /** Starts in a row that failed before they made anything. */
  failed: number
  /** Agents in a row that were lost before they made anything. */
  lost: number
  starts: Starts
  /** What is to be started next, and since when it is that. */
  wanted: number | undefined
  wantedAt: number
  notBefore: number
  stallReason: string | undefined
  starting: boolean
  disarm: (() => void) | undefined
  /** A newer owner is at work. */
  isSuperseded: boolean
  closed: boolean
}

/** Why a segment could not be made a moment ago. */
export function failureOf({ failures, clock }: TableState, segment: number): Unavailable | undefined {
  const failure = failures.get(segment)
  return failure && failure.until > clock.monotonic() ? failure.unavailable : undefined
}
