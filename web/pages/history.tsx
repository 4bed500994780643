/** What the person watched, with the strip of each viewing. */
import { useSearch } from 'wouter-preact'
import { HistoryFilters } from '../parts/history-filters.tsx'
import { Title } from '../parts/title.tsx'
import { HistoryList } from '../plots/history-list.tsx'
import { say } from '../words/words.ts'
import '../words/en-past.ts'

export function Page() {
  const search = useSearch()
  return (
    <div class="past">
      <div class="list-head">
        <Title>{say('page.history')}</Title>
        <HistoryFilters search={search} path="/history" isEverybody={false} />
      </div>
      <HistoryList search={search} path="/history" scope="own" />
    </div>
  )
}
