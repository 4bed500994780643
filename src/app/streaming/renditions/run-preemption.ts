/**
 * Frees transcode slots for other requests. A paused run goes first: one that waits for its viewers to come closer, and keeps its slot
 * meanwhile. If no run is paused, the user with the most sessions gives up one (domain/streaming/fair-share.ts). Runs of this node are
 * considered first, then those of other nodes, because all nodes share the agents.
 */
import { Type } from 'typebox'
import { otherSessions, sessionToGiveUp, type SlotRequest, type UserOf } from '../../../domain/streaming/fair-share.ts'
import type { Bus } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'
import { messageSchema } from '../../message-schema.ts'
import type { RenditionActor } from './rendition-actor.ts'

export interface RunPreemption {
  /** Frees slots for the request. False if this node has none to free: then another node is asked. */
  giveUp(this: void, request: SlotRequest): boolean
  close(): void
}

export interface RunPreemptionOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly actors: () => readonly RenditionActor[]
  readonly userOf?: (sessionId: string) => string | undefined
}

/** Any node may receive the request. */
const SUBJECT = 'rendition-runs.give-up'
const ANSWER_MS = 500
/** The bus chooses the receiver, which may have nothing to free. */
const MOST_ASKED = 4
const MOST_VIEWERS = 100
/** One session at a time: the waiting request takes its slots before the next session is stopped. */
const SESSION_EVERY_MS = 1_000

/** Older nodes send none of these members. */
const isRequest = messageSchema(
  Type.Object({
    viewers: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MOST_VIEWERS }),
    weight: Type.Number({ minimum: 0, maximum: 100 }),
    heldElsewhere: Type.Integer({ minimum: 0, maximum: 1e6 }),
  }),
)

interface State extends RunPreemptionOptions {
  readonly user: UserOf
  isAsking: boolean
  sessionGivenAt: number
}

export function createRunPreemption(options: RunPreemptionOptions): RunPreemption {
  const { bus, userOf } = options
  const state: State = { ...options, user: (viewer) => userOf?.(viewer) ?? viewer, isAsking: false, sessionGivenAt: -Infinity }
  const subscription = bus.respond(SUBJECT, async ({ head }) => ({
    head: { hasGivenUp: giveUpHere(state, isRequest(head) ? head : { viewers: [], weight: 0 }) },
  }))
  return {
    giveUp(request) {
      const hasGivenUp = giveUpHere(state, request)
      if (!hasGivenUp && !state.isAsking) void askOthers(state, request)
      return hasGivenUp
    },
    close: () => subscription.close(),
  }
}

function giveUpHere(state: State, request: SlotRequest): boolean {
  return (longestPaused(state.actors())?.preemptPaused() ?? false) || giveUpSession(state, request)
}

function giveUpSession(state: State, request: SlotRequest): boolean {
  const now = state.clock.monotonic()
  if (now - state.sessionGivenAt < SESSION_EVERY_MS) return false
  const uses = sessionToGiveUp(usesOf(state), request, state.user)
  for (const use of uses) use.giveUp()
  if (uses.length > 0) state.sessionGivenAt = now
  return uses.length > 0
}

async function askOthers(state: State, { viewers, weight }: SlotRequest): Promise<void> {
  state.isAsking = true
  const uses = usesOf(state)
  const sessions = viewers.map((viewer) => otherSessions(uses, viewer, state.user))
  const head = { viewers: viewers.slice(0, MOST_VIEWERS), weight, heldElsewhere: Math.min(...sessions, MOST_VIEWERS) }
  try {
    for (let asked = 0; asked < MOST_ASKED; asked++) {
      const answer = await state.bus.request(SUBJECT, { head }, { timeoutMs: ANSWER_MS })
      if (answer.head['hasGivenUp'] === true) return
    }
  } catch {
    // The request that lacks a slot is retried soon.
  } finally {
    state.isAsking = false
  }
}

const usesOf = ({ actors }: State) => actors().flatMap((actor) => actor.uses())

function longestPaused(actors: readonly RenditionActor[]): RenditionActor | undefined {
  let longest: { readonly actor: RenditionActor; readonly since: number } | undefined
  for (const actor of actors) {
    const since = actor.pausedSince()
    if (since !== undefined && (!longest || since < longest.since)) longest = { actor, since }
  }
  return longest?.actor
}
