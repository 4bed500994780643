/**
 * Checks whether the views were made from this log. With their position, views store a mark: the hash of the last event in them. The hash
 * covers all earlier events of its stream, and no other log has it. Views that are ahead of the log would silently skip the events that are
 * stored next. That happens after an older backup, with a missing log, or with the log of another installation.
 */
import type { StoredEvent } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { ReadStore } from '../../ports/read-store.ts'
import { storedMarks, type LogMark } from './stored-progress.ts'

export interface JudgedViews {
  readonly log: EventLog
  readonly store: ReadStore
  /** Collections of the views. */
  readonly collections: readonly string[]
  readonly clock: Clock
}

/** The views do not belong to this log. Only a person who replaces one of the two can repair that. */
export class OtherLog extends ServerUnavailable {
  override readonly code = 'other-log'
  constructor(fault: string) {
    super('the views of this log')
    this.name = 'OtherLog'
    this.message =
      `The read models are not of this event log: ${fault}. Give the log they were made from (MARQUEE_EVENT_LOG), ` +
      'or drop their database (MARQUEE_READ_STORE), so that they are rebuilt, and restart all nodes'
  }
}

/** One server of a cluster may be briefly behind the others: a fault that persists is real. */
const TRIES = 6
const PAUSE_MS = 500

export const markOf = ({ stream, revision, position, metadata }: StoredEvent): LogMark => ({
  stream,
  revision,
  position,
  hash: metadata.hash,
})

/** A description of the fault; undefined if there is none, or if no mark was stored yet to detect it. */
export async function faultOfViews({ log, store, collections, clock }: JudgedViews): Promise<string | undefined> {
  return confirmed(clock, async () => {
    for (const mark of await storedMarks(store))
      if (!(await holds(log, mark))) return `event ${position(mark.position)} is another one there`
    const existing = new Set(await store.collections())
    const checkpoints: Position[] = []
    for (const name of collections) if (existing.has(name)) checkpoints.push(await store.checkpoint(name))
    // Read the head last: other nodes may be storing events.
    const head = await log.head()
    for (const checkpoint of checkpoints) {
      if (checkpoint > head) return `they are at ${position(checkpoint)}, and the log ends at ${position(head)}`
    }
    return undefined
  })
}

/** @throws OtherLog if the log has another event at the mark */
export async function assertHolds(log: EventLog, mark: LogMark, clock: Clock): Promise<void> {
  const fault = await confirmed(clock, async () =>
    (await holds(log, mark)) ? undefined : `event ${position(mark.position)} is another one there`,
  )
  if (fault !== undefined) throw new OtherLog(fault)
}

async function confirmed(clock: Clock, look: () => Promise<string | undefined>): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const fault = await look()
    if (fault === undefined || tries === TRIES) return fault
    await clock.sleep(PAUSE_MS)
  }
}

async function holds(log: EventLog, mark: LogMark): Promise<boolean> {
  for await (const { revision, position, metadata } of log.read(mark.stream, mark.revision)) {
    return revision === mark.revision && position === mark.position && metadata.hash === mark.hash
  }
  return false
}

const position = (at: Position): string => `position ${BigInt(at)}`
