/**
 * What a movie is identified as, from what each of its available files says by its name and its `.nfo` file. The order in which a scan
 * reads the files does not matter.
 */
import type { EventData } from '../../events/catalogue.ts'
import type { MovieFacts } from '../../events/movie-events.ts'
import { contradict } from '../../events/movie-keys.ts'
import { foldText } from '../../vocabulary/text.ts'

export type Identity = Pick<EventData['MovieIdentified'], 'source' | 'confidence' | 'facts'>

/**
 * An explicit id outranks an `.nfo` file, and that a name; among equals the earlier one decides. The others add only what is still
 * unknown. Undefined if there are none.
 */
export function combined(identities: readonly Identity[]): Identity | undefined {
  const [first, ...others] = identities.toSorted((a, b) => rank(b) - rank(a))
  return first && others.reduce(completed, first)
}

const rank = ({ source, facts }: Identity): number =>
  (facts.externalIds.tmdb ?? facts.externalIds.imdb) === null ? Number(source === 'nfo') : 2 + Number(source === 'nfo')

function completed(identity: Identity, other: Identity): Identity {
  const { facts } = identity
  if (contradict(facts.externalIds, other.facts.externalIds)) return identity
  return {
    source: identity.source === 'nfo' ? 'nfo' : other.source,
    confidence: Math.max(identity.confidence, other.confidence),
    facts: {
      ...facts,
      ...withoutEmpty(other.facts),
      ...withoutEmpty(facts),
      sortTitle: facts.sortTitle ?? (foldText(facts.title) === foldText(other.facts.title) ? other.facts.sortTitle : null),
      externalIds: {
        tmdb: facts.externalIds.tmdb ?? other.facts.externalIds.tmdb,
        imdb: facts.externalIds.imdb ?? other.facts.externalIds.imdb,
      },
    },
  }
}

function withoutEmpty(facts: MovieFacts): Partial<MovieFacts> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)))
}

export const isSameIdentity = (a: Identity, b: Identity): boolean => textOf(a) === textOf(b)

const textOf = ({ source, confidence, facts }: Identity): string => JSON.stringify([source, confidence, facts])
