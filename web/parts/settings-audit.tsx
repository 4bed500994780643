/** What was done with the person's account, by themselves and by others. */
import { useInfiniteQuery } from '@tanstack/preact-query'
import { ownAuditQuery } from '../data/past-queries.ts'
import { say } from '../words/words.ts'
import { AuditRows } from './audit-rows.tsx'
import { Failed, Waiting } from './states.tsx'

export function AuditSettings() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery(ownAuditQuery)
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  return (
    <>
      <p class="soft">{say('settings.audit.hint')}</p>
      <AuditRows entries={data.pages.flatMap(({ items }) => items)} isAll={false} />
      {hasNextPage && (
        <button type="button" class="show-more" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {say('history.more')}
        </button>
      )}
    </>
  )
}
