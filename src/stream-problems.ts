/**
 * Stream problems: why the stream of a session stands still, as its last requests showed: a quality that could not be given, until
 * it can. Only what this node was asked for.
 */
import type { SessionId } from './events/id.ts'
import { createRecent } from './flow/recent.ts'

export interface StreamProblems {
  /** What a request for a quality came to; undefined: it was answered. */
  note(this: void, sessionId: SessionId, quality: string, problem: string | undefined): void
  of(this: void, sessionId: SessionId): string | null
  forget(this: void, sessionId: SessionId): void
}

/** Sessions with a problem, remembered at most. */
const KNOWN_MAX = 1_000

export function createStreamProblems(): StreamProblems {
  const known = createRecent<Map<string, string>>(KNOWN_MAX)
  return {
    note(sessionId, quality, problem) {
      const problems = known.peek(sessionId)
      if (problem === undefined) {
        problems?.delete(quality)
        if (problems?.size === 0) known.remove(sessionId)
        return
      }
      if (problems) problems.set(quality, problem)
      else known.put(sessionId, new Map([[quality, problem]]))
    },
    of: (sessionId) => known.peek(sessionId)?.values().next().value ?? null,
    forget: (sessionId) => known.remove(sessionId),
  }
}
