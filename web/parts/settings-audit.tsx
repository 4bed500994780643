/** What was done with the person's account, by themselves and by others. */
import { useInfiniteQuery } from '@tanstack/preact-query'
import { ownAuditQuery } from '../data/past-queries.ts'
import { say } from '../words/words.ts'
import { AuditRows } from './audit-rows.tsx'
import { ShowMore } from './show-more.tsx'
import { Failed, Waiting } from './states.tsx'

export function AuditSettings() {
  const list = useInfiniteQuery(ownAuditQuery)
  const { data, error, refetch } = list
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  return (
    <>
      <p class="soft">{say('settings.audit.hint')}</p>
      <AuditRows entries={data.pages.flatMap(({ items }) => items)} isAll={false} />
      <ShowMore of={list} />
    </>
  )
}
