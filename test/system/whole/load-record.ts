/**
 * Records the commands of a load and their 2xx responses, and compares the log with them: each acknowledged command is in the log exactly
 * once.
 */
import type { RecordedEvent } from '../../../src/events/recorded.ts'

/** A command that is retried until it is acknowledged, or one that was given up. */
export interface Asked {
  acknowledged: boolean
}

export interface Beat extends Asked {
  readonly positionMs: number
}

export interface Mark extends Asked {
  readonly watched: boolean
}

export interface LoadRecord {
  /** By session, in the order sent: each attempt has a unique position. */
  readonly beats: Map<string, Beat[]>
  /** By user and movie (`markKey`), in the order sent; each is retried until it is acknowledged, then its opposite follows. */
  readonly marks: Map<string, Mark[]>
  /** Sessions by idempotency key: null until one is acknowledged. */
  readonly starts: Map<string, { readonly userId: string; sessionId: string | null; ended: boolean }>
}

export const openLoadRecord = (): LoadRecord => ({ beats: new Map(), marks: new Map(), starts: new Map() })

export const markKey = (userId: string, movieId: string) => `${userId} ${movieId}`

export function enter<Entry>(entries: Map<string, Entry[]>, key: string, entry: Entry): Entry {
  const list = entries.get(key)
  if (list) list.push(entry)
  else entries.set(key, [entry])
  return entry
}

const acknowledged = <Entry extends Asked>(entries: Iterable<readonly Entry[]>): readonly Entry[] =>
  [...entries].flat().filter((entry) => entry.acknowledged)

/** Number of acknowledged commands. */
export function acknowledgedIn({ beats, marks, starts }: LoadRecord): number {
  const made = [...starts.values()]
  const startsAndEnds = made.filter(({ sessionId }) => sessionId !== null).length + made.filter(({ ended }) => ended).length
  return acknowledged(beats.values()).length + acknowledged(marks.values()).length + startsAndEnds
}

/** Differences between log and record: lost commands, and commands that were executed twice. */
export interface Discrepancies {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
}

export function compareWithLog(record: LoadRecord, events: readonly RecordedEvent[]): Discrepancies {
  const all = [...beatsOf(record, events), ...marksOf(record, events), ...startsOf(record, events)]
  return { lost: all.flatMap(({ lost }) => lost), doubled: all.flatMap(({ doubled }) => doubled) }
}

function beatsOf({ beats }: LoadRecord, events: readonly RecordedEvent[]): readonly Discrepancies[] {
  const stored = new Map<string, number[]>()
  for (const { type, data } of events) if (type === 'PlaybackHeartbeat') enter(stored, data.sessionId, data.positionMs)
  return [...beats].map(([session, sent]) => {
    const positions = stored.get(session) ?? []
    const times = Map.groupBy(positions, (positionMs) => positionMs)
    const missing = sent.filter((beat) => beat.acknowledged && !times.has(beat.positionMs))
    const twice = [...times].filter(([, { length }]) => length > 1)
    // Each was sent after the response to the one before, so the log has them in this order.
    const known = new Set(sent.filter((beat) => beat.acknowledged).map(({ positionMs }) => positionMs))
    const answered = positions.filter((positionMs) => known.has(positionMs))
    const isInOrder = answered.every((positionMs, n) => n === 0 || positionMs >= (answered[n - 1] ?? 0))
    return {
      lost: [
        ...missing.map(({ positionMs }) => `heartbeat ${positionMs} ms of ${session}`),
        ...(isInOrder ? [] : [`the order of heartbeats of ${session}`]),
      ],
      doubled: twice.map(([positionMs]) => `heartbeat ${positionMs} ms of ${session}`),
    }
  })
}

function marksOf({ marks }: LoadRecord, events: readonly RecordedEvent[]): readonly Discrepancies[] {
  const stored = new Map<string, boolean[]>()
  for (const { type, data } of events) {
    if (type !== 'MovieMarkedWatched' && type !== 'MovieMarkedUnwatched') continue
    enter(stored, markKey(data.userId, data.movieId), type === 'MovieMarkedWatched')
  }
  return [...marks].map(([key, sent]) => {
    const found = stored.get(key) ?? []
    const done = sent.filter((mark) => mark.acknowledged).length
    const isTwice = found.length > sent.length || found.some((watched, n) => watched === found[n - 1])
    return { lost: found.length < done ? [`${done - found.length} marks of ${key}`] : [], doubled: isTwice ? [`marks of ${key}`] : [] }
  })
}

function startsOf({ starts }: LoadRecord, events: readonly RecordedEvent[]): readonly Discrepancies[] {
  const started = new Map<string, string[]>()
  const ended: string[] = []
  for (const { type, data } of events) {
    if (type === 'PlaybackStarted') enter(started, data.userId, data.sessionId)
    if (type === 'PlaybackEnded') ended.push(data.sessionId)
  }
  const asked = [...starts.values()]
  const sessions = asked.filter(({ sessionId }) => sessionId !== null)
  const lost = [
    ...sessions.filter(({ userId, sessionId }) => !started.get(userId)?.includes(sessionId ?? '')).map((one) => `session ${one.sessionId}`),
    ...sessions.filter((one) => one.ended && !ended.includes(one.sessionId ?? '')).map((one) => `the end of session ${one.sessionId}`),
  ]
  const doubled = [...Map.groupBy(asked, ({ userId }) => userId)].flatMap(([userId, { length }]) => {
    const made = started.get(userId)?.length ?? 0
    return made > length ? [`${made} sessions of ${userId} for ${length} keys`] : []
  })
  return [{ lost, doubled: [...doubled, ...ended.filter((id, n) => ended.indexOf(id) !== n).map((id) => `the end of session ${id}`)] }]
}
