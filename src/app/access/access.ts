/**
 * Answers who the caller is and what the caller may do, from live views in memory. Every request, also for a segment, is checked in
 * microseconds.
 */
import { hash } from 'node:crypto'
import type { LoginId, SessionId } from '../../vocabulary/id.ts'
import { libraries, type LibraryDocument } from '../../../projections/views/libraries.ts'
import { logins, type LoginDocument } from '../../../projections/views/logins.ts'
import { playbackSessions, type SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { users, type UserDocument } from '../../../projections/views/users.ts'
import { sees } from '../../domain/access/visibility.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Caller } from './caller.ts'
import { createIdleClock, type IdleClock } from './idle-clock.ts'
import { createInMemoryView, type Feedable } from './in-memory-views.ts'

export interface Access {
  readonly users: ReadonlyMap<string, UserDocument>
  readonly logins: ReadonlyMap<string, LoginDocument>
  /** Without removed libraries: nobody may see those. */
  readonly libraries: ReadonlyMap<string, LibraryDocument>
  /** Removed libraries, for administrators who restore them. */
  removedLibraries(): readonly LibraryDocument[]
  /** Sessions that have not ended in the log; `session` also reports whether one is idle. */
  readonly sessions: ReadonlyMap<string, SessionDocument>
  /** The caller behind an access token; undefined for an unknown, expired or ended login or a disabled account. */
  callerByToken(token: string): Caller | undefined
  callerByLogin(loginId: LoginId): Caller | undefined
  /** A session that is neither ended nor idle, whose login still holds, and whose library its user still sees. */
  session(id: string): SessionDocument | undefined
  /** The library, if the caller may see it. */
  library(caller: Caller, id: string): LibraryDocument | undefined
  /** How long sessions have been silent. */
  readonly idle: IdleClock
  /** Views that have to be fed from the log (in-memory-views.ts). */
  readonly feeds: readonly Feedable[]
}

export const hashToken = (token: string) => hash('sha256', token)

export interface AccessOptions {
  /** How far the slowest clock of the other nodes is behind this node's, in milliseconds. Default: there are no other nodes. */
  readonly behindMs?: () => number
  readonly sessionGone?: (sessionId: SessionId) => void
}

export function createAccess(clock: Clock, { behindMs = () => 0, sessionGone }: AccessOptions = {}): Access {
  const idle = createIdleClock({ clock, behindMs })
  const byTokenHash = new Map<string, LoginDocument>()
  const liveUsers = createInMemoryView(users)
  const liveLogins = createInMemoryView(logins, (before, after) => {
    if (before) byTokenHash.delete(before.tokenHash)
    if (after) byTokenHash.set(after.tokenHash, after)
  })
  const present = new Map<string, LibraryDocument>()
  const liveLibraries = createInMemoryView(libraries, (before, after) => {
    if (before) present.delete(before.id)
    if (after?.removedAt === null) present.set(after.id, after)
  })
  const liveSessions = createInMemoryView(playbackSessions, (before, after) => {
    if (after && after.beatAt !== before?.beatAt) idle.heard(after)
    if (!before || after) return
    idle.forget(before.id)
    sessionGone?.(before.id)
  })

  function callerOf(login: LoginDocument | undefined): Caller | undefined {
    const user = login && Date.parse(login.expiresAt) > clock.now() ? liveUsers.documents.get(login.userId) : undefined
    if (!login || !user?.enabled || isEnded(login, user)) return undefined
    const { role, libraryAccess, libraryIds } = user
    const caller = { userId: user.id, loginId: login.id, role, libraryAccess, libraryIds, rememberMe: login.rememberMe }
    return login.accessToken ? { ...caller, scopes: login.accessToken.scopes } : caller
  }

  const callerByLogin = (loginId: LoginId) => callerOf(liveLogins.documents.get(loginId))

  function library(caller: Caller, id: string): LibraryDocument | undefined {
    const library = present.get(id)
    return library && sees(caller, library.id) ? library : undefined
  }

  return {
    users: liveUsers.documents,
    logins: liveLogins.documents,
    libraries: present,
    removedLibraries: () => [...liveLibraries.documents.values()].filter(({ removedAt }) => removedAt !== null),
    sessions: liveSessions.documents,
    callerByToken: (token) => callerOf(byTokenHash.get(hashToken(token))),
    callerByLogin,
    session(id) {
      const session = liveSessions.documents.get(id)
      const caller = session && !idle.isIdle(session) ? callerByLogin(session.loginId) : undefined
      return session && caller && library(caller, session.libraryId) ? session : undefined
    },
    library,
    idle,
    feeds: [liveUsers, liveLogins, liveLibraries, liveSessions],
  }
}

/** Whether the account has ended this login: an account can end all logins from before a position, except one. */
const isEnded = (login: LoginDocument, user: UserDocument) => login.position <= user.loginsAfter && login.id !== user.keptLoginId
