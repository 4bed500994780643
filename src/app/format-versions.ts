/**
 * Versions of the formats in which this version of Marquee stores events and read models. Data folders and backups record those of their
 * writer: an earlier version then refuses them. Otherwise it would leave out, without a word, the events that it does not know.
 */
import { Type, type Static } from 'typebox'
import { views } from '../../projections/views/all.ts'
import { VERSIONS } from '../events/catalogue.ts'

export const Versions = Type.Record(Type.String(), Type.Integer({ minimum: 1 }))
export type Versions = Static<typeof Versions>

export const EVENT_VERSIONS: Versions = VERSIONS
export const VIEW_VERSIONS: Versions = Object.fromEntries(views.map(({ name, version }) => [name, version]))

/** What this version does not know of the stored formats, each as part of a sentence. */
export const unknownEvents = (stored: Versions): readonly string[] => unknown(stored, EVENT_VERSIONS, (type) => `events ${type}`)
export const unknownViews = (stored: Versions): readonly string[] => unknown(stored, VIEW_VERSIONS, (name) => `read model ${name}`)

function unknown(stored: Versions, known: Versions, nameOf: (name: string) => string): readonly string[] {
  return Object.entries(stored).flatMap(([name, version]) => {
    const own = Object.hasOwn(known, name) ? known[name] : undefined
    if (own === undefined) return [`${nameOf(name)} (unknown here)`]
    return version > own ? [newerText(nameOf(name), version, own)] : []
  })
}

export const newerText = (what: string, version: number, known: number): string => `${what} of version ${version} (known here: ${known})`

const NAMED_MAX = 3

/** The first few, and how many more there are. */
export function listed(parts: readonly string[]): string {
  const more = parts.length - NAMED_MAX
  return more > 0 ? `${parts.slice(0, NAMED_MAX).join(', ')} and ${more} more` : parts.join(', ')
}
