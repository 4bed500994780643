/**
 * Session host: runs playback sessions as actors, each on one node at a time.
 *
 * A command travels over the bus to the session's actor. The subject contains the token of the actor's adoption: a paused or partitioned
 * node may keep a subscription for minutes, and must get no commands once another node has adopted the session. If no actor answers, this
 * node takes the session's lease, adopts the session in the log (that append is the fence) and answers from then on. An actor handles one
 * command at a time from a bounded mailbox. Silent actors are passivated, and return with the next message.
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
import { completeMovie } from './movie-completion.ts'
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
  /** Starts a new session; its actor runs on this node. */
  start(started: EventOf<'PlaybackStarted'>, author: Author): Promise<SessionReply>
  send(id: SessionId, request: SessionRequest): Promise<SessionReply>
  /** Passivates all actors; the sessions continue. */
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
/** A live actor replies within milliseconds; after this timeout its node counts as paused or dead. */
const REPLY_TIMEOUT_MS = 3000
/**
 * Backoff between attempts to find the actor. A session that is handed over is found at once; for one whose node died the client retries
 * later.
 */
const PAUSES_MS = [20, 60, 120, 300, 400]
const MAILBOX_MAX = 32
/** Most actors on other nodes in the cache. */
const ELSEWHERE_MAX = 2000
/** Limits concurrent searches: when a node dies, all of its players ask for their sessions. */
const SEARCHES = { atOnce: 32, waitingMax: 2000, patienceMs: 2000 }
const SILENCE_MS = 60_000
const PASSIVATION_EVERY_MS = 15_000

const BUSY = refuse('unavailable', 'This session is busy: try again', { retryAfterSeconds: 1 })
/** The reply of an actor whose session another one has adopted. */
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
  // An actor that was removed counts as superseded, even if no other owns the session.
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

/** Reacts to the stored events of a command. */
async function follow({ commandHandler, clock }: State, result: CommandResult<PlaybackState>, author: Author): Promise<SessionReply> {
  let { position } = result
  for (const event of result.events) {
    if (event.type !== 'PlaybackHeartbeat' || !completes(event.data.positionMs, event.data.durationMs)) continue
    const completed = await completeMovie(commandHandler, event, { actor: author.actor, at: clock.now() })
    if (!isRefusal(completed)) position = later(position, completed.position)
  }
  // The actor of an ended session stays until it is silent: later commands are answered with "no such session".
  return { position }
}

function activate(host: State, id: SessionId, lease: Lease): void {
  const { actors, bus, clock } = host
  const before = actors.get(id)
  // The append took so long that this node has since re-adopted the session: keep the newer actor.
  if (before && before.lease.token > lease.token) return void lease.release()
  if (before) void passivate(host, id, before)
  const subscription = bus.respond(sessionSubject(id, lease.token), async (message) => {
    const request = decodeRequest(message)
    return encodeReply(request ? await enqueue(host, id, actor, request).catch(failureOf) : STRANGE)
  })
  const actor: Actor = { lease, subscription, waiting: 0, tail: Promise.resolve(), heardAt: clock.monotonic() }
  actors.set(id, actor)
  // The append may have taken longer than the lease lasts.
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

/** The reply of the session's actor, here or on another node; ACTOR_MOVED if none is known or the known one is gone. */
async function ask(host: State, id: SessionId, request: SessionRequest): Promise<SessionReply | ActorMoved> {
  const { actors, elsewhere, bus } = host
  const actor = actors.get(id)
  // An actor on this node needs no bus: it works during an outage of the bus.
  if (actor) return enqueue(host, id, actor, request)
  const token = elsewhere.get(id)
  if (token === undefined) return ACTOR_MOVED
  try {
    return decodeReply(await bus.request(sessionSubject(id, token), encodeRequest(request), { timeoutMs: REPLY_TIMEOUT_MS }))
  } catch (cause) {
    if (cause instanceof NoResponder) return ACTOR_MOVED
    // The command may have been executed, so it is not resent. Locate the actor for the next command; if that fails, the next command
    // does it.
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

/** Takes the session over if its lease is free, else looks up its owner. Returns whether there is a new actor to ask. */
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

/** Appends only if no other node has adopted the session since it was read: this node may have been paused. */
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
  // A retried start takes the session over: the node that handled the first attempt may be gone.
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

/** Releases the lease if the session cannot be taken. */
async function holding<Answer>(lease: Lease, take: () => Promise<Answer | Refusal>): Promise<Answer | Refusal> {
  let taken: Answer | Refusal | undefined
  try {
    taken = await take()
    return taken
  } finally {
    if (taken === undefined || isRefusal(taken)) await lease.release()
  }
}
