/**
 * State of a rendition's actor: its viewers, the requests that wait here, its runs, their recent output, and failures. The functions of this
 * folder read and change it.
 */
import type { Rendition } from '../../../domain/streaming/rendition.ts'
import type { SlotRequest } from '../../../domain/streaming/fair-share.ts'
import { FIRST_PACE, type Pace, type Starts } from '../../../domain/streaming/wait-or-restart.ts'
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
import { busy, type Unavailable } from '../segments/unavailable.ts'
import type { Viewers } from './viewers.ts'
import { createWaiters, type Waiters } from './waiters.ts'
import type { Report } from '../../../ports/report.ts'

export const SUPERSEDED = busy('Another server has taken this film over', 1)

/** What the actors of a node have in common. */
export interface ActorParts {
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly node: string
  readonly directory: AgentDirectory
  /** Token with which the agent of a job fetches the film. */
  readonly signSource: (fileId: string, jobId: string) => string
  /** Most bytes to make ahead of the viewers, at the moment. */
  readonly aheadBytes: () => number
  /** Called when all agents are busy: frees slots elsewhere. False if no slot is known to be freed yet. */
  readonly reclaim: (request: SlotRequest) => boolean
  /** Reports a segment that is given up after a retry. */
  readonly onError: Report<Error>
  readonly journal?: RunJournal | undefined
  /** A player gives up after 9 s without a byte: before that it is asked to retry. */
  readonly answerWithinMs: number
}

/** What the jobs of a rendition make, and of which film. */
export interface RenditionWork {
  readonly rendition: Rendition
  /** As in `JobSpec`. */
  readonly renditionId: string
  /** The film, for the next run: a scan may find it renamed. */
  readonly source: () => Omit<JobSource, 'token'>
  readonly zeroMs: number
  /** Where a run that starts with a segment begins to read. */
  readonly seekFor: (segment: number) => number | null
  /** Data that its jobs need in addition to the film. */
  readonly attachment?: () => Promise<JobAttachment | Unavailable | undefined>
}

/** What an actor is given by the node that owns it. Viewers and cache outlive it: they belong to the node. */
export interface OwnedActorOptions {
  readonly epoch: number
  /** Called when an agent reports a newer owner. */
  readonly superseded?: () => void
  readonly viewers: Viewers
  /** Segments made so far. */
  readonly renditionCache: RenditionCache
}

export type ActorOptions = ActorParts & RenditionWork & OwnedActorOptions

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

export interface ActorState extends ActorOptions {
  readonly waiters: Waiters<Uint8Array | Unavailable>
  readonly runs: Set<Run>
  readonly failures: Map<number, Failure>
  /** Consecutive failed runs at a segment. */
  readonly attempts: Map<number, number>
  /** Why the last segment that was given up failed. */
  reportedFailure: string | undefined
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
  usedAt: number
  /** Why the actor was closed. */
  closed: Unavailable | undefined
}

export function createActorState(options: ActorOptions): ActorState {
  return {
    ...options,
    waiters: createWaiters(options.clock),
    runs: new Set(),
    failures: new Map(),
    attempts: new Map(),
    reportedFailure: undefined,
    sizes: new Map(),
    init: undefined,
    pace: FIRST_PACE,
    recalled: Promise.resolve(),
    failed: 0,
    lost: 0,
    starts: { last: -Infinity, before: -Infinity },
    wanted: undefined,
    wantedAt: 0,
    notBefore: -Infinity,
    stallReason: undefined,
    starting: false,
    disarm: undefined,
    isSuperseded: false,
    usedAt: options.clock.monotonic(),
    closed: undefined,
  }
}

/** Why no segment is made here, or why this one could not be made recently. */
export function failureOf({ failures, clock, isSuperseded }: ActorState, segment: number): Unavailable | undefined {
  if (isSuperseded) return SUPERSEDED
  const failure = failures.get(segment)
  return failure && failure.until > clock.monotonic() ? failure.unavailable : undefined
}
