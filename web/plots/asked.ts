/** What all plots of a page share: their range, and where the rows are that they count. Pure. */
import type { StatsAsked } from '../data/stats-query.ts'

export interface StatsProps {
  readonly asked: StatsAsked
  readonly scope: 'own' | 'all'
}

export interface Asked extends StatsAsked {
  /** Of the history. */
  readonly path: string
  readonly query: { readonly from: string; readonly to: string; readonly tz: string; readonly scope?: 'all' }
  /** The same for addresses. */
  readonly range: { readonly from: string; readonly to: string; readonly tz: string }
}

export function askedOf({ asked, scope }: StatsProps): Asked {
  const { from, to, tz } = asked
  return {
    ...asked,
    path: scope === 'all' ? '/admin/history' : '/history',
    query: { from, to, tz, ...(scope === 'all' ? { scope } : {}) },
    range: { from, to, tz },
  }
}
