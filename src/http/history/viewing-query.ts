/** Parses which viewings a request asks for, and checks permission. */
import type { FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Asking } from '../../app/history/history.ts'
import type { HistoryFilter } from '../../app/history/viewing-filters.ts'
import type { Caller } from '../../app/access/caller.ts'
import { parseId } from '../../vocabulary/id.ts'
import { invalid } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import type { VIEWING_QUERY } from './history-schemas.ts'
import { timeRange } from '../server/time-range.ts'

type ViewingQuery = Static<TObject<typeof VIEWING_QUERY>>

/** For the guard: requests that are not about the caller alone are for administrators. */
export function isAboutOthers(request: FastifyRequest): boolean {
  const { scope, userId } = (request.query ?? {}) as Readonly<Record<string, unknown>>
  return scope === 'all' || (userId !== undefined && userId !== request.caller?.userId)
}

/** @throws HttpError 422 for a range that ends before it starts, and for a user together with all users */
export function filterOf(caller: Caller, query: ViewingQuery): HistoryFilter {
  const { userId, scope, from, to, movieId, libraryId, completed, client, source } = query
  if (userId !== undefined && scope === 'all') throw invalid([{ path: 'userId', message: 'cannot be combined with `scope=all`' }])
  const range = timeRange({ from, to })
  const of = scope === 'all' ? undefined : userId === undefined ? caller.userId : parseId<'user'>(userId)
  return omitUndefined({ userId: of, ...range, movieId, libraryId, completed, client, source })
}

export const askingOf = (request: FastifyRequest): Asking => ({
  caller: callerOf(request),
  operation: `${request.method} ${request.routeOptions.url}`,
  origin: requestOrigin(request),
})
