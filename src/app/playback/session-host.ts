/**
 * Session host: playback sessions as actors, each alive on one node (architecture, section 5).
 *
 * A command travels over the bus to the session's actor, whose subject names its adoption: a node that is held, or cut off, may
 * keep a subscription for minutes, and must not be asked once another one has adopted. Where nobody answers, this node takes the
 * session's lease, adopts the session in the log (that append is the fence) and answers from then on. One command at a time, a
 * bounded mailbox; silent actors are passivated and come back with the next message.
 */
import type { EventOf } from '../../events/catalogue.ts'
import type { SessionId } from '../../vocabulary/id.ts'
import { later } from '../../events/position.ts'
import { playbackStream } from '../../events/streams.ts'
import { adopt, completes, isSuperseded, playback, type PlaybackState } from '../../domain/playback/playback.ts'
import type { Decision } from '../../domain/decider.ts'
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import { createSemaphore, QueueFull, type Semaphore } from '../../concurrency/semaphore.ts'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import { NoResponder, ReplyTimeout, type Bus, type Subscription } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Lease, Leases } from '../../ports/leases.ts'
import type { Author, CommandHandler, CommandResult } from '../commands/command-handler.ts'
import { completeMovie } from './film-completion.ts'
import type { IdleClock } from '../access/idle-clock.ts'
import { decisionOf } from './session-dispatch.ts'
import {
  decodeReply,
  decodeRequest,
  encodeReply,
  encodeRequest,
  failureOf,
  hasActorMoved,
  ACTOR_MOVED,
  sessionSubject,
  STRANGE,
  type ActorMoved,
  type SessionReply,
  type SessionRequest,
} from './session-protocol.ts'

export interface SessionHost {
  /** Makes a new session; its actor lives here. */
  start(started: EventOf<'PlaybackStarted'>, author: Author): Promise<SessionReply>
  send(id: SessionId, request: SessionRequest): Promise<SessionReply>
  /** Passivates all actors; the sessions live on. */
  close(): Promise<void>
}

export interface SessionHostDependencies {
  readonly bus: Bus
  readonly clock: Clock
  readonly commandHandler: CommandHandler
  /** How long sessions have been silent. */
  readonly idle: Pick<IdleClock, 'silentMs'>
  readonly leases: Leases
  readonly node: string
}

interface Actor {
  readonly lease: Lease
  readonly subscription: Subscription
  waiting: number
  tail: Promise<unknown>
  heardAt: number
}

interface Taking {
  readonly decideOn: (state: PlaybackState) => Decision
  readonly author: Author
}

const LEASE_SECONDS = 15
/** An actor that is alive takes milliseconds; of one whose node is held nobody knows until then. */
const REPLY_TIMEOUT_MS = 3000
/** Between two looks for the actor: a session that is handed over is there at once, one whose node died is asked for again later. */
const PAUSES_MS = [20, 60, 120, 300, 400]
const MAILBOX_MAX = 32
/** Actors on other nodes that this one remembers. */
const ELSEWHERE_MAX = 2000
/** Sessions that are looked for at once: those of a node that died are asked for by all of their players. */
const SEARCHES = { atOnce: 32, waitingMax: 2000, patienceMs: 2000 }
const SILENCE_MS = 60_000
const PASSIVATION_EVERY_MS = 15_000

const BUSY = refuse('unavailable', 'This session is busy: try again', { retryAfterSeconds: 1 })
/** Of an actor whose session another one has adopted. */
const SUPERSEDED = refuse('unavailable', 'This session has moved to another node: try again', { retryAfterSeconds: 1 })

interface State extends SessionHostDependencies {
  readonly actors: Map<SessionId, Actor>
  /** Tokens of actors on other nodes, as last seen in the log. */
  readonly elsewhere: LruCache<number>
  readonly searches: Semaphore
}

export function createSessionHost(deps: SessionHostDependencies): SessionHost {
  const { clock } = deps
  const { atOnce, waitingMax, patienceMs } = SEARCHES
  const actors = new Map<SessionId, Actor>()
  const host: State = {
    ...deps,
    actors,
    elsewhere: createLruCache(ELSEWHERE_MAX),
    searches: createSemaphore(atOnce, { waitingMax, patience: { clock, ms: patienceMs } }),
  }

  const stopSweeping = clock.every(PASSIVATION_EVERY_MS, () => {
    const silentSince = clock.monotonic() - SILENCE_MS
    for (const [id, actor] of actors) if (actor.waiting === 0 && actor.heardAt < silentSince) void passivate(host, id, actor)
  })

  return {
    start: (started, author) => start(host, started, author),
    send: (id, request) => send(host, id, request),

    async close() {
      stopSweeping()
      await Promise.all([...actors].map(([id, actor]) => passivate(host, id, actor)))
    },
  }
}

const target = (id: SessionId) => ({ stream: playbackStream(id), decider: playback })

async function handle(host: State, id: SessionId, actor: Actor, { command, author }: SessionRequest): Promise<SessionReply | ActorMoved> {
  const { actors, idle, commandHandler } = host
  // An actor that has gone is superseded, whoever holds the session.
  const isOver = (state: PlaybackState) => actors.get(id) !== actor || isSuperseded(state, actor.lease.token)
  const decide = (state: PlaybackState): Decision =>
    isOver(state) ? SUPERSEDED : decisionOf(command, state.beatAtMs + idle.silentMs(id))(state)
  const result = await commandHandler.execute(target(id), decide, author)
  if (result === SUPERSEDED) {
    void passivate(host, id, actor)
    return ACTOR_MOVED
  }
  if (isRefusal(result)) return result
  return follow(host, result, author)
}

/** What follows from a command once it is stored. */
async function follow({ commandHandler, clock }: State, result: CommandResult<PlaybackState>, author: Author): Promise<SessionReply> {
  let { position } = result
  for (const event of result.events) {
    if (event.type !== 'PlaybackHeartbeat' || !completes(event.data.positionMs, event.data.durationMs)) continue
    const completed = await completeMovie(commandHandler, event, { actor: author.actor, at: clock.now() })
    if (!isRefusal(completed)) position = later(position, completed.position)
  }
  // An ended session's actor stays until it is silent: what comes behind the end is told that there is no session any more.
  return { position }
}

function activate(host: State, id: SessionId, lease: Lease): void {
  const { actors, bus, clock } = host
  const before = actors.get(id)
  // Storing what began it took so long that this node has adopted the session once more: the newer actor stays.
  if (before && before.lease.token > lease.token) return void lease.release()
  if (before) void passivate(host, id, before)
  const subscription = bus.respond(sessionSubject(id, lease.token), async (message) => {
    const request = decodeRequest(message)
    return encodeReply(request ? await enqueue(host, id, actor, request).catch(failureOf) : STRANGE)
  })
  const actor: Actor = { lease, subscription, waiting: 0, tail: Promise.resolve(), heardAt: clock.monotonic() }
  actors.set(id, actor)
  // Storing what began it may have taken longer than the lease lives.
  if (lease.lost.aborted) void passivate(host, id, actor)
  else lease.lost.addEventListener('abort', () => void passivate(host, id, actor), { once: true })
}

async function enqueue(host: State, id: SessionId, actor: Actor, request: SessionRequest): Promise<SessionReply | ActorMoved> {
  const { actors, clock } = host
  if (actors.get(id) !== actor) return ACTOR_MOVED
  if (actor.waiting >= MAILBOX_MAX) return BUSY
  actor.waiting++
  actor.heardAt = clock.monotonic()
  const turn = actor.tail.then(() => handle(host, id, actor, request))
  actor.tail = turn.catch(() => {})
  try {
    return await turn
  } finally {
    actor.waiting--
  }
}

async function passivate({ actors }: State, id: SessionId, actor: Actor): Promise<void> {
  if (actors.get(id) !== actor) return
  actors.delete(id)
  actor.subscription.close()
  await actor.tail
  await actor.lease.release()
}

/** What the session's actor says, here or on another node; that it has moved where none is known, or that one is not there. */
async function ask(host: State, id: SessionId, request: SessionRequest): Promise<SessionReply | ActorMoved> {
  const { actors, elsewhere, bus } = host
  const actor = actors.get(id)
  // An actor here needs no bus: it goes on while that is away.
  if (actor) return enqueue(host, id, actor, request)
  const token = elsewhere.get(id)
  if (token === undefined) return ACTOR_MOVED
  try {
    return decodeReply(await bus.request(sessionSubject(id, token), encodeRequest(request), { timeoutMs: REPLY_TIMEOUT_MS }))
  } catch (cause) {
    if (cause instanceof NoResponder) return ACTOR_MOVED
    // It may have run: it is not sent again. The next command is to find somebody who answers; if it does not, that one looks.
    if (cause instanceof ReplyTimeout) await locate(host, id).catch(() => {})
    throw cause
  }
}

async function locate(host: State, id: SessionId): Promise<boolean | Refusal> {
  try {
    return await host.searches(() => search(host, id))
  } catch (cause) {
    if (cause instanceof QueueFull) return BUSY
    throw cause
  }
}

/** Takes the session over where its lease is free, else looks up whose it is. Whether there is somebody new to ask. */
async function search(host: State, id: SessionId): Promise<boolean | Refusal> {
  const { actors, leases, commandHandler, elsewhere } = host
  if (actors.has(id)) return true
  const lease = await leases.acquire(`playback.${id}`, LEASE_SECONDS)
  if (lease) return adoptUnder(host, id, lease)
  const { actor: token } = await commandHandler.load(target(id))
  const isNew = elsewhere.peek(id) !== token
  elsewhere.put(id, token)
  return isNew
}

async function adoptUnder(host: State, id: SessionId, lease: Lease): Promise<boolean | Refusal> {
  const author = { actor: 'system', command: 'adoptPlayback' }
  const adopted = await take(host, id, lease, { decideOn: adopt(host.node, lease.token), author })
  if (adopted === SUPERSEDED) return false
  if (isRefusal(adopted)) return adopted
  activate(host, id, lease)
  return true
}

/** At the revision read: not over the head of a node that adopted while this one was held. */
function take(
  { commandHandler }: State,
  id: SessionId,
  lease: Lease,
  { decideOn, author }: Taking,
): Promise<CommandResult<PlaybackState> | Refusal> {
  return holding(lease, async () => {
    const read = await commandHandler.load(target(id))
    const isLate = ({ started, actor }: PlaybackState) => started !== null && (lease.lost.aborted || actor !== read.actor)
    return commandHandler.execute(target(id), (state) => (isLate(state) ? SUPERSEDED : decideOn(state)), author)
  })
}

async function start(host: State, started: EventOf<'PlaybackStarted'>, author: Author): Promise<SessionReply> {
  const { leases, node } = host
  const { sessionId } = started.data
  const lease = await leases.acquire(`playback.${sessionId}`, LEASE_SECONDS)
  if (!lease) return BUSY
  const adopted = { type: 'PlaybackAdopted', data: { sessionId, node, token: lease.token } } as const
  // A repeat, whose first request began it on a node that may be gone by now, takes it over.
  const decideOn = (state: PlaybackState) => (state.started ? adopt(node, lease.token)(state) : [started, adopted])
  const result = await take(host, sessionId, lease, { decideOn, author })
  if (isRefusal(result)) return result
  activate(host, sessionId, lease)
  return { position: result.position }
}

async function send(host: State, id: SessionId, request: SessionRequest): Promise<SessionReply> {
  for (const pauseMs of PAUSES_MS) {
    const reply = await ask(host, id, request)
    if (!hasActorMoved(reply)) return reply
    const found = await locate(host, id)
    if (isRefusal(found)) return found
    if (!found) await host.clock.sleep(pauseMs)
  }
  return BUSY
}

/** Gives the lease back where the session cannot be had. */
async function holding<Answer>(lease: Lease, take: () => Promise<Answer | Refusal>): Promise<Answer | Refusal> {
  let taken: Answer | Refusal | undefined
  try {
    taken = await take()
    return taken
  } finally {
    if (taken === undefined || isRefusal(taken)) await lease.release()
  }
}
