/**
 * Runs a command against one stream: load, fold, decide, and append at the revision read. A conflict is retried a bounded number of
 * times. States of recent streams are cached: the expected revision shows if one is stale.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { DomainEvent } from '../../events/catalogue.ts'
import { decode, encode, type Origin } from '../../events/codec.ts'
import type { EncodedEvent } from '../../events/envelope.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { later, START, type Position } from '../../events/position.ts'
import type { Decider, Decision } from '../../domain/decider.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { Conflict, OutcomeUnknown, type EventLog, type Expected } from '../../ports/event-log.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Precondition, RequestOrigin } from '../access/caller.ts'
import type { Sealer } from './sealer.ts'

export interface Target<State> {
  readonly stream: string
  readonly decider: Decider<State>
}

/** Author of a command: `actor` is `user:<id>`, `agent:<id>`, `system` or `cli`; `command` is the name of the command. */
export interface Author {
  readonly actor: string
  readonly command: string
  readonly origin?: RequestOrigin
  /** Subject whose key seals address and client; without it they are not stored. */
  readonly subject?: string
  /** Event that caused this command. */
  readonly causation?: string
  /** Id of the first event, if it derives from something else: a retry then stores nothing twice. */
  readonly eventId?: string
}

/** A user who sends the command through a request, or the command line that does so as this user. */
export const byUser = (userId: UserId, command: string, origin: RequestOrigin): Author =>
  origin.isOperator ? { actor: 'cli', command, origin } : { actor: `user:${userId}`, command, origin, subject: userId }

export interface CommandResult<State> {
  readonly state: State
  readonly events: readonly DomainEvent[]
  /** Position of the stream's last event; START for an empty stream. */
  readonly position: Position
}

export interface CommandHandler {
  execute<State>(target: Target<State>, decide: (state: State) => Decision, author: Author): Promise<CommandResult<State> | Refusal>
  load<State>(target: Target<State>): Promise<State>
}

interface CachedStream<State> {
  readonly state: State
  readonly revision: Expected
  readonly hash: string
  readonly position: Position
}

interface Decided {
  readonly events: readonly DomainEvent[]
  readonly origin: Origin
  readonly eventId: string | undefined
}

/** In each round of racing commands one succeeds, so this many may race on one stream. */
const ATTEMPTS = 32
const REPEATS = 4
const REPEAT_PAUSE_MS = 250
/** No retry starts later than this: a log that hangs may take long to fail, and the caller needs an answer. */
const REPEATING_MS = 5000
const KNOWN_MAX = 2000

const CHANGED = refuse('changed', 'A precondition of the request does not hold')

export interface CommandHandlerDependencies {
  readonly log: EventLog
  readonly clock: Clock
  readonly ids: Ids
  readonly sealer: Sealer
  readonly node: string
}

interface HandlerState extends CommandHandlerDependencies {
  readonly recent: LruCache<CachedStream<unknown>>
  /** Preconditions already met: after its own first write, a request is no longer checked against the original version. */
  readonly met: WeakSet<Precondition>
}

export function createCommandHandler(deps: CommandHandlerDependencies): CommandHandler {
  const handler: HandlerState = { ...deps, recent: createLruCache(KNOWN_MAX), met: new WeakSet() }

  return {
    async load(target) {
      return (await refresh(handler, target, recall(handler, target.stream))).state
    },
    execute: (target, decide, author) => execute(handler, target, decide, author),
  }
}

function remember<State>({ recent }: HandlerState, stream: string, known: CachedStream<State>): CachedStream<State> {
  recent.put(stream, known)
  return known
}

/** Reads the stream from the cached revision on. */
async function refresh<State>(
  handler: HandlerState,
  { stream, decider }: Target<State>,
  known?: CachedStream<State>,
): Promise<CachedStream<State>> {
  let next: CachedStream<State> = known ?? { state: decider.initial, revision: 'absent', hash: '', position: START }
  const from = next.revision === 'absent' ? 0 : next.revision + 1
  for await (const stored of handler.log.read(stream, from)) {
    const event = decode(stored)
    const state = event ? decider.evolve(next.state, event, event.at) : next.state
    next = { state, revision: stored.revision, hash: stored.metadata.hash, position: stored.position }
  }
  return remember(handler, stream, next)
}

const recall = <State>({ recent }: HandlerState, stream: string) => recent.get(stream) as CachedStream<State> | undefined

/** Retries the append while its outcome is unknown or the log is unavailable. Once unknown, the outcome stays unknown. */
async function appendSurely({ clock, log }: HandlerState, stream: string, expected: Expected, events: readonly EncodedEvent[]) {
  const untilMs = clock.monotonic() + REPEATING_MS
  let unknown: OutcomeUnknown | undefined
  for (let repeat = 1; ; repeat++) {
    try {
      return await log.append(stream, expected, events)
    } catch (cause) {
      if (cause instanceof OutcomeUnknown) unknown = cause
      else if (!(cause instanceof ServerUnavailable)) throw cause
      if (repeat === REPEATS || clock.monotonic() >= untilMs) throw unknown ?? cause
      await clock.sleep(REPEAT_PAUSE_MS * repeat)
    }
  }
}

async function append<State>(handler: HandlerState, target: Target<State>, known: CachedStream<State>, decided: Decided) {
  const { ids, log, recent } = handler
  const { stream, decider } = target
  const encoded: EncodedEvent[] = []
  let { state, hash } = known
  const first = known.revision === 'absent' ? 0 : known.revision + 1
  for (const [n, event] of decided.events.entries()) {
    const id = n === 0 && decided.eventId ? decided.eventId : ids.event()
    const next = encode(id, event, decided.origin, { stream, revision: first + n, prev: hash })
    encoded.push(next)
    hash = next.metadata.hash
    state = decider.evolve(state, event, decided.origin.at)
  }
  const { revision, position } = await appendSurely(handler, stream, known.revision, encoded)
  const stored = { state, revision, hash, position: position ?? later(known.position, await log.head()) }
  // With a derived event id, another node may have stored the equivalent event with a different hash, so this state must not be cached.
  if (decided.eventId === undefined) return remember(handler, stream, stored)
  recent.remove(stream)
  return stored
}

async function mayGo(
  { met }: HandlerState,
  stream: string,
  position: Position,
  { precondition }: Pick<RequestOrigin, 'precondition'> = {},
): Promise<boolean> {
  return precondition?.stream !== stream || met.has(precondition) || precondition.holds(position)
}

async function execute<State>(
  handler: HandlerState,
  target: Target<State>,
  decide: (state: State) => Decision,
  author: Author,
): Promise<CommandResult<State> | Refusal> {
  const { met, recent } = handler
  for (let attempt = 1; ; attempt++) {
    const known = recall<State>(handler, target.stream) ?? (await refresh(handler, target))
    if (!(await mayGo(handler, target.stream, known.position, author.origin))) return CHANGED
    const decision = decide(known.state)
    if (isRefusal(decision) || decision.length === 0) {
      // Without an append the expected revision is not checked, so compare the state with the log.
      const { revision } = await refresh(handler, target, known)
      if (revision !== known.revision && attempt < ATTEMPTS) continue
      return isRefusal(decision) ? decision : { state: known.state, events: [], position: known.position }
    }
    try {
      const done = await append(handler, target, known, {
        events: decision,
        origin: await originOf(author, handler),
        eventId: author.eventId,
      })
      if (author.origin?.precondition?.stream === target.stream) met.add(author.origin.precondition)
      return { state: done.state, events: decision, position: done.position }
    } catch (cause) {
      recent.remove(target.stream)
      if (!(cause instanceof Conflict) || attempt === ATTEMPTS) throw cause
    }
  }
}

async function originOf(author: Author, { clock, ids, sealer, node }: CommandHandlerDependencies): Promise<Origin> {
  const { actor, command, origin, subject, causation } = author
  const correlation = origin?.requestId ?? causation ?? ids.event()
  const personal = subject && origin ? { address: origin.address, client: origin.client } : {}
  const sealed: Record<string, string> = {}
  for (const [name, text] of Object.entries(personal)) if (subject && text) sealed[name] = await sealer.sealAgain(subject, text)
  return {
    at: new Date(clock.now()).toISOString(),
    actor,
    command,
    correlation,
    node,
    ...omitUndefined({ causation }),
    ...(origin ? { request: origin.requestId } : {}),
    ...sealed,
  }
}
