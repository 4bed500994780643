/** People for administrators: accounts, grants, limits, logins, and erasing. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import type { components } from '../api/schema.d.ts'
import { queryClient, thenRefetch, type Context } from './query-client.ts'

type Schemas = components['schemas']
export type User = Schemas['User']
export type Receipt = Schemas['ErasureReceipt']

const MOST = 100

export const userQuery = (id: string) => ({
  queryKey: ['user', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/users/{id}', { params: { path: { id } }, signal })),
})

export const loginsOfQuery = (id: string) => ({
  queryKey: ['logins-of', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/users/{id}/logins', { params: { path: { id }, query: { limit: MOST } }, signal })),
})

export const receiptQuery = (erasure: string) => ({
  queryKey: ['erasure', erasure],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/erasures/{id}', { params: { path: { id: erasure } }, signal })),
})

/** Where the receipt can be downloaded. */
export const receiptPath = (erasure: string): string => `/v1/erasures/${erasure}`

export interface NewUser extends Pick<User, 'name' | 'email' | 'role'> {
  readonly password: string
}

export const createUser = (user: NewUser): Promise<Answer<User>> => answerOf(api.POST('/v1/users', { body: { ...user } }))

export type UserChange = Partial<
  Pick<User, 'name' | 'email' | 'role' | 'enabled' | 'libraryAccess' | 'libraryIds' | 'maxConcurrentStreams'>
>

export async function changeUser(id: string, change: UserChange): Promise<Answer<User>> {
  const answer = await answerOf(api.PATCH('/v1/users/{id}', { params: { path: { id } }, body: { ...change } }))
  if (answer.ok) queryClient.setQueryData(['user', id], answer.value)
  return answer
}

interface Link {
  readonly linked: boolean
  readonly consentUntil: string | null
}

/** Whether the account is linked with one at the identity provider, or may be. */
export const linkQuery = (id: string) => ({
  queryKey: ['user', id, 'link'],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/users/{id}/single-sign-on', { params: { path: { id } }, signal })),
})

/** Until when (milliseconds since 1970) the account may be linked by its e-mail address; 0: it may not. */
export function linkAllowedUntil({ consentUntil }: Link, now = Date.now()): number {
  const until = consentUntil === null ? 0 : Date.parse(consentUntil)
  return until > now ? until : 0
}

const CONSENT = '/v1/users/{id}/single-sign-on/consent'

export async function allowLink(id: string): Promise<Answer<Link>> {
  const answer = await answerOf(api.PUT(CONSENT, { params: { path: { id } } }))
  if (answer.ok) queryClient.setQueryData(linkQuery(id).queryKey, answer.value)
  return answer
}

export const forbidLink = (id: string) =>
  thenRefetch(linkQuery(id).queryKey, answerOf<unknown>(api.DELETE(CONSENT, { params: { path: { id } } })))

export const resetPassword = (id: string, password: string): Promise<Answer<unknown>> =>
  answerOf<unknown>(api.POST('/v1/users/{id}/password', { params: { path: { id } }, body: { password } }))

export const endLoginOf = (id: string, loginId: string) =>
  thenRefetch(['logins-of', id], answerOf<unknown>(api.DELETE('/v1/users/{id}/logins/{loginId}', { params: { path: { id, loginId } } })))

export const removeUser = (id: string): Promise<Answer<unknown>> =>
  answerOf<unknown>(api.DELETE('/v1/users/{id}', { params: { path: { id } } }))

/** Gives the id of the erasure; its receipt is kept for the page that shows it. */
export async function eraseUser(id: string): Promise<Answer<Schemas['Erasure'] | undefined>> {
  const answer = await answerOf(api.DELETE('/v1/users/{id}', { params: { path: { id }, query: { erase: true } } }))
  if (!answer.ok) return answer
  const erasure = answer.value as Schemas['Erasure'] | undefined
  if (erasure?.receipt) queryClient.setQueryData(['erasure', erasure.id], erasure.receipt)
  return { ...answer, value: erasure }
}
