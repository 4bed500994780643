/**
 * Source tokens: `fileId:jobId:expiresAt:hmac`, with which a transcode agent fetches the film of one job, and nothing else (contract,
 * section 8). Signed with HMAC-SHA256; the key is derived from the server's secret, so that no token passes for one of another kind.
 */
import { hkdfSync } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import { readSignedText, signText } from '../signed-text.ts'

export interface SourceClaims {
  readonly fileId: string
  readonly jobId: string
}

export interface SourceTokens {
  sign(this: void, fileId: string, jobId: string): string
  /** Undefined for what no known secret has signed, and for what has run out. */
  read(this: void, token: string): SourceClaims | undefined
}

/** Longer than nearly every film; a job that needs longer is started again. */
const LIFE_SECONDS = 6 * 3600
const KEY_BYTES = 32

/** `secrets`: the one that signs, then older ones that still verify. */
export function createSourceTokens({
  clock,
  secrets,
}: {
  readonly clock: Clock
  readonly secrets: readonly [string, ...string[]]
}): SourceTokens {
  const keyOf = (secret: string): Uint8Array => Buffer.from(hkdfSync('sha256', secret, '', 'marquee film sources', KEY_BYTES))
  const key = keyOf(secrets[0])
  const keys = secrets.map(keyOf)
  return {
    sign: (fileId, jobId) => signText(key, `${fileId}:${jobId}:${Math.floor(clock.now() / 1000) + LIFE_SECONDS}`),
    read(token) {
      const parts = /^([^:]{1,200}):([^:]{1,200}):([1-9]\d{0,14})$/.exec(readSignedText(keys, token) ?? '')
      if (!parts) return undefined
      const [, fileId = '', jobId = '', expiry] = parts
      return Number(expiry) * 1000 > clock.now() ? { fileId, jobId } : undefined
    },
  }
}
