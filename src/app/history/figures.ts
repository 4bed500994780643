/** Shared code of all figures over the history: their range, which viewings they count, and the record of an administrator who looks. */
import { isRefusal, refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import { TooManyGroups, type Filter } from '../../ports/read-store.ts'
import type { Access } from '../access/access.ts'
import type { AccessRecords } from '../audit/access-records.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { Asking } from './history.ts'
import { createRanges, type Range, type RangeQuery } from './ranges.ts'
import { viewingFilters, type HistoryFilter } from './viewing-filters.ts'

export interface FigureQuery extends RangeQuery {
  /** The filter without its range. */
  readonly filter: HistoryFilter
}

/** A figure and its range. */
export type Figure<Of> = Of & { readonly range: Range }

/** Computes a figure from the matching viewings; it applies the range itself. */
type Make<Of> = (where: readonly Filter[], range: Range) => Promise<Of>

export interface Figures {
  answer<Of>(asking: Asking, query: FigureQuery, make: Make<Of>): Promise<Figure<Of> | Refusal>
  ofYear<Of>(asking: Asking, query: YearQuery, make: Make<Of>): Promise<Figure<Of> | Refusal>
}

export interface YearQuery {
  readonly filter: HistoryFilter
  readonly year: number
  readonly tz: string
}

export interface FiguresDependencies {
  readonly access: Pick<Access, 'users'>
  readonly accessRecords: Pick<AccessRecords, 'viewed'>
  readonly clock: Pick<Clock, 'now'>
  readonly sealer: Pick<Sealer, 'digest'>
}

const TOO_MANY = refuse('invalid', 'begins too long before `to` for so much that was watched: ask for a shorter range', { path: 'from' })

export function createFigures(deps: FiguresDependencies): Figures {
  const ranges = createRanges(deps.clock)

  async function within<Of>({ caller, operation, origin }: Asking, filter: HistoryFilter, range: Range | Refusal, make: Make<Of>) {
    if (isRefusal(range)) return range
    await deps.accessRecords.viewed(caller, { userId: filter.userId ?? null, operation }, origin)
    try {
      return { ...(await make(await viewingFilters(deps, caller, filter), range)), range }
    } catch (error) {
      if (error instanceof TooManyGroups) return TOO_MANY
      throw error
    }
  }

  return {
    answer: (asking, query, make) => within(asking, query.filter, ranges.of(query), make),
    ofYear: (asking, { filter, year, tz }, make) => within(asking, filter, ranges.ofYear(year, tz), make),
  }
}
