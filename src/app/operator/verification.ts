/** Verification: does every event's hash fit its content and the event before it in its stream, and is the log as a whole sound? */
import { verifies, whyUndecodable } from '../../events/codec.ts'
import type { StoredEvent } from '../../events/envelope.ts'
import { later, START, type Position } from '../../events/position.ts'
import { UnreadableEvent, type EventLog } from '../../ports/event-log.ts'
import type { StreamProblem, Verification } from './operator-commands.ts'

const PROBLEMS_MAX = 100
const STEP_EVENTS = 10_000

export interface VerifyOptions {
  /** Gets the number of events so far. */
  readonly step: (events: number) => void
  readonly signal: AbortSignal
  /** Compares the events with what is known of them from elsewhere. */
  readonly witness?: Witness
}

interface Witness {
  add(stored: StoredEvent | undefined): Promise<void>
  faults(): readonly string[]
}

/** Reads the whole log up to its head as it stands now, past what cannot be read. */
export async function verifyLog(log: EventLog, { step, signal, witness }: VerifyOptions): Promise<Verification> {
  const head = await log.head()
  const tails = new Map<string, { revision: number; hash: string }>()
  const problems: StreamProblem[] = []
  let events = 0
  const found = (problem: StreamProblem): void => {
    if (problems.length < PROBLEMS_MAX) problems.push(problem)
  }
  for await (const one of walk(log, head, signal)) {
    if (++events % STEP_EVENTS === 0) step(events)
    await witness?.add(one instanceof UnreadableEvent ? undefined : one)
    const { stream, revision } = one instanceof UnreadableEvent ? one.place : one
    if (one instanceof UnreadableEvent) found({ stream: stream ?? '?', revision: revision ?? -1, reason: one.message })
    if (stream === undefined || revision === undefined) continue
    const tail = tails.get(stream) ?? { revision: -1, hash: '' }
    if (one instanceof UnreadableEvent) {
      tails.set(stream, { revision, hash: UNKNOWN })
      continue
    }
    const prev = tail.hash === UNKNOWN ? one.metadata.prev : tail.hash
    const reason =
      revision !== tail.revision + 1 ? 'An event is missing before it' : fits(one, prev) ? undecodable(one) : 'Its hash does not fit'
    if (reason) found({ stream, revision, reason })
    tails.set(stream, { revision, hash: one.metadata.hash })
  }
  const faults = [...((await log.inspect?.(signal)) ?? []), ...(witness?.faults() ?? [])]
  return { streams: tails.size, events, problems, faults }
}

/** Of an event that cannot be read: the one after it is judged by itself. */
const UNKNOWN = '?'

function undecodable(stored: StoredEvent): string | undefined {
  const reason = whyUndecodable(stored)
  return reason && `It cannot be read: ${reason}`
}

/** What is no event at all has no fitting hash either. */
function fits(stored: StoredEvent, prev: string): boolean {
  try {
    return verifies(stored, prev)
  } catch {
    return false
  }
}

async function* walk(log: EventLog, head: Position, signal: AbortSignal): AsyncGenerator<StoredEvent | UnreadableEvent> {
  let reached = START
  while (reached < head) {
    try {
      for await (const batch of log.follow(reached, signal)) {
        yield* batch
        reached = later(reached, batch.at(-1)?.position ?? START)
        if (reached >= head) return
      }
      return
    } catch (cause) {
      if (!(cause instanceof UnreadableEvent) || cause.place.position <= reached) throw cause
      yield cause
      reached = cause.place.position
    }
  }
}
