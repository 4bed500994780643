/**
 * Events of what people were refused, what they looked at and what they took off their history: nothing changes by the first two
 * (`access-<user>_<day>`), and an auditor wants to know.
 */
import type { SessionId, UserId, ViewingId } from '../vocabulary/id.ts'

export interface AccessEvents {
  /** `operation`: method and route, as `GET /v1/users/:id`. `times`: how often since the last such event, when there were too many. */
  AccessDenied: { readonly userId: UserId; readonly operation: string; readonly times: number }
  /** An administrator has read the history or the audit of a user, as `operation` says; `userId` null: of everybody. */
  HistoryViewed: { readonly userId: UserId | null; readonly operation: string; readonly times: number }
  /** In the stream of the user: this viewing is no longer shown and no longer counted. */
  HistoryHidden: { readonly userId: UserId; readonly viewingId: SessionId | ViewingId }
}
