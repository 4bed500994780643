/** Which film a movie is: candidates of the online provider, and the choice of one. For administrators. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { components, paths } from '../api/schema.d.ts'
import type { Answer } from '../api/problems.ts'
import type { Movie } from './queries.ts'
import { queryClient, type Context } from './query-client.ts'

export type Candidate = components['schemas']['MatchCandidateList']['items'][number]
type Pin = NonNullable<paths['/v1/movies/{id}/match']['post']['requestBody']>['content']['application/json']

export interface CandidateSearch {
  readonly q?: string
  readonly year?: number
}

/** The provider may be away: the person sees that, and tries again. */
export const candidatesQuery = (id: string, search: CandidateSearch) => ({
  queryKey: ['match-candidates', id, search],
  queryFn: ({ signal }: Context) =>
    valueOf(api.GET('/v1/movies/{id}/match/candidates', { params: { path: { id }, query: { ...search } }, signal })),
  gcTime: 0,
  retry: false,
})

/** The answer is the movie as it is then. */
export async function pinMatch(id: string, pin: Pin): Promise<Answer<Movie>> {
  const answer = await answerOf(api.POST('/v1/movies/{id}/match', { params: { path: { id } }, body: pin }))
  if (answer.ok) queryClient.setQueryData(['movie', id], answer.value)
  return answer
}

/** The pin that makes the movie the film again that it is now. */
export function pinOf({ externalIds: { tmdb, imdb }, title, year }: Movie): Pin {
  if (tmdb !== null) return { tmdbId: tmdb }
  return imdb === null ? { title, year } : { imdbId: imdb }
}
