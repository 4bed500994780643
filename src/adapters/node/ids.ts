/** Ids from the system's random source. */
import { randomBytes, randomFillSync } from 'node:crypto'
import type { Id } from '../../vocabulary/id.ts'
import type { Ids } from '../../ports/ids.ts'

/** 64 characters in the order of their codes, in which ids are sorted: six bits choose one. */
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
/** An id begins with one of these. */
const ALPHANUMERICS = ALPHABET.replaceAll(/[-_]/g, '')
/** Characters of an id after the time. */
const RANDOM_LENGTH = 14
const TOKEN_BYTES = 32

export function createSystemIds(): Ids {
  return {
    next: <Kind extends string>() => nextId() as Id<Kind>,
    event: uuidV7,
    token: () => randomBytes(TOKEN_BYTES).toString('base64url'),
  }
}

/** Random bytes for ids are drawn in bulk: a draw costs the same for few as for many. Tokens draw their own. */
const pool = Buffer.allocUnsafe(4096)
let used = pool.length

/** Bytes that are handed out only once; use them before the next call. */
function drawn(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

/**
 * Milliseconds in seven characters, then 84 random bits. What is made together gets adjacent ids, so that an index of them grows at its end
 * instead of touching a page for each.
 */
function nextId(): string {
  let id = timePrefix(Date.now())
  for (const byte of drawn(RANDOM_LENGTH)) id += ALPHABET.charAt(byte & 63)
  return id
}

const kept = { ms: -1, prefix: '' }

/** The first character changes every two years, and has values until 2105. */
function timePrefix(ms: number): string {
  if (kept.ms === ms) return kept.prefix
  let prefix = ''
  let rest = ms
  for (let place = 0; place < 6; place++) {
    prefix = ALPHABET.charAt(rest % 64) + prefix
    rest = Math.floor(rest / 64)
  }
  kept.ms = ms
  kept.prefix = ALPHANUMERICS.charAt(rest) + prefix
  return kept.prefix
}

/**
 * UUID of version 7 (RFC 9562): milliseconds, then 74 random bits. Events written together get adjacent ids, so that a log's index of ids
 * grows at its end instead of touching a page for each event.
 */
function uuidV7(): string {
  const bytes = drawn(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
