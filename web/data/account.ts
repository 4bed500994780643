/** The person's own account: name, e-mail, password, logins, data. */
import { api, answerOf, valueOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import { thenRefetch } from './query-client.ts'
import { forget, who } from './who.ts'

export const loginsQuery = {
  queryKey: ['logins'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => valueOf(api.GET('/api/auth/list-sessions', { signal })),
}

/** The login of this browser. */
export const ownLoginQuery = {
  queryKey: ['own-login'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => valueOf(api.GET('/api/auth/get-session', { signal })),
}

export interface Profile {
  readonly name: string
  readonly email: string
}

export async function changeProfile(profile: Profile): Promise<Answer<unknown>> {
  const answer = await answerOf(api.PATCH('/v1/users/me', { body: { ...profile } }))
  if (answer.ok) who.value = answer.value
  return answer
}

export interface PasswordChange {
  readonly currentPassword: string
  readonly newPassword: string
  readonly revokeOtherSessions: boolean
}

export const changePassword = (change: PasswordChange): Promise<Answer<unknown>> =>
  answerOf<unknown>(api.POST('/api/auth/change-password', { body: { ...change } }))

export const endLogin = (id: string) =>
  thenRefetch(loginsQuery.queryKey, answerOf<unknown>(api.POST('/api/auth/revoke-session', { body: { id } })))

export const endOtherLogins = () => thenRefetch(loginsQuery.queryKey, answerOf<unknown>(api.POST('/api/auth/revoke-other-sessions')))

export async function eraseMe(password: string): Promise<Answer<unknown>> {
  const answer = await answerOf<unknown>(api.POST('/v1/users/me/erase', { body: { password } }))
  if (answer.ok) forget('ended')
  return answer
}
