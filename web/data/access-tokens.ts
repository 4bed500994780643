/** The person's access tokens. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { operations } from '../api/schema.d.ts'
import { thenRefetch, type Context } from './query-client.ts'

type NewToken = NonNullable<operations['createAccessToken']['requestBody']>['content']['application/json']

export const SCOPES = ['read', 'playback', 'write', 'admin'] as const satisfies readonly NewToken['scopes'][number][]

const KEY = ['access-tokens']

export const tokensQuery = {
  queryKey: KEY,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/users/me/access-tokens', { signal })),
}

export const createToken = (body: NewToken) => thenRefetch(KEY, answerOf(api.POST('/v1/users/me/access-tokens', { body })))

export const revokeToken = (id: string) =>
  thenRefetch(KEY, answerOf<unknown>(api.DELETE('/v1/users/me/access-tokens/{id}', { params: { path: { id } } })))
