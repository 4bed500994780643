/**
 * Signs cursors, which mark a position in a list. A cursor that was changed, cut off, or made for another user, route, filter or order is
 * invalid.
 */
import { createHmac, createSecretKey, hash, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Json } from '../../events/envelope.ts'
import { canonicalJson } from '../../events/canonical-json.ts'
import type { PagePoint } from '../../app/read-models/page.ts'

/** The list that a cursor belongs to. The page size is not part of it: it may change between pages. */
export interface CursorScope {
  readonly userId: string
  readonly route: string
  /** Filters and order. */
  readonly query: Json
}

export interface Cursors {
  encode(point: PagePoint, scope: CursorScope): string
  /** Undefined for anything that `encode` did not make for this scope. */
  decode(cursor: string, scope: CursorScope): PagePoint | undefined
}

const VERSION = 1
const KEY_BYTES = 32

/** The first secret signs; all of them verify. */
export function createCursors(secrets: readonly string[]): Cursors {
  const keys = secrets.map((secret) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'marquee cursors', KEY_BYTES))))
  const sign = (key: KeyObject, payload: string) => createHmac('sha256', key).update(payload).digest('base64url')
  return {
    encode({ value, id }, scope) {
      const payload = Buffer.from(JSON.stringify([VERSION, value, id, hashOf(scope)])).toString('base64url')
      const [key] = keys
      if (!key) throw new TypeError('Cursors need a secret')
      return `${payload}.${sign(key, payload)}`
    },
    decode(cursor, scope) {
      const [payload = '', signature = '', ...more] = cursor.split('.')
      if (more.length > 0 || !keys.some((key) => isSame(signature, sign(key, payload)))) return undefined
      const [version, value, id, of]: Json[] = JSON.parse(Buffer.from(payload, 'base64url').toString())
      if (version !== VERSION || of !== hashOf(scope) || typeof id !== 'string') return undefined
      return { value: value ?? null, id }
    },
  }
}

/** A page needs it twice: for the cursor of the request, and for the next one. */
const hashes = new WeakMap<CursorScope, string>()

function hashOf(scope: CursorScope): string {
  const { userId, route, query } = scope
  const made = hashes.get(scope) ?? hash('sha256', canonicalJson({ userId, route, query }), 'base64url')
  hashes.set(scope, made)
  return made
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
