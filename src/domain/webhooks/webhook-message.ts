/** The sentence that a person gets about an event, in English. It names films, and never a person. */
import type { JsonObject } from '../../events/envelope.ts'
import type { WebhookKind } from './webhook-kinds.ts'

export interface WebhookEvent {
  /** Such as `movie.added`. */
  readonly kind: string
  readonly at: string
  /** As in the stream of live events. */
  readonly data: JsonObject
  /** Title and year of the film that it is about, if there is one. */
  readonly film: string | null
}

const SENTENCES: Readonly<Record<string, string>> = {
  'library.created': 'A library was created',
  'library.updated': 'A library was changed',
  'library.deleted': 'A library was removed',
  'library.offline': 'The folders of a library are not available',
  'library.online': 'The folders of a library are available again',
  'library.massMissing': 'Most files of a library are missing',
  'scan.started': 'A scan has started',
  'scan.progress': 'A scan is running',
  'scan.completed': 'A scan is complete',
  'scan.failed': 'A scan has failed',
  'scan.cancelled': 'A scan was cancelled',
  'movie.added': '{film} was added',
  'movie.updated': '{film} was updated',
  'movie.missing': 'The files of {film} are missing',
  'movie.restored': 'The files of {film} are back',
  'movie.removed': '{film} was removed',
  'trickplay.ready': 'The preview images of {film} are ready',
  'playback.started': 'Somebody started {film}',
  'playback.progress': 'Somebody is watching {film}',
  'playback.seeked': 'Somebody moved to another position in {film}',
  'playback.ended': 'Somebody stopped {film}',
  'playback.command': 'A command was sent to a player',
  'history.added': 'A viewing of {film} was added to the history',
  'analytics.changed': 'Figures have changed',
  'user.created': 'An account was created',
  'user.updated': 'An account was changed',
  'user.deleted': 'An account was removed',
  'webhook.test': 'This is a test of a webhook',
} satisfies Readonly<Record<WebhookKind | 'webhook.test', string>>

export const messageOf = ({ kind, film }: WebhookEvent): string =>
  (SENTENCES[kind] ?? `Event ${kind}`).replace('{film}', () => film ?? 'a film')
