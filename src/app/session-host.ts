/**
 * Session host: playback sessions as actors, each alive on one node (architecture, section 5).
 *
 * A command travels over the bus to the session's actor. Where nobody answers, this node takes the session's lease, adopts the
 * session in the log (that append is the fence) and answers from then on. One command at a time, a bounded mailbox; silent
 * actors are passivated and come back with the next message.
 */
import { derivedEventId } from '../events/derived-id.ts'
import type { EventOf } from '../events/catalogue.ts'
import type { SessionId } from '../events/id.ts'
import { later } from '../events/position.ts'
import { playbackStream, watchedStream } from '../events/streams.ts'
import {
  adopt,
  beat,
  command as order,
  completes,
  end,
  expire,
  isSuperseded,
  playback,
  seek,
  type PlaybackState,
} from '../domain/playback.ts'
import type { Decision } from '../domain/decider.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import { complete, watched } from '../domain/watched.ts'
import { NoResponder, type Bus, type Subscription } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Lease, Leases } from '../ports/leases.ts'
import type { Author, Commander, Outcome } from './commander.ts'
import {
  decodeReply,
  decodeRequest,
  encodeReply,
  encodeRequest,
  hasMoved,
  MOVED,
  sessionSubject,
  type Moved,
  type SessionCommand,
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
  readonly commander: Commander
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

const LEASE_SECONDS = 15
const REPLY_TIMEOUT_MS = 5000
const TRIES = 20
const TRY_PAUSE_MS = 50
const MAILBOX_MAX = 32
const SILENCE_MS = 60_000
const PASSIVATION_EVERY_MS = 15_000

const BUSY = refuse('unavailable', 'This session is busy: try again', { retryAfterSeconds: 1 })
/** Of an actor whose session another one has adopted. */
const SUPERSEDED = refuse('unavailable', 'This session has moved', { retryAfterSeconds: 1 })

export function createSessionHost(deps: SessionHostDependencies): SessionHost {
  const { bus, clock, commander, leases, node } = deps
  const actors = new Map<SessionId, Actor>()
  const target = (id: SessionId) => ({ stream: playbackStream(id), decider: playback })

  async function handle(id: SessionId, { command, author }: SessionRequest): Promise<SessionReply | Moved> {
    // No lease has -1: without one this node's actor is superseded, whoever holds the session.
    const token = actors.get(id)?.lease.token ?? -1
    const decideCommand = decisionOf(command, clock.now())
    const decide = (state: PlaybackState): Decision => (isSuperseded(state, token) ? SUPERSEDED : decideCommand(state))
    const outcome = await commander.execute(target(id), decide, author)
    if (outcome === SUPERSEDED) {
      void passivate(id)
      return MOVED
    }
    if (isRefusal(outcome)) return outcome
    return follow(outcome, author)
  }

  /** What follows from a command once it is stored. */
  async function follow(outcome: Outcome<PlaybackState>, author: Author): Promise<SessionReply> {
    let { position } = outcome
    for (const event of outcome.events) {
      if (event.type !== 'PlaybackHeartbeat' || !completes(event.data.positionMs, event.data.durationMs)) continue
      const completed = await completeFilm(commander, event, { actor: author.actor, at: clock.now() })
      if (!isRefusal(completed)) position = later(position, completed.position)
    }
    // An ended session's actor stays until it is silent: what comes behind the end is told that there is no session any more.
    return { position }
  }

  function activate(id: SessionId, lease: Lease): void {
    const subscription = bus.respond(sessionSubject(id), async (message) => encodeReply(await enqueue(id, decodeRequest(message))))
    actors.set(id, { lease, subscription, waiting: 0, tail: Promise.resolve(), heardAt: clock.monotonic() })
    // Storing what began it may have taken longer than the lease lives.
    if (lease.lost.aborted) void passivate(id)
    else lease.lost.addEventListener('abort', () => void passivate(id), { once: true })
  }

  async function enqueue(id: SessionId, request: SessionRequest): Promise<SessionReply | Moved> {
    const actor = actors.get(id)
    if (!actor) return MOVED
    if (actor.waiting >= MAILBOX_MAX) return BUSY
    actor.waiting++
    actor.heardAt = clock.monotonic()
    const turn = actor.tail.then(() => handle(id, request))
    actor.tail = turn.catch(() => {})
    try {
      return await turn
    } finally {
      actor.waiting--
    }
  }

  async function passivate(id: SessionId): Promise<void> {
    const actor = actors.get(id)
    if (!actor) return
    actors.delete(id)
    actor.subscription.close()
    await actor.tail
    await actor.lease.release()
  }

  /** What the session's actor says, here or on another node; that it has moved where nobody answers. */
  async function ask(id: SessionId, request: SessionRequest): Promise<SessionReply | Moved> {
    // An actor here needs no bus: it goes on while that is away.
    if (actors.has(id)) return enqueue(id, request)
    try {
      return decodeReply(await bus.request(sessionSubject(id), encodeRequest(request), { timeoutMs: REPLY_TIMEOUT_MS }))
    } catch (cause) {
      if (cause instanceof NoResponder) return MOVED
      throw cause
    }
  }

  /** Takes a session over where its lease is free; false when somebody else is at it. */
  async function adoptHere(id: SessionId): Promise<boolean | Refusal> {
    const lease = await leases.acquire(`playback.${id}`, LEASE_SECONDS)
    if (!lease) return false
    const author = { actor: 'system', command: 'adoptPlayback' }
    const adopted = await holding(lease, () => commander.execute(target(id), adopt(node, lease.token), author))
    if (isRefusal(adopted)) return adopted
    activate(id, lease)
    return true
  }

  const stopSweeping = clock.every(PASSIVATION_EVERY_MS, () => {
    const silentSince = clock.monotonic() - SILENCE_MS
    for (const [id, actor] of actors) if (actor.waiting === 0 && actor.heardAt < silentSince) void passivate(id)
  })

  return {
    async start(started, author) {
      const { sessionId } = started.data
      const lease = await leases.acquire(`playback.${sessionId}`, LEASE_SECONDS)
      if (!lease) return BUSY
      const adopted = { type: 'PlaybackAdopted', data: { sessionId, node, token: lease.token } } as const
      const outcome = await holding(lease, () => commander.execute(target(sessionId), () => [started, adopted], author))
      if (isRefusal(outcome)) return outcome
      activate(sessionId, lease)
      return { position: outcome.position }
    },

    async send(id, request) {
      for (let attempt = 1; attempt <= TRIES; attempt++) {
        const reply = await ask(id, request)
        if (!hasMoved(reply)) return reply
        const adopted = await adoptHere(id)
        if (isRefusal(adopted)) return adopted
        if (!adopted) await clock.sleep(TRY_PAUSE_MS)
      }
      return BUSY
    },

    async close() {
      stopSweeping()
      await Promise.all([...actors.keys()].map(passivate))
    },
  }
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

/** Counts the film as watched: once for each session, because the event's id follows from the session's. */
export function completeFilm(
  commander: Commander,
  { data }: EventOf<'PlaybackHeartbeat'>,
  by: { readonly actor: string; readonly at: number },
) {
  const { userId, movieId, sessionId } = data
  return commander.execute(
    { stream: watchedStream(userId, movieId), decider: watched },
    complete({ userId, movieId }, sessionId, new Date(by.at).toISOString()),
    { actor: by.actor, command: 'completeMovie', causation: sessionId, eventId: derivedEventId(sessionId, 'MovieCompleted') },
  )
}

function decisionOf(command: SessionCommand, nowMs: number): (state: PlaybackState) => Decision {
  switch (command.type) {
    case 'beat':
      return beat(command.beat, nowMs)
    case 'seek':
      return seek(command.positionMs, nowMs)
    case 'end':
      return end(command.reason, nowMs, command.last)
    case 'command':
      return order(command.order, nowMs)
    case 'expire':
      return expire(nowMs)
    default:
      return () => []
  }
}
