/** Searches everything that a caller sees by one text: movies, people and collections. Each word must begin a word of a title or name. */
import type { ImageId, PersonId } from '../../vocabulary/id.ts'
import { foundWords, searchWords } from '../../vocabulary/text.ts'
import { creditsOf } from '../../../projections/views/credits.ts'
import type { Caller } from '../access/caller.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { CollectionCard, CollectionSummary, FacetLists } from './facets.ts'
import type { MovieForUser } from './list-sources.ts'
import type { Movies } from './movies.ts'

export interface FoundPerson {
  readonly id: PersonId
  readonly name: string
  /** From a movie that the caller may see. */
  readonly image: ImageId | null
}

export interface SearchResults {
  /** By title, as the movie list finds them. */
  readonly movies: readonly MovieForUser[]
  /** Those of most movies first. */
  readonly people: readonly FoundPerson[]
  /** By name. */
  readonly collections: readonly { readonly collection: CollectionSummary; readonly card: CollectionCard }[]
}

export interface Search {
  /** `limit`: of each kind. */
  search(caller: Caller, text: string, limit: number): Promise<SearchResults>
}

export interface SearchDependencies {
  readonly movies: Pick<Movies, 'list'>
  readonly readModels: Pick<ReadModels, 'credits'>
  readonly catalogue: Pick<FacetLists, 'collectionsNamed' | 'collectionCards'>
}

/** Movies whose people are looked through: a movie is found by its people, so more words leave fewer movies. */
const MOVIES_OF_PEOPLE = 100

export function createSearch(deps: SearchDependencies): Search {
  return {
    async search(caller, text, limit) {
      const words = searchWords([text])
      if (words.length === 0) return { movies: [], people: [], collections: [] }
      const [{ items }, collections] = await Promise.all([
        deps.movies.list(caller, { text, sort: 'title', order: 'asc', limit: MOVIES_OF_PEOPLE }),
        collectionsOf(deps, caller, { words, limit }),
      ])
      return { movies: items.slice(0, limit), people: await peopleOf(deps, items, { words, limit }), collections }
    },
  }
}

interface Wanted {
  readonly words: readonly string[]
  readonly limit: number
}

async function peopleOf(
  { readModels }: SearchDependencies,
  found: readonly MovieForUser[],
  { words, limit }: Wanted,
): Promise<readonly FoundPerson[]> {
  const people = new Map<PersonId, FoundPerson & { readonly movieCount: number }>()
  for (const credits of await readModels.credits.getMany(found.map(({ movie }) => movie.id))) {
    const { cast, crew } = creditsOf(credits)
    const named = new Map([...cast, ...crew].map((person) => [person.personId, person]))
    for (const { personId: id, name, image } of named.values()) {
      if (!isNamed(name, words)) continue
      const before = people.get(id)
      people.set(id, { id, name: before?.name ?? name, image: before?.image ?? image, movieCount: (before?.movieCount ?? 0) + 1 })
    }
  }
  return [...people.values()]
    .sort((a, b) => b.movieCount - a.movieCount || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ id, name, image }) => ({ id, name, image }))
}

async function collectionsOf(
  { catalogue }: SearchDependencies,
  caller: Caller,
  { words, limit }: Wanted,
): Promise<SearchResults['collections']> {
  const found = (await catalogue.collectionsNamed(caller, (name) => isNamed(name, words))).slice(0, limit)
  const cards = await catalogue.collectionCards(
    caller,
    found.map(({ id }) => id),
  )
  return found.flatMap((collection, index) => {
    const card = cards[index]
    return card ? [{ collection, card }] : []
  })
}

/** Whether each word begins a word of the name. */
function isNamed(name: string, words: readonly string[]): boolean {
  const parts = foundWords([name])
  return words.every((word) => parts.some((part) => part.startsWith(word)))
}
