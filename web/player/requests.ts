/** The requests of the player. */
import type { operations } from '../api/schema.d.ts'
import { answerOf, api } from '../api/client.ts'
import type { Answer } from '../api/problems.ts'
import { backOffMs, type Session } from './engine.ts'
import type { SessionRequests } from './session.ts'
import type { ThumbnailPlan } from './thumbnails.ts'

export type NewSession = NonNullable<operations['startPlayback']['requestBody']>['content']['application/json']

export const startSession = (body: NewSession): Promise<Answer<Session>> => answerOf(api.POST('/v1/playback/sessions', { body }))

const SESSIONS = '/v1/playback/sessions'

export const sessionRequests: SessionRequests = {
  beat: (id, body, options) => answerOf(api.POST('/v1/playback/sessions/{id}/heartbeat', { params: { path: { id } }, body, ...options })),
  end(id, position) {
    const query = position === undefined ? '' : `?position=${position.toFixed(3)}`
    void endPatiently(`${SESSIONS}/${encodeURIComponent(id)}${query}`)
  },
}

/** The session ends by itself two minutes after its last heartbeat, but where it was left only this request says. */
const END_TRIES = 15

async function endPatiently(url: string): Promise<void> {
  for (let failures = 0; failures < END_TRIES; failures += 1) {
    const answer = await fetch(url, { method: 'DELETE', keepalive: true }).catch(() => undefined)
    if (answer && answer.status < 500 && answer.status !== 429) return
    await new Promise((resolve) => setTimeout(resolve, backOffMs(failures)))
  }
}

/** Titles of what the person plays at the moment, on any device. */
export async function ownStreams(): Promise<readonly string[]> {
  const answer = await answerOf(api.GET('/v1/playback/sessions/active', { params: { query: { limit: 20 } } }))
  return answer.ok ? answer.value.items.map(({ movie }) => movie.title) : []
}

export async function thumbnailPlan(url: string): Promise<ThumbnailPlan | undefined> {
  try {
    const response = await fetch(url)
    return response.ok ? ((await response.json()) as ThumbnailPlan) : undefined
  } catch {
    return undefined
  }
}
