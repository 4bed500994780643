/**
 * Canonical JSON (RFC 8785): the one text of a value that hashes are made of. Members sorted by UTF-16 code units, numbers and
 * strings as ECMAScript prints them.
 */
import type { Json } from './envelope.ts'

export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
