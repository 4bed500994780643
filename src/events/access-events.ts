/**
 * Events of refused operations, of views of other users' histories, and of hidden history entries. The first two change no state
 * (`access-<user>_<day>`); they exist for auditors.
 */
import type { SessionId, UserId, ViewingId } from '../vocabulary/id.ts'

export interface AccessEvents {
  /** `operation`: method and route, as `GET /v1/users/:id`. `times`: how often since the last such event, if events were throttled. */
  AccessDenied: { readonly userId: UserId; readonly operation: string; readonly times: number }
  /** An administrator has read the history or the audit of a user, depending on `operation`; `userId` null: of all users. */
  HistoryViewed: { readonly userId: UserId | null; readonly operation: string; readonly times: number }
  /** In the stream of the user: this viewing is no longer shown or counted. */
  HistoryHidden: { readonly userId: UserId; readonly viewingId: SessionId | ViewingId }
}
