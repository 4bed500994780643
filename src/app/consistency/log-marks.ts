/**
 * Log marks: whether the views were made from this log. Whoever keeps views stores, together with how far they are, the hash of the
 * last event in them; the hash holds all before it in its stream, and no other log has it. Views that are ahead of the log would leave
 * out what is stored next, without a word: after an older backup, a log that is missing, or one of another installation.
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
  /** Collections that the views are kept in. */
  readonly collections: readonly string[]
  readonly clock: Clock
}

/** The views are not of this log. It may pass by itself only when a person changes one of them. */
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

/** A server of several may be a moment behind the others: what is still so after that is so. */
const TRIES = 6
const PAUSE_MS = 500

export const markOf = ({ stream, revision, position, metadata }: StoredEvent): LogMark => ({
  stream,
  revision,
  position,
  hash: metadata.hash,
})

/** What is wrong, in words; undefined: nothing, or nothing that can be told since no mark was stored yet. */
export async function faultOfViews({ log, store, collections, clock }: JudgedViews): Promise<string | undefined> {
  return confirmed(clock, async () => {
    for (const mark of await storedMarks(store))
      if (!(await holds(log, mark))) return `event ${position(mark.position)} is another one there`
    const existing = new Set(await store.collections())
    const checkpoints: Position[] = []
    for (const name of collections) if (existing.has(name)) checkpoints.push(await store.checkpoint(name))
    // Last: others may be storing.
    const head = await log.head()
    for (const checkpoint of checkpoints) {
      if (checkpoint > head) return `they are at ${position(checkpoint)}, and the log ends at ${position(head)}`
    }
    return undefined
  })
}

/** @throws OtherLog the event is not any more what it was */
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
