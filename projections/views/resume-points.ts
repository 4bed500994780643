/**
 * View `resume_points`: the history of a user's positions in a movie. It holds the last position of each session, and each point that was
 * set by hand or imported. The view `user_movies` holds the newest point.
 */
import { derivedId } from '../../src/events/derived-id.ts'
import type { FileId, MovieId, SessionId, UserId } from '../../src/vocabulary/id.ts'
import { userMovieId } from './user-movies.ts'
import { operations, type Operation, type View } from './view.ts'

export interface ResumePointDocument {
  readonly id: string
  /** User id and movie id. */
  readonly key: string
  readonly at: string
  readonly fileId: FileId
  readonly positionMs: number
  readonly durationMs: number
  /** Null: set by hand, or imported. */
  readonly sessionId: SessionId | null
}

interface Reported {
  readonly userId: UserId
  readonly movieId: MovieId
  readonly fileId: FileId
  readonly positionMs: number
  readonly durationMs: number
}

const { put, change } = operations<ResumePointDocument>()

export const resumePoints: View<ResumePointDocument> = {
  name: 'resume_points',
  version: 4,
  fields: { key: 'text', at: 'text' },
  indexes: [['key', 'at']],
  handles: {
    PlaybackHeartbeat: ({ data, at }) => reported(data, at, data.sessionId),
    PlaybackSeeked: ({ data, at }) => reported(data, at, data.sessionId),
    WatchImported: ({ data }) =>
      data.left ? point(derivedId('resume-point', data.viewingId), { ...data, ...data.left, at: data.watchedAt, sessionId: null }) : [],
    WatchImportUndone: ({ data }) => data.viewingIds.flatMap((id) => change(derivedId('resume-point', id), () => null)),
    ResumePointSet: ({ data, at, id }) => point(derivedId('resume-point', id), { ...data, at, sessionId: null }),
  },
}

const reported = (data: Reported, at: string, sessionId: SessionId) => point(sessionId, { ...data, at, sessionId })

function point(
  id: string,
  { userId, movieId, fileId, positionMs, durationMs, at, sessionId }: Reported & Pick<ResumePointDocument, 'at' | 'sessionId'>,
): readonly Operation<ResumePointDocument>[] {
  return put(id, { id, key: userMovieId(userId, movieId), at, fileId, positionMs, durationMs, sessionId })
}
