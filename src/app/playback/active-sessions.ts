/** Shows active sessions, each with its viewer and its movie. */
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { placeResume } from '../../../projections/views/resume-place.ts'
import type { Access } from '../access/access.ts'
import type { Account, Caller } from '../access/caller.ts'
import type { Sealer } from '../commands/sealer.ts'
import { existingMovies } from '../movies/movie-list.ts'
import { pageOf, totalOf, type ListPage, type PageRequest } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { deviceOf } from './client-name.ts'
import type { ActiveSession, PlayableSession } from './playback-types.ts'

export interface ActiveSessions {
  /** Undefined if its movie or its user no longer exists. */
  show(this: void, session: SessionDocument): Promise<ActiveSession | undefined>
  /** The sessions of the caller, or of everyone, in libraries that the caller may see; newest first. */
  list(this: void, caller: Caller, request: PageRequest, everyone: boolean): Promise<ListPage<ActiveSession>>
}

interface ActiveSessionsDependencies {
  readonly access: Access
  readonly accountOf: (userId: string) => Promise<Account | undefined>
  readonly playable: (session: SessionDocument) => Promise<PlayableSession>
  readonly readModels: ReadModels
  readonly sealer: Sealer
}

export function createActiveSessions(deps: ActiveSessionsDependencies): ActiveSessions {
  const { access, readModels } = deps

  async function show(session: SessionDocument): Promise<ActiveSession | undefined> {
    const [movie, user] = await Promise.all([readModels.movies.get(session.movieId), deps.accountOf(session.userId)])
    if (!movie || !user) return undefined
    const own = (await readModels.ownOf(session.userId, [movie.id])).get(movie.id)
    const device = await deviceOf(deps.sealer, session.client)
    const viewer = { user: { id: user.id, name: user.name }, device }
    return { ...(await deps.playable(session)), ...viewer, movie: { movie, own: own ? placeResume(movie.files, own) : null } }
  }

  /** Number of the sessions that are shown: those whose movie and user exist. */
  async function count(sessions: readonly SessionDocument[]): Promise<number> {
    const userIds = [...new Set(sessions.map(({ userId }) => userId))]
    const accounts = await Promise.all(userIds.map((userId) => deps.accountOf(userId)))
    const users = new Set(accounts.map((account) => account?.id))
    const movies = await existingMovies(readModels, [...new Set(sessions.map(({ movieId }) => movieId))])
    return sessions.filter(({ userId, movieId }) => users.has(userId) && movies.has(movieId)).length
  }

  return {
    show,

    async list(caller, request, everyone) {
      const seen = [...access.sessions.values()].filter(
        ({ id, userId, libraryId }) => access.session(id) && (everyone || userId === caller.userId) && access.library(caller, libraryId),
      )
      const page = pageOf(seen, request, ({ createdAt }) => createdAt, true)
      const items = await Promise.all(page.items.map(show))
      const total = await totalOf(request, () => count(seen))
      return { items: items.filter((item) => item !== undefined), next: page.next, ...total }
    },
  }
}
