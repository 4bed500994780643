/** Verifies the log: whether every event's hash matches its content and the event before it in its stream, and the log as a whole. */
import { verifies, whyUndecodable } from '../../events/codec.ts'
import type { StoredEvent } from '../../events/envelope.ts'
import { later, START, type Position } from '../../events/position.ts'
import { UnreadableEvent, type EventLog } from '../../ports/event-log.ts'
import { createFirstDifference, type Broken, type TreeState } from './first-difference.ts'
import type { StreamProblem, Verification } from './operator-commands.ts'

const PROBLEMS_MAX = 100
const STEP_EVENTS = 10_000

export interface VerifyOptions {
  /** Receives the number of events so far. */
  readonly step: (events: number) => void
  readonly signal: AbortSignal
  /** Compares the events with independent records of them. */
  readonly witness?: Witness
  /** Whether positions of this log have no gaps. */
  readonly gapless?: boolean
}

export type ReadableLog = Pick<EventLog, 'head' | 'follow' | 'inspect'>

interface Witness {
  add(stored: StoredEvent | undefined): Promise<void>
  finish(): Promise<void>
  tree(): TreeState
  notes(): Verification['notes']
  faults(): readonly string[]
}

interface Tail {
  readonly revision: number
  readonly hash: string
}

const NO_NOTES: Verification['notes'] = { compared: 0, skipped: 0 }
const NO_CHECKPOINTS: TreeState = { holds: 0, changedAt: undefined, beyond: undefined, differs: undefined, lost: undefined }

/** Reads the whole log up to its current head, and skips unreadable events. */
export async function verifyLog(log: ReadableLog, { step, signal, witness, gapless = false }: VerifyOptions): Promise<Verification> {
  const head = await log.head()
  const tails = new Map<string, Tail>()
  const problems: StreamProblem[] = []
  const first = createFirstDifference({ gapless })
  const tree = (): TreeState => witness?.tree() ?? NO_CHECKPOINTS
  let events = 0
  for await (const one of walk(log, head, signal)) {
    if (++events % STEP_EVENTS === 0) step(events)
    await witness?.add(one instanceof UnreadableEvent ? undefined : one)
    const { stream, revision, position } = one instanceof UnreadableEvent ? one.place : one
    const tail = tails.get(stream ?? '') ?? { revision: -1, hash: '' }
    const found = one instanceof UnreadableEvent ? unreadable(one) : judge(one, tail)
    if (found && problems.length < PROBLEMS_MAX) problems.push({ stream: stream ?? '?', revision: revision ?? -1, reason: found.reason })
    const broken = found?.kind && { kind: found.kind, expected: tail.revision + 1 }
    const at = one instanceof UnreadableEvent ? null : timeOf(one.metadata)
    first.add({ position: BigInt(position), stream: stream ?? null, revision: revision ?? null, at }, broken, tree())
    if (stream === undefined || revision === undefined) continue
    tails.set(stream, { revision, hash: one instanceof UnreadableEvent ? UNKNOWN : one.metadata.hash })
  }
  await witness?.finish()
  const faults = [...((await log.inspect?.(signal)) ?? []), ...(witness?.faults() ?? [])]
  const notes = witness?.notes() ?? NO_NOTES
  return { streams: tails.size, events, problems, faults, first: first.result(tree()), notes }
}

/** The member may have been renamed in a manipulated log. */
const timeOf = ({ at }: { readonly at?: string }): string | null => at ?? null

interface Found {
  readonly reason: string
  /** Undefined: the event is intact, but this version of Marquee does not know its type. */
  readonly kind?: Broken['kind']
}

const unreadable = ({ message }: UnreadableEvent): Found => ({ reason: message, kind: 'unreadable' })

function judge(event: StoredEvent, tail: Tail): Found | undefined {
  if (event.revision > tail.revision + 1) return { reason: 'An event is missing before it', kind: 'missing' }
  if (event.revision <= tail.revision) return { reason: 'There is another event in its place', kind: 'inserted' }
  if (!fits(event, tail.hash === UNKNOWN ? event.metadata.prev : tail.hash)) return { reason: 'Its hash does not fit', kind: 'altered' }
  const reason = undecodable(event)
  return reason === undefined ? undefined : { reason }
}

/** Hash after an unreadable event: the next event is checked without its predecessor. */
const UNKNOWN = '?'

function undecodable(stored: StoredEvent): string | undefined {
  const reason = whyUndecodable(stored)
  return reason && `It cannot be read: ${reason}`
}

/** A value that is no event has no matching hash either. */
function fits(stored: StoredEvent, prev: string): boolean {
  try {
    return verifies(stored, prev)
  } catch {
    return false
  }
}

async function* walk(log: ReadableLog, head: Position, signal: AbortSignal): AsyncGenerator<StoredEvent | UnreadableEvent> {
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
