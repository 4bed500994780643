/** The text of an event that proofs rest on: the same on every engine, so without its position. */
import { canonicalJson } from './canonical-json.ts'
import type { EventType } from './catalogue.ts'
import type { StoredEvent } from './envelope.ts'

/** RFC 8785 of what was stored; what is sealed stays sealed. */
export function logEntry({ stream, revision, id, type, data, metadata }: StoredEvent): string {
  return canonicalJson({ stream, revision, id, type, data, metadata })
}

/** Events that hold a hash of a token, an address or a secret. */
const WITHHELD: ReadonlySet<string> = new Set<EventType>(['SignedIn', 'SignInRefused', 'VaultAdopted', 'SigningSecretAdopted'])

/** The same for people; null where it holds what nobody is shown: then the leaf hash alone has to do. */
export const shownEntry = (stored: StoredEvent): string | null => (WITHHELD.has(stored.type) ? null : logEntry(stored))
