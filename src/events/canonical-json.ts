/**
 * Canonical JSON (RFC 8785): the unique text of a value, as input for hashes. Members sorted by UTF-16 code units, numbers and strings as
 * ECMAScript prints them.
 *
 * Every event of the log goes through it at each verification and in each Merkle tree, so the common values take short ways.
 */
import type { Json } from './envelope.ts'

export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  let members = ''
  for (const name of sorted(Object.keys(value))) {
    members += `${members === '' ? '' : ','}${label(name)}${canonicalJson(value[name] ?? null)}`
  }
  return `{${members}}`
}

/** Printable ASCII without quotes and backslashes: what JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** Members of events have few names; people's data may have any. */
const LABELS_MAX = 1_000
const labels = new Map<string, string>()

function label(name: string): string {
  const known = labels.get(name)
  if (known !== undefined) return known
  const made = `${JSON.stringify(name)}:`
  if (labels.size < LABELS_MAX) labels.set(name, made)
  return made
}

const FEW = 24

/** In place. ECMAScript compares strings by UTF-16 code units, as its default sort order does, which a call for a few names is slow for. */
function sorted(names: string[]): readonly string[] {
  if (names.length > FEW) return names.sort()
  for (let n = 1; n < names.length; n++) {
    const name = names[n] ?? ''
    let at = n - 1
    for (; at >= 0 && (names[at] ?? '') > name; at--) names[at + 1] = names[at] ?? ''
    names[at + 1] = name
  }
  return names
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
