/** Ids: new identifiers and other random texts, so that tests can fix them. */
import type { Id } from '../vocabulary/id.ts'

export interface Ids {
  /** A new identifier of 21 characters, never used before. The system's begin with the time, so that later ones sort after earlier ones. */
  next<Kind extends string>(): Id<Kind>
  /** A new UUID for an event. */
  event(): string
  /** A new access token: 43 characters of base64url, 256 bits. */
  token(): string
}
