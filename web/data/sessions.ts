/** Who watches what at the moment, and what administrators may do about it. */
import { answerOf, api, valueOf } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import type { components } from '../api/schema.d.ts'
import type { Context } from './query-client.ts'

export type ActiveSession = components['schemas']['ActiveSession']

const MOST = 100

/** Of everyone: administrators only. */
export const sessionsQuery = (ofEveryone: boolean) => ({
  queryKey: ['sessions', ofEveryone ? 'all' : 'own'],
  queryFn: ({ signal }: Context) =>
    valueOf(
      api.GET('/v1/playback/sessions/active', {
        params: { query: { scope: ofEveryone ? 'all' : 'own', limit: MOST, view: 'card' } },
        signal,
      }),
    ),
})

const commandPlayer = (id: string, body: { readonly command: 'pause' | 'message'; readonly message?: string }): Promise<Answer<unknown>> =>
  answerOf<unknown>(api.POST('/v1/admin/playback/sessions/{id}/commands', { params: { path: { id } }, body }))

export const pausePlayer = (id: string): Promise<Answer<unknown>> => commandPlayer(id, { command: 'pause' })

export const messagePlayer = (id: string, message: string): Promise<Answer<unknown>> => commandPlayer(id, { command: 'message', message })

/** The person sees the message, if there is one. */
export const stopPlayer = (id: string, message: string): Promise<Answer<unknown>> =>
  answerOf<unknown>(
    api.POST('/v1/admin/playback/sessions/{id}/terminate', {
      params: { path: { id } },
      body: message === '' ? {} : { message },
    }),
  )
