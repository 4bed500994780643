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
