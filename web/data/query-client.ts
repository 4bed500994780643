/** The cache of answers: one request in flight for each key, shown while it is asked for again, and dropped ten minutes after its last use. */
import { QueryClient } from '@tanstack/preact-query'
import { isPassing, RequestFailed } from '../api/problems.ts'

const RETRIES = 2
const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 60_000
const KEPT_MS = 600_000

const problemIn = (cause: unknown) => (cause instanceof RequestFailed ? cause.problem : undefined)

/** Reads are repeated twice, as the server says when; writes never by themselves. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Events say what has changed; nothing is asked for again only because a window got the focus.
      staleTime: Infinity,
      gcTime: KEPT_MS,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, cause) => {
        const problem = problemIn(cause)
        return failures < RETRIES && problem !== undefined && isPassing(problem)
      },
      retryDelay: (failures, cause) =>
        Math.min(MOST_WAIT_MS, (problemIn(cause)?.retryAfterSeconds ?? 0) * 1000 || FIRST_WAIT_MS * 2 ** failures),
    },
    mutations: { retry: false },
  },
})
