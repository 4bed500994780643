/**
 * Stream tokens: `userId:sessionId:expiresAt:hmac`, signed with HMAC-SHA256 and the server's secret.
 * `expiresAt` in Unix seconds, the hmac in lower-case hex.
 */
import { readSignedText, signText } from '../commands/signed-text.ts'

export const STREAM_TOKEN_LIFE_SECONDS = 4 * 3600

export interface StreamTokenClaims {
  readonly userId: string
  readonly sessionId: string
  readonly expiresAtSeconds: number
}

export function signStreamToken(key: string, { userId, sessionId, expiresAtSeconds }: StreamTokenClaims): string {
  return signText(key, `${userId}:${sessionId}:${expiresAtSeconds}`)
}

/** The claims of a token that one of the keys has signed, whether expired or not; undefined for anything else. */
export function readStreamToken(keys: readonly string[], token: string): StreamTokenClaims | undefined {
  const parts = /^([^:]+):([^:]+):(0|[1-9]\d{0,14})$/.exec(readSignedText(keys, token) ?? '')
  if (!parts) return undefined
  const [, userId = '', sessionId = '', expiry] = parts
  return { userId, sessionId, expiresAtSeconds: Number(expiry) }
}
