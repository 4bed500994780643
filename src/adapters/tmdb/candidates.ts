/** Converts the results of a search to candidates, the provider's best first. */
import type { OnlineCandidate } from '../../ports/online-metadata.ts'
import { onlineImageNameOf } from './online-image-name.ts'
import { isTmdbMovie, memberOf } from './shapes.ts'
import { dayOf, lineOf, paragraphsOf, yearOf } from './texts.ts'

const CANDIDATES_MAX = 20

export function candidatesOf(results: readonly unknown[]): readonly OnlineCandidate[] {
  return results.slice(0, CANDIDATES_MAX).flatMap((result) => {
    const title = isTmdbMovie(result) ? lineOf(result.title) : null
    if (!isTmdbMovie(result) || title === null) return []
    return [
      {
        tmdb: `${result.id}`,
        title,
        originalTitle: lineOf(memberOf(result, 'original_title')),
        year: yearOf(dayOf(memberOf(result, 'release_date'))),
        overview: paragraphsOf(memberOf(result, 'overview')),
        poster: onlineImageNameOf(memberOf(result, 'poster_path')),
      },
    ]
  })
}
