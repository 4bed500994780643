/** Builds one audit row from an event: its actor, its target and its changes. */
import { decode } from '../../src/events/codec.ts'
import type { JsonObject, StoredEvent } from '../../src/events/envelope.ts'
import { leafHash } from '../../src/events/merkle-tree.ts'
import { logEntry } from '../../src/events/log-entry.ts'
import type { Position } from '../../src/events/position.ts'
import { partsOf, watchedParts } from '../../src/events/streams.ts'
import { changesBy, type Change } from './audit-changes.ts'

export type TargetKind = 'user' | 'library' | 'movie' | 'login' | 'session' | 'scan' | 'job' | 'webhook' | 'server'

export interface AuditRow {
  /** Row number, starting at 1, without gaps. */
  readonly seq: number
  readonly position: Position
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly at: string
  /** The latest `at` so far, then the seq: increases with every row, although the nodes' clocks differ. */
  readonly timeKey: string
  /**
   * True: the row was stored so long after its `at` that a search by time would miss it: an earlier clock ran fast, or its own ran slow.
   * Otherwise null, so that no index lists the row.
   */
  readonly late: true | null
  /** False: listed only if the query asks for its type. */
  readonly listed: boolean
  /** `user:<id>`, `agent:<id>`, `system`, `cli`. */
  readonly actor: string
  /** The id in `actor`. */
  readonly actorId: string | null
  readonly targetKind: TargetKind
  readonly targetId: string | null
  /** The user affected, not the actor; `EVERYBODY` if the event affects all users. */
  readonly subjectId: string | null
  readonly requestId: string | null
  /** Sealed. */
  readonly address: string | null
  readonly client: string | null
  readonly changes: readonly Change[]
  /** State of the stream after this event, which the stream's next row compares with. */
  readonly after: JsonObject
  /** Base64. */
  readonly leafHash: string
}

/** Subject of an access to the history of all users. */
export const EVERYBODY = '*'

/** Id of the audit row of an event. */
export const auditRowId = ({ stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>): string => `${stream}@${revision}`

export interface Before {
  readonly seq: number
  /** The latest `at` so far. */
  readonly latestAt: string
  /** State of the stream before the event. */
  readonly state: JsonObject
}

const SEQ_DIGITS = 16

/** The later of two times in the same format. */
export const later = (a: string, b: string): string => (a > b ? a : b)

/** Tolerance for differing clocks: an event may be stored this much later than its `at`. */
export const CLOCKS_APART_MS = 3_600_000

const isLate = (at: string, latestAt: string): boolean => Date.parse(latestAt) - Date.parse(at) > CLOCKS_APART_MS

const UNLISTED: ReadonlySet<string> = new Set(['PlaybackHeartbeat'])

export function auditRow(stored: StoredEvent, before: Before): AuditRow {
  const { position, stream, revision, type, metadata } = stored
  const { changes, after } = changesOf(stored, before.state)
  const { actor, at, request = null, address = null, client = null } = metadata
  const [, actorId = null] = /^\w+:(.+)$/.exec(actor) ?? []
  return {
    seq: before.seq + 1,
    position,
    stream,
    revision,
    type,
    at,
    timeKey: `${later(at, before.latestAt)} ${String(before.seq + 1).padStart(SEQ_DIGITS, '0')}`,
    late: isLate(at, before.latestAt) ? true : null,
    listed: !UNLISTED.has(type),
    actor,
    actorId,
    ...targetOf(stored),
    subjectId: textIn(stored.data, 'userId') ?? (type === 'HistoryViewed' ? EVERYBODY : null),
    requestId: request,
    address,
    client,
    changes,
    after,
    leafHash: Buffer.from(leafHash(logEntry(stored))).toString('base64'),
  }
}

/** An event that this version cannot read, or whose data does not match its type, still gets a row. */
function changesOf(stored: StoredEvent, state: JsonObject): ReturnType<typeof changesBy> {
  try {
    return changesBy(decode(stored), state)
  } catch {
    return { changes: [], after: state }
  }
}

const KINDS: Readonly<Record<string, TargetKind>> = {
  library: 'library',
  movie: 'movie',
  user: 'user',
  login: 'login',
  playback: 'session',
  transcode: 'job',
  webhook: 'webhook',
}

function targetOf({ stream, type, data }: StoredEvent): Pick<AuditRow, 'targetKind' | 'targetId'> {
  const { category, name } = partsOf(stream)
  // No login came of it: its id in the stream's name is of no use.
  const refusedFor = type === 'SignInRefused' ? textIn(data, 'userId') : null
  if (refusedFor !== null) return { targetKind: 'user', targetId: refusedFor }
  const kind = KINDS[category]
  if (kind) return { targetKind: kind, targetId: name }
  if (category === 'watched') return { targetKind: 'movie', targetId: watchedParts(name).movieId }
  if (category === 'scan') return { targetKind: 'scan', targetId: textIn(data, 'scanId') }
  if (type === 'HistoryViewed') return { targetKind: 'user', targetId: textIn(data, 'userId') }
  if (category === 'claim' || category === 'erasure' || category === 'import')
    return { targetKind: 'user', targetId: textIn(data, 'userId') }
  return { targetKind: 'server', targetId: null }
}

const textIn = (data: JsonObject, name: string): string | null => (typeof data[name] === 'string' ? data[name] : null)
