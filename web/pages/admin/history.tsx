/** What everybody watched. Looking is on record. */
import { useSearch } from 'wouter-preact'
import { AdminHead } from '../../parts/admin-head.tsx'
import { HistoryFilters } from '../../parts/history-filters.tsx'
import { OnRecord } from '../../parts/on-record.tsx'
import { HistoryList } from '../../plots/history-list.tsx'
import { say } from '../../words/words.ts'
import '../../words/en-past.ts'

export function Page() {
  const search = useSearch()
  return (
    <div class="past">
      <AdminHead title={say('page.admin-history')} />
      <div class="list-head">
        <OnRecord />
        <HistoryFilters search={search} path="/admin/history" isEverybody />
      </div>
      <HistoryList search={search} path="/admin/history" scope="all" />
    </div>
  )
}
