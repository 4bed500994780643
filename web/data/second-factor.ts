/** The person's second factor. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { thenRefetch, type Context } from './query-client.ts'

export type NewFactor = components['schemas']['NewSecondFactor']

const KEY = ['second-factor']

export const factorQuery = {
  queryKey: KEY,
  queryFn: ({ signal }: Context) => valueOf(api.GET('/api/auth/two-factor', { signal })),
}

export const prepareFactor = (password: string) => answerOf(api.POST('/api/auth/two-factor/enable', { body: { password } }))

export const activateFactor = (code: string) =>
  thenRefetch(KEY, answerOf<unknown>(api.POST('/api/auth/two-factor/activate', { body: { code } })))

export const disableFactor = (password: string, code: string) =>
  thenRefetch(KEY, answerOf<unknown>(api.POST('/api/auth/two-factor/disable', { body: { password, code } })))

export const replaceCodes = (password: string, code: string) =>
  thenRefetch(KEY, answerOf(api.POST('/api/auth/two-factor/generate-backup-codes', { body: { password, code } })))
