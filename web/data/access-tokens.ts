/** The person's access tokens. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import type { components, operations } from '../api/schema.d.ts'
import { queryClient, type Context } from './query-client.ts'

type NewToken = NonNullable<operations['createAccessToken']['requestBody']>['content']['application/json']

export const SCOPES = ['read', 'playback', 'write', 'admin'] as const satisfies readonly NewToken['scopes'][number][]

const KEY = ['access-tokens']

export const tokensQuery = {
  queryKey: KEY,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/users/me/access-tokens', { signal })),
}

export async function createToken(body: NewToken): Promise<Answer<components['schemas']['NewAccessToken']>> {
  const answer = await answerOf(api.POST('/v1/users/me/access-tokens', { body }))
  await queryClient.invalidateQueries({ queryKey: KEY })
  return answer
}

export async function revokeToken(id: string): Promise<void> {
  await answerOf<unknown>(api.DELETE('/v1/users/me/access-tokens/{id}', { params: { path: { id } } }))
  await queryClient.invalidateQueries({ queryKey: KEY })
}
