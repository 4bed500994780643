/**
 * Computes what an event changes, for people: paths with the value before and after.
 * `from` is the value that earlier events of the stream set; null if none did.
 */
import { canonicalJson } from '../../src/events/canonical-json.ts'
import type { EventType } from '../../src/events/catalogue.ts'
import type { Json, JsonObject } from '../../src/events/envelope.ts'
import type { RecordedEvent } from '../../src/events/recorded.ts'
import { ACCOUNT_PATHS } from './audit-account-paths.ts'
import { CATALOGUE_PATHS } from './audit-catalogue-paths.ts'
import { HISTORY_PATHS } from './audit-history-paths.ts'
import type { PathsOf } from './audit-paths.ts'
import { PLAYBACK_PATHS } from './audit-playback-paths.ts'
import { WEBHOOK_PATHS } from './audit-webhook-paths.ts'

export interface Change {
  readonly path: string
  readonly from: Json
  readonly to: Json
}

const PATHS: { readonly [T in EventType]: PathsOf<T> } = {
  ...ACCOUNT_PATHS,
  ...CATALOGUE_PATHS,
  ...HISTORY_PATHS,
  ...PLAYBACK_PATHS,
  ...WEBHOOK_PATHS,
}

/** A stream may hold several of these things in succession; each of these events starts a new one from an empty state. */
const BEGINS: ReadonlySet<EventType> = new Set(['ScanRequested'])

/** These happen to a thing without changing it: what they say is new each time, and the state of the stream stays as it is. */
const HAPPENS: ReadonlySet<EventType> = new Set([
  'AccessDenied',
  'HistoryViewed',
  'LoginsExpired',
  'PlaybackCommandIssued',
  'RebuildRequested',
  'SignInRefused',
])

/** The changes, and the state of the stream after the event. An unknown event (undefined) sets nothing. */
export function changesBy(event: RecordedEvent | undefined, before: JsonObject): { changes: readonly Change[]; after: JsonObject } {
  if (!event) return { changes: [], after: before }
  const happens = HAPPENS.has(event.type)
  const known = happens || BEGINS.has(event.type) ? {} : before
  const set = (PATHS[event.type] as (data: object, before: JsonObject) => JsonObject)(event.data, known)
  const changes: Change[] = []
  for (const [path, to] of Object.entries(set)) {
    const from = known[path] ?? null
    if (differ(from, to) && !(from === null && isEmptyList(to))) changes.push({ path, from, to })
  }
  return { changes, after: happens ? before : { ...known, ...set } }
}

/** Most values are texts and numbers, or set for the first time: they need no canonical text. */
const differ = (from: Json, to: Json): boolean =>
  isComposed(from) && isComposed(to) ? canonicalJson(from) !== canonicalJson(to) : from !== to

const isComposed = (value: Json): boolean => typeof value === 'object' && value !== null

/** An empty list equals a value that was never set. */
const isEmptyList = (value: Json): boolean => Array.isArray(value) && value.length === 0
