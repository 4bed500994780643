/**
 * Canonical JSON (RFC 8785): the unique text of a value, as input for hashes. Members sorted by UTF-16 code units, numbers and strings as
 * ECMAScript prints them.
 */
import type { Json } from './envelope.ts'

export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  let members = ''
  // ECMAScript's default sort order is by UTF-16 code units.
  for (const name of Object.keys(value).sort()) {
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`
  }
  return `{${members}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
