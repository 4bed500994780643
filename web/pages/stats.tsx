/** The person's own figures. */
import { useMemo } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { statsAsked } from '../data/stats-query.ts'
import { today } from '../data/time-zone.ts'
import { Link } from '../parts/link.tsx'
import { StatsRange } from '../parts/stats-range.tsx'
import { Title } from '../parts/title.tsx'
import { Stats } from '../plots/stats.tsx'
import { say } from '../words/words.ts'
import '../words/en-past.ts'

export function Page() {
  const search = useSearch()
  const asked = useMemo(() => statsAsked(search, Date.now()), [search])
  const year = today().slice(0, 4)
  return (
    <div class="past">
      <div class="list-head">
        <Title>{say('page.stats')}</Title>
        <Link to={`/stats/${year}`} class="button">
          {say('stats.year', { year })}
        </Link>
        <StatsRange asked={asked} search={search} path="/stats" isAll={false} />
      </div>
      <Stats asked={asked} scope="own" />
    </div>
  )
}
