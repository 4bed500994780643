/** Reads from the JSON of a card who may see it, without parsing the rest. */
import type { LibraryId } from '../../vocabulary/id.ts'
import type { ListedMovie } from './list-sources.ts'

interface CardFacts {
  readonly libraryId: LibraryId
  readonly isAvailable: boolean
}

/** All quotes in a text are escaped, so a comma and a quote can only be the beginning of a member. */
const LIBRARY = ',"libraryId":"'
const AVAILABLE = ',"available":'

export function factsOf(movie: Pick<ListedMovie, 'card' | 'cardText'>): CardFacts {
  const { cardText = '' } = movie
  const [library, available] = [cardText.indexOf(LIBRARY), cardText.lastIndexOf(AVAILABLE)]
  if (library < 0 || available < 0) return { libraryId: movie.card.libraryId, isAvailable: movie.card.available }
  const from = library + LIBRARY.length
  const libraryId = cardText.slice(from, cardText.indexOf('"', from)) as LibraryId
  return { libraryId, isAvailable: cardText.startsWith('true', available + AVAILABLE.length) }
}
