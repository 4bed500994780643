/**
 * Makes an event's text for proofs: RFC 8785 of the stored event, the same on every engine and therefore without its position. It may be
 * published: sealed fields stay sealed, and hashes of tokens, addresses and secrets are left out. The event's own hash, which it contains,
 * covers them too.
 */
import { canonicalJson } from './canonical-json.ts'
import type { EventData, EventType } from './catalogue.ts'
import type { JsonObject, StoredEvent } from './envelope.ts'

/** Members of the data that are not published. A program that verifies the log without this one has the same list. */
export const LEFT_OUT: { readonly [T in EventType]?: readonly (keyof EventData[T])[] } = {
  SignedIn: ['tokenHash'],
  AccessTokenIssued: ['tokenHash'],
  SecondFactorPrepared: ['recoveryCodes'],
  RecoveryCodesReplaced: ['recoveryCodes'],
  RecoveryCodeUsed: ['recoveryCode'],
  SignInRefused: ['emailHmac'],
  VaultAdopted: ['digest'],
  SigningSecretAdopted: ['digest'],
}

/** Most bytes of an entry in C2SP tlog-tiles; a larger event is written without its data. */
export const MAX_ENTRY_BYTES = 65_535

export function logEntry({ stream, revision, id, type, data, metadata }: StoredEvent): string {
  const entry = { stream, revision, id, type, metadata }
  const text = canonicalJson({ ...entry, data: shown(type, data) })
  return Buffer.byteLength(text) > MAX_ENTRY_BYTES ? canonicalJson(entry) : text
}

function shown(type: string, data: JsonObject): JsonObject {
  const leftOut: readonly string[] | undefined = Object.hasOwn(LEFT_OUT, type) ? LEFT_OUT[type as EventType] : undefined
  return leftOut ? Object.fromEntries(Object.entries(data).filter(([name]) => !leftOut.includes(name))) : data
}
