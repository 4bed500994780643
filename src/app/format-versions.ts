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

/** The stored event types that this version does not know, each as part of a sentence. */
export const unknownEvents = (stored: Versions): readonly string[] => [
  ...Object.keys(stored).flatMap((type) => (Object.hasOwn(EVENT_VERSIONS, type) ? [] : [`events ${type} (unknown here)`])),
  ...newerThan(EVENT_VERSIONS, stored, (type) => `events ${type}`),
]

/** A view that is unknown here may have been removed since: it is no reason to refuse. */
export const newerViews = (stored: Versions): readonly string[] => newerThan(VIEW_VERSIONS, stored, (name) => `read model ${name}`)

function newerThan(known: Versions, stored: Versions, nameOf: (name: string) => string): readonly string[] {
  return Object.entries(stored).flatMap(([name, version]) => {
    const own = Object.hasOwn(known, name) ? (known[name] ?? version) : version
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
