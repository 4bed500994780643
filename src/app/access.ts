/**
 * Access: who is who and who may what, from live views in memory: each request, segments included, is judged in microseconds.
 */
import { createHash } from 'node:crypto'
import type { LoginId } from '../events/id.ts'
import { libraries, type LibraryDocument } from '../../projections/libraries.ts'
import { logins, type LoginDocument } from '../../projections/logins.ts'
import { playbackSessions, type SessionDocument } from '../../projections/playback-sessions.ts'
import { users, type UserDocument } from '../../projections/users.ts'
import { sees } from '../domain/visibility.ts'
import type { Clock } from '../ports/clock.ts'
import type { Caller } from './caller.ts'
import { createLiveView, type Feedable } from './live-views.ts'
import { idleAtMs } from './playback.ts'

export interface Access {
  readonly users: ReadonlyMap<string, UserDocument>
  readonly logins: ReadonlyMap<string, LoginDocument>
  readonly libraries: ReadonlyMap<string, LibraryDocument>
  /** Those that are not ended in the log; whether one is over is judged by `session`. */
  readonly sessions: ReadonlyMap<string, SessionDocument>
  /** The caller behind an access token; undefined for an unknown, expired or ended login or a disabled account. */
  callerByToken(token: string): Caller | undefined
  callerByLogin(loginId: LoginId): Caller | undefined
  /** A session that is neither ended nor idle. */
  session(id: string): SessionDocument | undefined
  /** The library, where the caller sees it. */
  library(caller: Caller, id: string): LibraryDocument | undefined
  /** What feeds it (live-views.ts). */
  readonly feeds: readonly Feedable[]
}

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

export function createAccess(clock: Clock): Access {
  const byTokenHash = new Map<string, LoginDocument>()
  const liveUsers = createLiveView(users)
  const liveLogins = createLiveView(logins, (before, after) => {
    if (before) byTokenHash.delete(before.tokenHash)
    if (after) byTokenHash.set(after.tokenHash, after)
  })
  const liveLibraries = createLiveView(libraries)
  const liveSessions = createLiveView(playbackSessions)

  function callerOf(login: LoginDocument | undefined): Caller | undefined {
    const user = login && Date.parse(login.expiresAt) > clock.now() ? liveUsers.documents.get(login.userId) : undefined
    if (!login || !user?.enabled) return undefined
    const { role, libraryAccess, libraryIds } = user
    return { userId: user.id, loginId: login.id, role, libraryAccess, libraryIds }
  }

  return {
    users: liveUsers.documents,
    logins: liveLogins.documents,
    libraries: liveLibraries.documents,
    sessions: liveSessions.documents,
    callerByToken: (token) => callerOf(byTokenHash.get(hashToken(token))),
    callerByLogin: (loginId) => callerOf(liveLogins.documents.get(loginId)),
    session(id) {
      const session = liveSessions.documents.get(id)
      return session && clock.now() < idleAtMs(session) ? session : undefined
    },
    library(caller, id) {
      const library = liveLibraries.documents.get(id)
      return library && sees(caller, library.id) ? library : undefined
    },
    feeds: [liveUsers, liveLogins, liveLibraries, liveSessions],
  }
}
