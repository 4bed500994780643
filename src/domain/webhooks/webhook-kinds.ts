/** Which live events a webhook gets: those that every administrator may see, of the kinds that it names. */
import type { LiveEvent } from '../feed/live-event.ts'
import { isFor } from '../feed/live-events.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { refuse, type Refusal } from '../refusal.ts'

/** All that a webhook may get. */
export const WEBHOOK_KINDS = [
  ...(['created', 'updated', 'deleted', 'offline', 'online', 'massMissing'] as const).map((what) => `library.${what}` as const),
  ...(['started', 'progress', 'completed', 'failed', 'cancelled'] as const).map((what) => `scan.${what}` as const),
  ...(['added', 'updated', 'missing', 'restored', 'removed'] as const).map((what) => `movie.${what}` as const),
  ...(['started', 'progress', 'seeked', 'ended', 'command'] as const).map((what) => `playback.${what}` as const),
  ...(['created', 'updated', 'deleted'] as const).map((what) => `user.${what}` as const),
  'trickplay.ready',
  'history.added',
  'analytics.changed',
] as const

export type WebhookKind = (typeof WEBHOOK_KINDS)[number]

/** Nobody's own events: a webhook belongs to the server, so it gets no marks, resume points or watchlists of a person. */
const WEBHOOK = { userId: '' as UserId, role: 'admin', libraryAccess: 'all', libraryIds: [] } as const

/** `visible`: the library of the event is known and exists. */
export const isForWebhooks = (event: LiveEvent, visible: boolean): boolean =>
  isFor(WEBHOOK, event, { visible, admin: true, everyone: true })

/** `patterns`: kinds such as `movie.added`, or `movie.*`, or `*`. */
export function isNamed(kind: string, patterns: readonly string[]): boolean {
  const group = `${kind.slice(0, kind.indexOf('.'))}.*`
  return patterns.some((pattern) => pattern === '*' || pattern === kind || pattern === group)
}

/** Refuses patterns that name nothing a webhook may get. `path`: `events.` and the index of the first. */
export function faultOfPatterns(patterns: readonly string[]): Refusal | undefined {
  const index = patterns.findIndex((pattern) => !WEBHOOK_KINDS.some((kind) => isNamed(kind, [pattern])))
  if (index < 0) return undefined
  return refuse('invalid', `must be *, a group such as movie.*, or one of ${WEBHOOK_KINDS.join(', ')}`, { path: `events.${index}` })
}

/** What an event is about. Events of one subject reach a webhook in order. */
export function subjectOf({ audience, payload }: LiveEvent): string {
  if (typeof payload.sessionId === 'string') return `session ${payload.sessionId}`
  if (audience.to === 'library' || audience.to === 'granted') return `library ${audience.libraryId}`
  if (audience.to === 'movie') return `movie ${audience.movieId}`
  if (audience.to === 'player') return `user ${audience.userId}`
  return typeof payload.userId === 'string' ? `user ${payload.userId}` : 'server'
}
