/** Authorizes streaming requests, all by the same rule, from state in memory. */
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { FileDocument } from '../../../projections/views/files.ts'
import type { LoginId } from '../../vocabulary/id.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { createRecentFiles } from './recent-files.ts'
import { type ExplainMissing } from './missing-sessions.ts'
import { readStreamToken, signStreamToken, tokenExpirySeconds } from './stream-token.ts'
import { NO_SUCH_SESSION } from '../../domain/playback/refusals.ts'

export interface StreamGrant {
  readonly session: SessionDocument
  readonly file: FileDocument
}

export interface StreamAccess {
  /**
   * Authorizes one streaming request: `credential` is an access token or a stream token. Refusals: `unauthenticated`, `forbidden` (another
   * user's session), `not-found` (session gone, grant gone).
   */
  authorize(credential: string | undefined, sessionId: string): Promise<StreamGrant | Refusal>
  /** Whether access by this credential is still granted; a token's expiry does not matter once the stream is open. */
  holds(credential: string, sessionId: string): boolean
  /** The session's current stream token, `userId:sessionId:expiresAt:hmac`: it is valid for four hours from the last heartbeat. */
  issue(session: SessionDocument): { readonly token: string; readonly expiresAt: string }
}

const NO_CREDENTIAL = refuse('unauthenticated', 'Missing or invalid authentication')
const NOT_YOURS = refuse('forbidden', 'This token does not open this session')

const NO_SCOPE = refuse('forbidden', 'This access token lacks the scope `playback`')

/** An access token has no colon. */
const isStreamToken = (credential: string) => credential.includes(':')

export interface StreamAccessDependencies {
  readonly access: Access
  readonly clock: Clock
  readonly readModels: ReadModels
  /** The login that started a session, also of an ended one; undefined for an unknown session. */
  readonly loginOf: (sessionId: string) => Promise<LoginId | undefined>
  readonly explainMissing: ExplainMissing
  /** The secret that signs, then older ones that still verify. */
  readonly secrets: readonly [string, ...string[]]
}

export function createStreamAccess(deps: StreamAccessDependencies): StreamAccess {
  const { access, clock, secrets } = deps
  const fileOf = createRecentFiles(deps)

  /** A stream token names no login, so the login that started its session is checked. */
  async function byStreamToken(token: string, sessionId: string): Promise<SessionDocument | Refusal> {
    const claims = readStreamToken(secrets, token)
    if (!claims || claims.expiresAtSeconds * 1000 <= clock.now() || !access.users.get(claims.userId)?.enabled) return NO_CREDENTIAL
    const loginId = access.session(claims.sessionId)?.loginId ?? (await deps.loginOf(claims.sessionId))
    const caller = loginId && access.callerByLogin(loginId)
    if (loginId && !caller) return NO_CREDENTIAL
    const session = access.session(sessionId)
    if (!session) return deps.explainMissing(sessionId)
    return caller && claims.sessionId === sessionId ? permit(caller, session, claims.userId) : NOT_YOURS
  }

  async function byAccessToken(token: string, sessionId: string): Promise<SessionDocument | Refusal> {
    const caller = access.callerByToken(token)
    if (!caller) return NO_CREDENTIAL
    if (caller.scopes && !caller.scopes.includes('playback')) return NO_SCOPE
    const session = access.session(sessionId)
    return session ? permit(caller, session, caller.userId) : deps.explainMissing(sessionId)
  }

  function permit(caller: Caller, session: SessionDocument, userId: string): SessionDocument | Refusal {
    if (session.userId !== userId) return NOT_YOURS
    // Check the login that started it too: after its sign-out the session is over, whichever login asks.
    if (!access.callerByLogin(session.loginId)) return NO_SUCH_SESSION
    return access.library(caller, session.libraryId) ? session : NO_SUCH_SESSION
  }

  return {
    async authorize(credential, sessionId) {
      if (!credential) return NO_CREDENTIAL
      const session = await (isStreamToken(credential) ? byStreamToken : byAccessToken)(credential, sessionId)
      if ('refusal' in session) return session
      const file = await fileOf(session.fileId)
      return file ? { session, file } : NO_SUCH_SESSION
    },

    holds: (credential, sessionId) =>
      access.session(sessionId) !== undefined && (isStreamToken(credential) || access.callerByToken(credential) !== undefined),

    issue(session) {
      const expiresAtSeconds = tokenExpirySeconds(session, clock.now())
      const token = signStreamToken(secrets[0], { userId: session.userId, sessionId: session.id, expiresAtSeconds })
      return { token, expiresAt: new Date(expiresAtSeconds * 1000).toISOString() }
    },
  }
}
