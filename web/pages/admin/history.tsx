/** What everybody watched. Looking is on record. */
import { useSearch } from 'wouter-preact'
import { HistoryFilters } from '../../parts/history-filters.tsx'
import { OnRecord } from '../../parts/on-record.tsx'
import { Title } from '../../parts/title.tsx'
import { HistoryList } from '../../plots/history-list.tsx'
import { say } from '../../words/words.ts'

export function Page() {
  const search = useSearch()
  return (
    <div class="past">
      <div class="list-head">
        <Title>{say('page.admin-history')}</Title>
        <OnRecord />
        <HistoryFilters search={search} path="/admin/history" isEverybody />
      </div>
      <HistoryList search={search} path="/admin/history" scope="all" />
    </div>
  )
}
