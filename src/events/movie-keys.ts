/**
 * Keys that make films one movie within a library, the most reliable first: the same explicit id of a provider, else title and year equal
 * after folding.
 */
import type { MovieFacts } from './movie-events.ts'
import { foldText } from '../vocabulary/text.ts'

export function movieKeys({ title, year, externalIds }: Pick<MovieFacts, 'title' | 'year' | 'externalIds'>): readonly string[] {
  const { tmdb, imdb } = externalIds
  return [...(tmdb === null ? [] : [`tmdb:${tmdb}`]), ...(imdb === null ? [] : [`imdb:${imdb}`]), `title:${foldText(title)}:${year ?? ''}`]
}

/** Films with different ids of the same provider are different films, whatever their titles. */
export function contradict(a: MovieFacts['externalIds'], b: MovieFacts['externalIds']): boolean {
  const differ = (x: string | null, y: string | null) => x !== null && y !== null && x !== y
  return differ(a.tmdb, b.tmdb) || differ(a.imdb, b.imdb)
}
