/** Events of what people were refused or looked at (`access-<user>_<day>`): nothing changes by them, and an auditor wants to know. */
import type { UserId } from '../vocabulary/id.ts'

export interface AccessEvents {
  /** `operation`: method and route, as `GET /v1/users/:id`. `times`: how often since the last such event, when there were too many. */
  AccessDenied: { readonly userId: UserId; readonly operation: string; readonly times: number }
}
