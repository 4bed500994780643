/**
 * Fair share: whose session gives up its transcode slots when all slots are taken. Slots are shared by user. The user with the most
 * sessions gives up the newest one, but only if that leaves them at least as many as the requesting user: so slots never go back and forth.
 */

/** A run and the sessions that it serves. */
export interface SlotUse {
  /** Sessions that the run serves now. */
  readonly viewers: readonly string[]
  /** Slots that it takes. */
  readonly weight: number
  /** Start time, in milliseconds of any monotonic clock. */
  readonly startedAt: number
}

export interface SlotRequest {
  /** Sessions that wait for the slot. */
  readonly viewers: readonly string[]
  readonly weight: number
  /** Other sessions of the same user that hold slots elsewhere. */
  readonly heldElsewhere?: number
}

/** The user of a session; sessions of the same user return the same text. */
export type UserOf = (viewer: string) => string

/** Copies and audio take a tenth of a slot: only video identifies a session. */
const LIGHT_WEIGHT = 0.1
/** A user gives up a session only if they hold at least this many more than the requesting user. */
const LEAST_DIFFERENCE = 2

interface Candidate<Use> {
  readonly uses: readonly Use[]
  readonly weight: number
  readonly startedAt: number
}

/** The runs of one session to stop, all together; none if nobody holds enough more than the requesting user. */
export function sessionToGiveUp<Use extends SlotUse>(uses: readonly Use[], request: SlotRequest, userOf: UserOf): readonly Use[] {
  const sessions = sessionsByUser(uses, userOf)
  const asking = request.viewers.map((viewer) => othersOf(sessions, viewer, userOf))
  if (asking.length === 0) return []
  const most = Math.min(...asking) + (request.heldElsewhere ?? 0) + LEAST_DIFFERENCE
  for (const [, held] of [...sessions].toSorted(([, one], [, other]) => other.size - one.size)) {
    if (held.size < most) return []
    const found = newestOf(
      [...held].flatMap((session) => candidate(uses, session) ?? []),
      request.weight,
    )
    if (found) return found.uses
  }
  return []
}

/** How many other sessions of the same user hold slots. */
export function otherSessions(uses: readonly SlotUse[], viewer: string, userOf: UserOf): number {
  return othersOf(sessionsByUser(uses, userOf), viewer, userOf)
}

function sessionsByUser(uses: readonly SlotUse[], userOf: UserOf): ReadonlyMap<string, ReadonlySet<string>> {
  const sessions = new Map<string, Set<string>>()
  for (const viewer of uses.flatMap(({ viewers }) => viewers)) {
    const user = userOf(viewer)
    sessions.set(user, (sessions.get(user) ?? new Set()).add(viewer))
  }
  return sessions
}

function othersOf(sessions: ReadonlyMap<string, ReadonlySet<string>>, viewer: string, userOf: UserOf): number {
  const own = sessions.get(userOf(viewer))
  return own ? own.size - (own.has(viewer) ? 1 : 0) : 0
}

/** The slots that stopping a session frees. Undefined if its video is shared with another session, which would lose it too. */
function candidate<Use extends SlotUse>(uses: readonly Use[], session: string): Candidate<Use> | undefined {
  const serving = uses.filter(({ viewers }) => viewers.includes(session))
  const own = serving.filter(({ viewers }) => viewers.length === 1)
  const isShared = serving.some(({ viewers, weight }) => viewers.length > 1 && weight > LIGHT_WEIGHT)
  if (isShared || own.length === 0) return undefined
  return { uses: own, weight: own.reduce((sum, { weight }) => sum + weight, 0), startedAt: Math.max(...own.map((use) => use.startedAt)) }
}

/** The newest session that frees enough by itself; else the newest of all, if all together would free enough. */
function newestOf<Use>(candidates: readonly Candidate<Use>[], weight: number): Candidate<Use> | undefined {
  const newest = candidates.toSorted((one, other) => other.startedAt - one.startedAt)
  const all = candidates.reduce((sum, candidate) => sum + candidate.weight, 0)
  return newest.find((candidate) => candidate.weight >= weight) ?? (all >= weight ? newest[0] : undefined)
}
