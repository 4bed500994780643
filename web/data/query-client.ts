/**
 * The cache of answers: one request in flight for each key, shown during a refetch, and dropped ten minutes after its last
 * use.
 */
import { QueryCache, QueryClient, type Query } from '@tanstack/preact-query'
import { signal } from '@preact/signals-core'
import { isPassing, RequestFailed, type Answer, type Problem } from '../api/problems.ts'

/** The part of TanStack's context that requests use. */
export interface Context {
  readonly signal: AbortSignal
}

const RETRIES = 2
const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 60_000
const KEPT_MS = 600_000

const problemIn = (cause: unknown) => (cause instanceof RequestFailed ? cause.problem : undefined)

/** Until when (milliseconds since 1970) requests that somebody waits for are held back, because there were too many; 0: they are not. */
const heldUntil = signal(0)

/** Seconds until requests are no longer held back; 0: they are not. */
export const heldSeconds = (): number => Math.max(0, Math.ceil((heldUntil.value - Date.now()) / 1000))

const waitMs = (failures: number, problem: Problem | undefined): number =>
  Math.min(MOST_WAIT_MS, (problem?.retryAfterSeconds ?? 0) * 1000 || FIRST_WAIT_MS * 2 ** failures)

function tellHeld(ms: number): void {
  const until = Date.now() + ms
  heldUntil.value = Math.max(heldUntil.value, until)
  setTimeout(() => {
    if (heldUntil.value <= until) heldUntil.value = 0
  }, ms)
}

/** What is done when the server no longer knows who asks. */
let onSignedOut: () => void = () => undefined
export const whenSignedOut = (run: () => void): void => void (onSignedOut = run)

/** Reads are repeated twice, as the server says when. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (cause, query) => {
      const status = problemIn(cause)?.status
      if (status === 401) onSignedOut()
      // It was deleted: its page must not go on as if it were there.
      if (status === 404) query.setState({ ...query.state, data: undefined })
    },
  }),
  defaultOptions: {
    queries: {
      // The server may be in this house, whatever the browser says of the network: if it does not answer, the page says so.
      networkMode: 'always',
      // Events say what has changed; the focus of a window alone causes no refetch.
      staleTime: Infinity,
      gcTime: KEPT_MS,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, cause) => {
        const problem = problemIn(cause)
        return failures < RETRIES && problem !== undefined && isPassing(problem)
      },
      retryDelay: (failures, cause) => {
        const problem = problemIn(cause)
        const ms = waitMs(failures, problem)
        if (problem?.status === 429) tellHeld(ms)
        return ms
      },
    },
  },
})

/** Changes answers that are kept. Scheduled refetches still happen; an answer that `change` returns as it was stays as it is. */
export function changeKept(change: (data: unknown) => unknown, predicate: (query: Query) => boolean = () => true): void {
  for (const query of queryClient.getQueryCache().findAll({ predicate })) {
    const { data, dataUpdatedAt, isInvalidated } = query.state
    const next = change(data)
    if (next === data) continue
    query.setData(next, { manual: true, updatedAt: dataUpdatedAt })
    if (isInvalidated) query.invalidate()
  }
}

/** Whether a query's key begins so. */
export const isOf =
  (key: readonly string[]) =>
  ({ queryKey }: Query): boolean =>
    key.every((part, index) => part === queryKey[index])

/** For a mutation: whether it succeeded or not, the answers below the key are refetched before the page continues. */
export async function thenRefetch<Value>(queryKey: readonly string[], changing: Promise<Answer<Value>>): Promise<Answer<Value>> {
  const answer = await changing
  await queryClient.invalidateQueries({ queryKey })
  return answer
}
