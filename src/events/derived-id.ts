/**
 * Derives ids from other ids or texts: the same source gives the same id, so that a step retried after a crash repeats nothing.
 */
import { createHash, createHmac, hash } from 'node:crypto'
import type { Id } from '../vocabulary/id.ts'

/** Id of an event that follows from another one: a UUID (version 8, RFC 9562) from SHA-256. */
export function derivedEventId(source: string, label: string): string {
  const bytes = createHash('sha256').update(`${label}\0${source}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Identifier of 21 characters for a thing known by a text, such as a person by name. */
export function derivedId<Kind extends string>(kind: Kind, text: string): Id<Kind> {
  return `x${hash('sha256', `${kind}\0${text}`, 'base64url').slice(0, 20)}` as Id<Kind>
}

/** The same for an id that itself grants access: without the key nobody can compute it. */
export function keyedId<Kind extends string>(kind: Kind, key: Uint8Array, text: string): Id<Kind> {
  return `x${createHmac('sha256', key).update(`${kind}\0${text}`).digest('base64url').slice(0, 20)}` as Id<Kind>
}
