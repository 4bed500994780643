/** The text of an event that proofs rest on: the same on every engine, so without its position. */
import { canonicalJson } from './canonical-json.ts'
import type { StoredEvent } from './envelope.ts'

/** RFC 8785 of what was stored; what is sealed stays sealed. */
export function logEntry({ stream, revision, id, type, data, metadata }: StoredEvent): string {
  return canonicalJson({ stream, revision, id, type, data, metadata })
}
