/**
 * Records requests and their answers, and compares them with the log at the moment of the answer and at the end. Acknowledged commands are
 * in the log, rejected ones are not, and no request succeeds after its permission was revoked.
 */
import type { Answer, Asked } from './api-nodes.ts'
import { limitOf } from './seed-log.ts'
import { SKEW_MAX_MS } from './cluster.ts'
import { grantKey, leftMs, type SessionFacts, type LogFacts } from './log-facts.ts'
import type { World } from './world.ts'

export interface Expectations {
  /** A command with a unique effect (`effectOf`). */
  command<Value>(key: string, answer: Answer<Value>): void
  /** A command that sets a value: the last one wins. */
  saying<Value>(of: string, said: boolean, answer: Answer<Value>): void
  isSaid(of: string, said: boolean): boolean
  /** A request that succeeded for a login, with its session if it has one. */
  served(asked: Asked, login: { readonly loginId: string; readonly userId: string }, sessionId?: string): void
  /** A revocation, or its reversal, was acknowledged. */
  taken(key: string, isTaken: boolean): void
  started(answer: Answer<unknown>, sessionId: string): void
  /** At the end: returns the number of acknowledged commands. */
  close(): number
}

/** After this time a revocation must be effective everywhere. */
const REVOKED_WITHIN_MS = 1000
/** And even on a node that has lost its log subscription: by then it knows that, and rejects all requests. */
const BLIND_WITHIN_MS = 12_000

export function createExpectations(world: World, facts: LogFacts): Expectations {
  const refused = new Map<string, string>()
  const acknowledged = new Set<string>()
  let sayings = 0
  /** Time of each session's last heartbeat that failed through no fault of its player. */
  const triedAtMs = new Map<string, number>()

  const withinMs = ({ well }: Asked) => (well ? REVOKED_WITHIN_MS : BLIND_WITHIN_MS)

  function checkGone(keys: readonly string[], asked: Asked): void {
    for (const key of keys) {
      const sinceMs = facts.goneSinceMs(key)
      if (sinceMs !== undefined && sinceMs < asked.atMs - withinMs(asked)) world.fail(`${asked.node.host.name} served without ${key}`)
    }
  }

  function checkSession(session: SessionFacts, id: string, asked: Asked): void {
    // Clocks differ: at most by this much between the node and the sender of the last heartbeat.
    const mayBeOverMs = (triedAtMs.get(id) ?? -Infinity) + session.idleMs
    if (leftMs(session, asked.atMs) < -2 * SKEW_MAX_MS && asked.atMs > mayBeOverMs + 2 * SKEW_MAX_MS)
      world.fail(`session ${id} was served by ${asked.node.host.name} after its idle time`)
    const { endedAtMs } = session
    if (endedAtMs !== undefined && endedAtMs < asked.atMs - withinMs(asked)) world.fail(`session ${id} was served after its end`)
    checkGone(needsOf(session), asked)
  }

  return {
    command(key, answer) {
      const [kind, sessionId = ''] = key.split(' ')
      if (kind === 'beat' && answer.type === 'failed') triedAtMs.set(sessionId, world.now())
      const isStored = answer.type === 'done' || (answer.type === 'failed' && answer.code === 'views-behind')
      if (isStored) acknowledged.add(key)
      if (isStored && facts.effects(key) === 0) world.fail(`${key} was acknowledged and is not in the log`)
      // A session may have ended while its command was running.
      if (answer.type === 'refused' && answer.why !== 'not-found' && !acknowledged.has(key)) refused.set(key, answer.why)
    },
    saying(of, said, answer) {
      if (answer.type !== 'done') return
      sayings++
      const last = facts.said(of)
      // Meanwhile another command may have set the opposite.
      if (last.said !== said && last.atMs < answer.asked.atMs) world.fail(`${of} ${said} was acknowledged, and the log says the opposite`)
    },
    isSaid: (of, said) => facts.said(of).said === said,
    taken(key, isTaken) {
      sayings++
      if ((facts.goneSinceMs(key) !== undefined) !== isTaken)
        world.fail(`${key} was ${isTaken ? 'taken' : 'given'}, and the log says otherwise`)
    },
    served(asked, { loginId, userId }, sessionId) {
      checkGone([`login ${loginId}`, `user ${userId}`], asked)
      const session = sessionId === undefined ? undefined : facts.sessions.get(sessionId)
      if (session && sessionId !== undefined) checkSession(session, sessionId, asked)
    },
    started(answer, sessionId) {
      const session = facts.sessions.get(sessionId)
      if (answer.type !== 'done' || !session) return
      const limit = limitOf(session.userId)
      const before = [...facts.sessions].filter(
        ([, one]) => one.userId === session.userId && one.position < session.position && isLive(facts, one, world.now()),
      )
      if (limit === null || before.length < limit) return
      world.fail(`session ${sessionId} of ${session.userId} was given beside ${before.map(([id]) => id).join(' and ')}`)
    },
    close() {
      for (const [key, why] of refused) if (facts.effects(key) > 0) world.fail(`${key} was refused (${why}) and stands in the log`)
      return acknowledged.size + sayings
    },
  }
}

/** The permissions that a session needs to continue. */
const needsOf = ({ loginId, userId, libraryId }: SessionFacts): readonly string[] => [
  `login ${loginId}`,
  `user ${userId}`,
  `library ${libraryId}`,
  grantKey(userId, libraryId),
]

/** And had them all the time. */
const isLive = (facts: LogFacts, session: SessionFacts, nowMs: number): boolean =>
  session.endedAtMs === undefined &&
  leftMs(session, nowMs) > 2 * SKEW_MAX_MS &&
  needsOf(session).every((key) => facts.goneSinceMs(key) === undefined && facts.backAtMs(key) < session.startedAtMs)
