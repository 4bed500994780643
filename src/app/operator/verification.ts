/** Verifies the log: whether every event's hash matches its content and the event before it in its stream, and the log as a whole. */
import { verifies, whyUndecodable } from '../../events/codec.ts'
import type { StoredEvent } from '../../events/envelope.ts'
import { later, START, type Position } from '../../events/position.ts'
import { UnreadableEvent, type EventLog } from '../../ports/event-log.ts'
import { createFirstDifference, type Broken, type FirstDifferenceFinder, type TreeState } from './first-difference.ts'
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
  add(stored: StoredEvent | undefined): Promise<void> | undefined
  finish(): Promise<void>
  tree(): TreeState
  notes(): Verification['notes']
  faults(): readonly string[]
  copy(): Witness
}

interface Tail {
  readonly revision: number
  readonly hash: string
}

const NO_TAIL: Tail = { revision: -1, hash: '' }
const NO_NOTES: Verification['notes'] = { compared: 0, skipped: 0, torn: 0 }
const NO_CHECKPOINTS: TreeState = { holds: 0, changedAt: undefined, beyond: undefined, differs: undefined, lost: undefined }

/** Reads the whole log up to its current head, and skips unreadable events. */
export async function verifyLog(log: ReadableLog, options: VerifyOptions): Promise<Verification> {
  const verifying = startVerification(options)
  await verifying.read(log, START)
  return verifying.end(log)
}

export interface Verifying {
  /** Reads on, after a position. */
  read(log: ReadableLog, after: Position): Promise<void>
  end(log: ReadableLog): Promise<Verification>
  /** One that stands where this one does: of logs that begin alike the beginning needs to be read once. */
  copy(): Verifying
}

export function startVerification(options: VerifyOptions): Verifying {
  const first = createFirstDifference({ gapless: options.gapless ?? false })
  return verifyingAt({ ...options, tails: new Map(), problems: [], first, events: 0 })
}

interface State extends VerifyOptions {
  readonly tails: Map<string, Tail>
  readonly problems: StreamProblem[]
  readonly first: FirstDifferenceFinder
  events: number
}

function verifyingAt(state: State): Verifying {
  const { witness, tails, problems, first, step, signal } = state
  const tree = (): TreeState => witness?.tree() ?? NO_CHECKPOINTS
  return {
    async read(log, after) {
      for await (const batch of walk(log, { after, head: await log.head(), signal })) {
        for (const one of batch) {
          if (++state.events % STEP_EVENTS === 0) step(state.events)
          const compared = witness?.add(one instanceof UnreadableEvent ? undefined : one)
          // To wait for a promise that is settled already takes as long as a hash.
          if (compared) await compared
          addEvent(state, one, tree())
        }
      }
    },
    async end(log) {
      await witness?.finish()
      const faults = [...((await log.inspect?.(signal)) ?? []), ...(witness?.faults() ?? [])]
      const notes = witness?.notes() ?? NO_NOTES
      return { streams: tails.size, events: state.events, problems, faults, first: first.result(tree()), notes }
    },
    copy: () =>
      verifyingAt({
        ...state,
        tails: new Map(tails),
        problems: [...problems],
        first: first.copy(),
        ...(witness ? { witness: witness.copy() } : {}),
      }),
  }
}

function addEvent({ tails, problems, first }: State, one: StoredEvent | UnreadableEvent, tree: TreeState): void {
  const { stream, revision, position } = one instanceof UnreadableEvent ? one.place : one
  const tail = tails.get(stream ?? '') ?? NO_TAIL
  const found = one instanceof UnreadableEvent ? unreadable(one) : classify(one, tail)
  if (found && problems.length < PROBLEMS_MAX) problems.push({ stream: stream ?? '?', revision: revision ?? -1, reason: found.reason })
  const broken = found?.kind && { kind: found.kind, expected: tail.revision + 1 }
  const at = one instanceof UnreadableEvent ? null : timeOf(one.metadata)
  first.add({ position: BigInt(position), stream: stream ?? null, revision: revision ?? null, at }, broken, tree)
  if (stream === undefined || revision === undefined) return
  tails.set(stream, { revision, hash: one instanceof UnreadableEvent ? UNKNOWN : one.metadata.hash })
}

/** The member may have been renamed in a manipulated log. */
const timeOf = ({ at }: { readonly at?: string }): string | null => at ?? null

interface Found {
  readonly reason: string
  /** Undefined: the event is intact, but this version of Marquee does not know its type. */
  readonly kind?: Broken['kind']
}

const unreadable = ({ message }: UnreadableEvent): Found => ({ reason: message, kind: 'unreadable' })

function classify(event: StoredEvent, tail: Tail): Found | undefined {
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

interface Span {
  readonly after: Position
  readonly head: Position
  readonly signal: AbortSignal
}

async function* walk(log: ReadableLog, { after, head, signal }: Span): AsyncGenerator<readonly (StoredEvent | UnreadableEvent)[]> {
  let reached = after
  while (reached < head) {
    try {
      for await (const batch of log.follow(reached, signal)) {
        yield batch
        reached = later(reached, batch.at(-1)?.position ?? START)
        if (reached >= head) return
      }
      return
    } catch (cause) {
      if (!(cause instanceof UnreadableEvent) || cause.place.position <= reached) throw cause
      yield [cause]
      reached = cause.place.position
    }
  }
}
