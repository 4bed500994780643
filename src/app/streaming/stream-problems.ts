/**
 * Tracks why the stream of a session is stalled, as its last requests on any node showed: the reason that a quality is unavailable, until
 * it is available. Changes are announced to the other nodes, and repeated while they last, since a message may be lost. An entry that is
 * not repeated expires.
 */
import { Type, type Static } from 'typebox'
import type { SessionId } from '../../vocabulary/id.ts'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import { messageSchema } from '../message-schema.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'

export interface StreamProblems {
  /** Result of a request for a quality; undefined if it was served. */
  note(this: void, sessionId: SessionId, quality: string, problem: string | undefined): void
  of(this: void, sessionId: SessionId): string | null
  forget(this: void, sessionId: SessionId): void
}

export interface StreamProblemsDependencies {
  readonly bus: Bus
  readonly clock: Clock
  /** Name of this node. */
  readonly node: string
}

interface Trouble {
  readonly text: string
  /** Whether a request to this node caused it. */
  readonly isOwn: boolean
  readonly atMs: number
}

const SUBJECT = 'stream.problems'
/** Most sessions with a known problem. */
const KNOWN_MAX = 1_000
/** Minimum interval between announcements. */
const PAUSE_MS = 200
const AGAIN_MS = 10_000
/** A player that still wants a quality requests it more often than this. */
const OWN_LASTS_MS = 60_000
/** Tolerates one lost message. */
const HEARD_LASTS_MS = 2.5 * AGAIN_MS
const ANNOUNCED_MAX = 100
const TEXT_MAX = 500
/** Of ids, and of names of nodes and qualities. */
const NAME_MAX = 200

/** Of one quality of a session; a null problem means that it is available again. */
const Announced = Type.Tuple([
  Type.String({ maxLength: NAME_MAX }),
  Type.String({ maxLength: NAME_MAX }),
  Type.Union([Type.String({ maxLength: TEXT_MAX }), Type.Null()]),
])
type Announced = Static<typeof Announced>

/** Another version may send some entries in another format: the rest is still used. */
const isAnnounced = messageSchema(Announced)
const isAnnouncement = messageSchema(
  Type.Object({ node: Type.String({ maxLength: NAME_MAX }), problems: Type.Array(Type.Unknown(), { maxItems: ANNOUNCED_MAX }) }),
)

interface State extends StreamProblemsDependencies {
  readonly known: LruCache<Map<string, Trouble>>
  /** Pending announcements by session and quality. */
  readonly unannounced: Map<string, Announced>
  isPausing: boolean
  isRepeating: boolean
}

export function createStreamProblems(deps: StreamProblemsDependencies): StreamProblems {
  const { bus, node } = deps
  const known = createLruCache<Map<string, Trouble>>(KNOWN_MAX)
  const state: State = { ...deps, known, unannounced: new Map(), isPausing: false, isRepeating: false }

  bus.subscribe(SUBJECT, ({ head }) => {
    if (isAnnouncement(head) && head.node !== node) for (const announced of head.problems.filter(isAnnounced)) hear(state, announced)
  })

  return {
    note: (sessionId, quality, problem) => note(state, sessionId, quality, problem),
    of: (sessionId) =>
      known
        .peek(sessionId)
        ?.values()
        .find((trouble) => lasts(state, trouble))?.text ?? null,
    forget: (sessionId) => known.remove(sessionId),
  }
}

function set({ known }: State, session: string, quality: string, trouble: Trouble | null): void {
  const troubles = known.peek(session) ?? new Map<string, Trouble>()
  if (trouble) troubles.set(quality, trouble)
  else troubles.delete(quality)
  if (troubles.size === 0) known.remove(session)
  else known.put(session, troubles)
}

const lasts = ({ clock }: State, { isOwn, atMs }: Trouble): boolean => clock.monotonic() - atMs < (isOwn ? OWN_LASTS_MS : HEARD_LASTS_MS)

function announceSoon(state: State, ...[session, quality, problem]: Announced): void {
  const { unannounced, clock } = state
  if (unannounced.size < KNOWN_MAX) unannounced.set(`${session} ${quality}`, [session, quality, problem])
  if (state.isPausing) return
  state.isPausing = true
  clock.after(PAUSE_MS, () => announceAll(state))
}

function announceAll(state: State): void {
  const { unannounced, bus, node } = state
  state.isPausing = false
  const all = [...unannounced.values()]
  unannounced.clear()
  for (let n = 0; n < all.length; n += ANNOUNCED_MAX) bus.publish(SUBJECT, { head: { node, problems: all.slice(n, n + ANNOUNCED_MAX) } })
}

function repeatLater(state: State): void {
  if (state.isRepeating) return
  state.isRepeating = true
  state.clock.after(AGAIN_MS, () => repeat(state))
}

function repeat(state: State): void {
  const { known } = state
  state.isRepeating = false
  for (const [session, troubles] of known.entries()) {
    for (const [quality, trouble] of troubles) {
      if (!lasts(state, trouble)) troubles.delete(quality)
      else if (trouble.isOwn) announceSoon(state, session, quality, trouble.text)
    }
    if (troubles.size === 0) known.remove(session)
  }
  if (known.entries().next().done !== true) repeatLater(state)
}

function hear(state: State, [session, quality, problem]: Announced): void {
  const { known, clock } = state
  const before = known.peek(session)?.get(quality)
  if (problem === null) set(state, session, quality, null)
  else if (!before?.isOwn) set(state, session, quality, { text: problem, isOwn: false, atMs: clock.monotonic() })
  if (problem !== null) repeatLater(state)
}

function note(state: State, sessionId: SessionId, quality: string, problem: string | undefined): void {
  const { known, clock } = state
  const before = known.peek(sessionId)?.get(quality)
  const text = problem?.slice(0, TEXT_MAX)
  if (before === undefined && text === undefined) return
  set(state, sessionId, quality, text === undefined ? null : { text, isOwn: true, atMs: clock.monotonic() })
  if (before?.text !== text) announceSoon(state, sessionId, quality, text ?? null)
  if (text !== undefined) repeatLater(state)
}
