/** Who may stream: one judgement for every streaming request, from state in memory. */
import type { SessionDocument } from '../../projections/playback-sessions.ts'
import type { FileDocument } from '../../projections/files.ts'
import type { Refusal } from '../domain/refusal.ts'

export interface StreamGrant {
  readonly session: SessionDocument
  readonly file: FileDocument
}

export interface StreamAccess {
  /**
   * Judges one streaming request: `credential` is an access token or a stream token. Refusals: `unauthenticated`, `forbidden`
   * (another user's session), `not-found` (session gone, grant gone).
   */
  judge(credential: string | undefined, sessionId: string): Promise<StreamGrant | Refusal>
  /** A fresh stream token for the session: `userId:sessionId:expiresAt:hmac`, four hours. */
  issue(session: SessionDocument): { readonly token: string; readonly expiresAt: string }
}
