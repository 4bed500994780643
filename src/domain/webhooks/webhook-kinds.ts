/** Which live events a webhook gets: those that every administrator may see, of the kinds that it names. */
import type { LiveEvent } from '../feed/live-event.ts'
import { isFor } from '../feed/live-events.ts'
import type { UserId } from '../../vocabulary/id.ts'

/** Nobody's own events: a webhook belongs to the server, so it gets no marks, resume points or watchlists of a person. */
const WEBHOOK = { userId: '' as UserId, role: 'admin', libraryAccess: 'all', libraryIds: [] } as const

/** `visible`: the library of the event is known and exists. */
export const isForWebhooks = (event: LiveEvent, visible: boolean): boolean => isFor(WEBHOOK, event, { visible, everyone: true })

/** `patterns`: kinds such as `movie.added`, or `movie.*`, or `*`. */
export function isNamed(kind: string, patterns: readonly string[]): boolean {
  const group = `${kind.slice(0, kind.indexOf('.'))}.*`
  return patterns.some((pattern) => pattern === '*' || pattern === kind || pattern === group)
}

/** What an event is about. Events of one subject reach a webhook in order. */
export function subjectOf({ audience, payload }: LiveEvent): string {
  if (typeof payload.sessionId === 'string') return `session ${payload.sessionId}`
  if (audience.to === 'library' || audience.to === 'granted') return `library ${audience.libraryId}`
  if (audience.to === 'movie') return `movie ${audience.movieId}`
  if (audience.to === 'player') return `user ${audience.userId}`
  return typeof payload.userId === 'string' ? `user ${payload.userId}` : 'server'
}
