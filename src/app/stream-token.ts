/**
 * Stream tokens: `userId:sessionId:expiresAt:hmac`, signed with HMAC-SHA256 and the server's secret (interface, section 5.2;
 * contract, section 7). `expiresAt` in Unix seconds, the hmac in lower-case hex.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const STREAM_TOKEN_LIFE_SECONDS = 4 * 3600

export interface StreamTokenClaims {
  readonly userId: string
  readonly sessionId: string
  readonly expiresAtSeconds: number
}

export function signStreamToken(key: string, { userId, sessionId, expiresAtSeconds }: StreamTokenClaims): string {
  const text = `${userId}:${sessionId}:${expiresAtSeconds}`
  return `${text}:${mac(key, text).toString('hex')}`
}

/** The claims of a token that one of the keys has signed, whether expired or not; undefined for anything else. */
export function readStreamToken(keys: readonly string[], token: string): StreamTokenClaims | undefined {
  const [, text, userId = '', sessionId = '', expiry, hmac = ''] = /^(([^:]+):([^:]+):(0|[1-9]\d{0,14})):([0-9a-f]{64})$/.exec(token) ?? []
  if (!text) return undefined
  const given = Buffer.from(hmac, 'hex')
  // Every key is compared, so that the time tells nothing of which one fits.
  const fits = keys.map((key) => timingSafeEqual(mac(key, text), given))
  return fits.includes(true) ? { userId, sessionId, expiresAtSeconds: Number(expiry) } : undefined
}

const mac = (key: string, text: string) => createHmac('sha256', Buffer.from(key, 'utf8')).update(text).digest()
