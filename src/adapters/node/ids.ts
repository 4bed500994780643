/** Ids from the system's random source. */
import { randomBytes, randomFillSync } from 'node:crypto'
import type { Id } from '../../vocabulary/id.ts'
import type { Ids } from '../../ports/ids.ts'

/** 64 characters, the alphanumeric ones first: six random bits choose one without bias. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
const ALPHANUMERICS = 62
const LENGTH = 21
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

function nextId(): string {
  const bytes = drawn(LENGTH)
  while (((bytes[0] ?? 0) & 63) >= ALPHANUMERICS) bytes.set(randomBytes(1))
  let id = ''
  for (const byte of bytes) id += ALPHABET.charAt(byte & 63)
  return id
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
