/** Everybody's figures. Looking is on record. */
import { useMemo } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { statsAsked } from '../../data/stats-query.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { OnRecord } from '../../parts/on-record.tsx'
import { StatsRange } from '../../parts/stats-range.tsx'
import { Stats } from '../../plots/stats.tsx'
import { say } from '../../words/words.ts'
import '../../words/en-past.ts'

export function Page() {
  const search = useSearch()
  const asked = useMemo(() => statsAsked(search, Date.now()), [search])
  return (
    <div class="past">
      <AdminHead title={say('page.admin-stats')} />
      <div class="list-head">
        <OnRecord />
        <StatsRange asked={asked} search={search} path="/admin/stats" isAll />
      </div>
      <Stats asked={asked} scope="all" />
    </div>
  )
}
