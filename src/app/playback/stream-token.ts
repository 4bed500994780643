/**
 * Signs and verifies stream tokens: `userId:sessionId:expiresAt:hmac`, signed with HMAC-SHA256 and the server's secret. `expiresAt` is in
 * Unix seconds, the hmac in lower-case hex.
 */
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { readSignedText, signText } from '../commands/signed-text.ts'

export const STREAM_TOKEN_LIFE_SECONDS = 4 * 3600
/** Leaves an hour in which a player that missed a heartbeat can still load segments. */
const RENEW_AFTER_MS = (STREAM_TOKEN_LIFE_SECONDS - 3600) * 1000

/** Longer than a session is idle. Only while heartbeats cannot be stored does a session live on without one. */
const STEP_MS = 600_000

export interface StreamTokenClaims {
  readonly userId: string
  readonly sessionId: string
  readonly expiresAtSeconds: number
}

export function signStreamToken(key: string, { userId, sessionId, expiresAtSeconds }: StreamTokenClaims): string {
  return signText(key, `${userId}:${sessionId}:${expiresAtSeconds}`)
}

/**
 * Expiry of the session's current token in Unix seconds: four hours after the last heartbeat. A session without a new heartbeat keeps its
 * token, so that its entity tag changes only with the session.
 */
export function tokenExpirySeconds({ beatAt }: Pick<SessionDocument, 'beatAt'>, nowMs: number): number {
  const beatMs = Date.parse(beatAt)
  const steps = Math.max(0, Math.floor((nowMs - beatMs) / STEP_MS))
  return Math.floor((beatMs + steps * STEP_MS) / 1000) + STREAM_TOKEN_LIFE_SECONDS
}

/** The claims of a token that one of the keys has signed, expired or not; undefined for anything else. */
export function readStreamToken(keys: readonly string[], token: string): StreamTokenClaims | undefined {
  const parts = /^([^:]+):([^:]+):(0|[1-9]\d{0,14})$/.exec(readSignedText(keys, token) ?? '')
  if (!parts) return undefined
  const [, userId = '', sessionId = '', expiry] = parts
  return { userId, sessionId, expiresAtSeconds: Number(expiry) }
}

/**
 * Whether this heartbeat returns a new token because the previous one has less than an hour left. A session lives only as long as
 * its heartbeats, so the idle time after every third hour contains at least one of them, and nothing needs to be remembered.
 */
export function isTokenDue({ createdAt, idleSeconds }: SessionDocument, nowMs: number): boolean {
  const ageMs = nowMs - Date.parse(createdAt)
  return ageMs >= RENEW_AFTER_MS && ageMs % RENEW_AFTER_MS < idleSeconds * 1000
}
