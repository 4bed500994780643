/** Builds the filters for viewings of a request: the only place that decides which part of the history a caller may see and count. */
import type { UserId } from '../../vocabulary/id.ts'
import type { ViewingDocument, ViewingSource } from '../../../projections/views/viewings.ts'
import { sees, type Viewer } from '../../domain/access/visibility.ts'
import type { Filter } from '../../ports/read-store.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import type { Sealer } from '../commands/sealer.ts'

export interface HistoryFilter {
  /** Undefined: everybody's viewings. */
  readonly userId?: UserId
  readonly movieId?: string
  readonly libraryId?: string
  /** RFC 3339 UTC with milliseconds. Selects viewings that started from the first (inclusive) to the second (exclusive). */
  readonly from?: string
  readonly to?: string
  readonly completed?: boolean
  /** Name of the client. */
  readonly client?: string
  readonly source?: ViewingSource
}

export interface FilterDependencies {
  readonly access: Pick<Access, 'users'>
  readonly sealer: Pick<Sealer, 'digest'>
}

export async function viewingFilters(deps: FilterDependencies, caller: Caller, filter: HistoryFilter): Promise<readonly Filter[]> {
  const { userId, movieId, libraryId, completed, client, source } = filter
  const equal = { userId, movieId, libraryId, completed, source }
  return [
    { field: 'hidden', op: 'eq', value: false },
    ...Object.entries(equal).flatMap(([field, value]) => (value === undefined ? [] : [{ field, op: 'eq', value } as const])),
    ...begunWithin(filter),
    ...(client === undefined ? [] : [await byClient(deps, userId, client)]),
    ...byGrants(caller),
  ]
}

export const begunWithin = ({ from, to }: Pick<HistoryFilter, 'from' | 'to'>): readonly Filter[] => [
  ...(from === undefined ? [] : [{ field: 'startedAt', op: 'gte', value: from } as const]),
  ...(to === undefined ? [] : [{ field: 'startedAt', op: 'lt', value: to } as const]),
]

/** Whether the caller may see the viewing, by its library. A viewing in a removed library stays in the history. */
export const seesViewing = (caller: Viewer, { libraryId }: Pick<ViewingDocument, 'libraryId'>): boolean =>
  libraryId === null ? seesAll(caller) : sees(caller, libraryId)

const seesAll = ({ role, libraryAccess }: Viewer): boolean => role === 'admin' || libraryAccess === 'all'

/** The same as a filter. */
const byGrants = (caller: Caller): readonly Filter[] =>
  seesAll(caller) ? [] : [{ field: 'libraryId', op: 'in', values: caller.libraryIds }]

/** Client names are stored only as digests, which differ between users. */
async function byClient({ access, sealer }: FilterDependencies, userId: UserId | undefined, client: string): Promise<Filter> {
  const userIds = userId === undefined ? [...access.users.keys()] : [userId]
  const digests = await Promise.all(userIds.slice(0, USERS_MAX).map((id) => sealer.digest(id, client)))
  return { field: 'clientKey', op: 'in', values: digests.filter((digest) => digest !== undefined) }
}

/** Most values in a filter. */
const USERS_MAX = 1_000
