/** Types of the marks that a user sets on movies. */
import type { ResumePointDocument } from '../../../projections/views/resume-points.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { MovieId } from '../../vocabulary/id.ts'
import type { Access } from '../access/access.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'

export interface WatchedMark {
  readonly watched: boolean
  readonly watchedAt: string | null
  readonly playCount: number
}

export interface ResumeMark {
  readonly positionMs: number
  readonly updatedAt: string
}

export interface MovieMarks {
  /** `watchedAt` RFC 3339, default now; `invalid` (`watchedAt`) if it is in the future. A repetition keeps the first time. */
  markWatched(caller: Caller, id: string, watchedAt: string | undefined, origin: RequestOrigin): Promise<WatchedMark | Refusal>
  markUnwatched(caller: Caller, id: string, origin: RequestOrigin): Promise<WatchedMark | Refusal>
  /** A position up to a second beyond the end is clamped; further is `invalid` (`position`). */
  setResumePoint(caller: Caller, id: string, positionMs: number, origin: RequestOrigin): Promise<ResumeMark | Refusal>
  clearResumePoint(caller: Caller, id: string, origin: RequestOrigin): Promise<void | Refusal>
  /**
   * Marks each of these movies. Nothing is changed if one of them is unknown to the caller, or a value is `invalid`
   * (`items.<index>.<member>`).
   */
  markMany(caller: Caller, wanted: readonly WantedMark[], origin: RequestOrigin): Promise<readonly ChangedMark[] | Refusal>
  /** The caller's positions: at the end of each session, and those set by hand; newest first. */
  resumeHistory(caller: Caller, id: string, page: PageRequest): Promise<ListPage<ResumePointDocument> | Refusal>
  /** Time since it is on the list; null if it is not. */
  setWatchlisted(caller: Caller, id: string, listed: boolean, origin: RequestOrigin): Promise<{ readonly addedAt: string | null } | Refusal>
}

export interface MovieMarksDependencies {
  readonly access: Access
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  readonly readModels: ReadModels
  readonly readYourWrites: ReadYourWrites
}

/** How a movie is marked: the wanted marks, and the former ones. */
export interface MarkState {
  readonly watched: boolean
  readonly watchedAt: string | null
  /** 0: no resume point. */
  readonly positionMs: number
}

export interface WantedMark {
  readonly movieId: string
  readonly watched: boolean
  /** Default: now, or as it was. */
  readonly watchedAt?: string | undefined
  /** 0 clears the resume point. Default: what the mark makes of it. */
  readonly positionMs?: number | undefined
}

export interface ChangedMark {
  readonly movieId: MovieId
  readonly before: MarkState
  readonly after: MarkState
}
