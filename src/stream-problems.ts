/**
 * Stream problems: why the stream of a session stands still, as its last requests showed: a quality that could not be given, until
 * it can. Only what this node was asked for.
 */
import type { SessionId } from './events/id.ts'

export interface StreamProblems {
  /** What a request for a quality came to; undefined: it was answered. */
  note(this: void, sessionId: SessionId, quality: string, problem: string | undefined): void
  of(this: void, sessionId: SessionId): string | null
  forget(this: void, sessionId: SessionId): void
}

/** Sessions with a problem, remembered at most. */
const KNOWN_MAX = 1_000

export function createStreamProblems(): StreamProblems {
  const known = new Map<SessionId, Map<string, string>>()
  return {
    note(sessionId, quality, problem) {
      const problems = known.get(sessionId)
      if (problem === undefined) {
        problems?.delete(quality)
        if (problems?.size === 0) known.delete(sessionId)
        return
      }
      if (problems) problems.set(quality, problem)
      else known.set(sessionId, new Map([[quality, problem]]))
      if (known.size > KNOWN_MAX) known.delete(known.keys().next().value ?? sessionId)
    },
    of: (sessionId) => known.get(sessionId)?.values().next().value ?? null,
    forget: (sessionId) => void known.delete(sessionId),
  }
}
