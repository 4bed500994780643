/**
 * Signs and verifies source tokens, `fileId:jobId:expiresAt:hmac`. With one, a transcode agent fetches the film of one job, and nothing
 * else. `path:readId:expiresAt:<path in base64url>:hmac` is the same for one read of a film that may not have an id yet. Signed with
 * HMAC-SHA256; the key is derived from the server's secret, so that a token is never accepted as one of another kind.
 */
import { hkdfSync } from 'node:crypto'
import type { FileId } from '../../vocabulary/id.ts'
import { derivedId } from '../../events/derived-id.ts'
import type { Clock } from '../../ports/clock.ts'
import { readSignedText, signText } from '../commands/signed-text.ts'

export interface SourceClaims {
  readonly fileId: string
  readonly jobId: string
}

export interface PathClaims {
  readonly fileId: string
  readonly path: string
}

export interface SourceTokens {
  sign(this: void, fileId: string, jobId: string): string
  /** For a file by its path; `fileId` replaces the path in URLs. */
  signPath(this: void, path: string, readId: string): { readonly fileId: string; readonly token: string }
  readPath(this: void, token: string): PathClaims | undefined
  /** Undefined if no known secret has signed it, or if it has expired. */
  read(this: void, token: string): SourceClaims | undefined
}

/** Longer than nearly every film; a job that takes longer is restarted. */
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
  const expiry = (): number => Math.floor(clock.now() / 1000) + LIFE_SECONDS
  return {
    sign: (fileId, jobId) => signText(key, `${fileId}:${jobId}:${expiry()}`),
    signPath(path, readId) {
      const text = `path:${readId}:${expiry()}:${Buffer.from(path).toString('base64url')}`
      return { fileId: idOfPath(path), token: signText(key, text) }
    },
    readPath(token) {
      const parts = /^path:[^:]{1,200}:([1-9]\d{0,14}):([\w-]{1,11000})$/.exec(readSignedText(keys, token) ?? '')
      const [, expiresAt = '', path64 = ''] = parts ?? []
      if (!(Number(expiresAt) * 1000 > clock.now())) return undefined
      const path = Buffer.from(path64, 'base64url').toString()
      return { fileId: idOfPath(path), path }
    },
    read(token) {
      const parts = /^([^:]{1,200}):([^:]{1,200}):([1-9]\d{0,14})$/.exec(readSignedText(keys, token) ?? '')
      if (!parts) return undefined
      const [, fileId = '', jobId = '', expiresAt] = parts
      return Number(expiresAt) * 1000 > clock.now() ? { fileId, jobId } : undefined
    },
  }
}

/** Always the same id for a path, so that cached data of a film serves its next read. */
const idOfPath = (path: string): FileId => derivedId('file', path)
