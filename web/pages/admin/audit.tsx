/** The audit log, for administrators. Each look at it is an entry of its own. */
import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { SearchX, X } from 'lucide-preact'
import { useMemo } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { AUDIT_TYPES, auditAsked } from '../../data/audit-types.ts'
import { auditQuery } from '../../data/past-queries.ts'
import { usersQuery } from '../../data/users-query.ts'
import { isWholeDate } from '../../data/time-zone.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { AuditRows, typeText } from '../../parts/audit-rows.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { OnRecord } from '../../parts/on-record.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { go, withQuery } from '../../router.ts'
import { say } from '../../words/words.ts'

const PATH = '/admin/audit'

export function Page() {
  const search = useSearch()
  return (
    <div class="past">
      <AdminHead title={say('page.admin-audit')} />
      <div class="list-head">
        <OnRecord />
        <Filters search={search} />
      </div>
      <List search={search} />
    </div>
  )
}

function Filters({ search }: { readonly search: string }) {
  const query = new URLSearchParams(search)
  const { data: users } = useQuery(usersQuery(''))
  const change = (changes: Parameters<typeof withQuery>[1]): void => go(`${PATH}${withQuery(search, changes)}`, { replace: true })
  const ids = (['targetId', 'requestId'] as const).filter((name) => query.get(name))
  return (
    <div class="filters">
      <Choice
        label={say('audit.type')}
        value={query.get('type') ?? ''}
        options={AUDIT_TYPES.map((type) => ({ value: type, text: typeText(type) })).sort((a, b) => a.text.localeCompare(b.text))}
        onChoose={(type) => change({ type })}
      />
      <Choice
        label={say('audit.actor')}
        value={query.get('actorId') ?? ''}
        options={(users?.items ?? []).map(({ id, name }) => ({ value: id, text: name }))}
        onChoose={(actorId) => change({ actorId })}
      />
      {(['from', 'to'] as const).map((name) => (
        <label key={name}>
          <span>{say(`history.${name}`)}</span>
          <input
            type="date"
            class={query.get(name) ? 'set' : undefined}
            value={query.get(name) ?? ''}
            onChange={({ currentTarget: { value } }) => isWholeDate(value) && change({ [name]: value || undefined })}
          />
        </label>
      ))}
      {ids.length > 0 && (
        <ul class="chips" aria-label={say('films.filters')}>
          {ids.map((name) => (
            <li key={name}>
              <button
                type="button"
                class="chip"
                aria-label={say('films.remove-filter', { name: say(`audit.${name}`) })}
                onClick={() => change({ [name]: undefined })}
              >
                {say(`audit.${name}`)}: {query.get(name)}
                <Icon of={X} size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function List({ search }: { readonly search: string }) {
  const asked = useMemo(() => auditAsked(search), [search])
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery(auditQuery(asked))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  const entries = data.pages.flatMap(({ items }) => items)
  if (entries.length === 0 && !hasNextPage)
    return (
      <Empty title={say('audit.none')} icon={SearchX}>
        <p>{say('films.none.hint')}</p>
        <button type="button" onClick={() => go(PATH, { replace: true })}>
          {say('films.clear')}
        </button>
      </Empty>
    )
  return (
    <>
      <AuditRows entries={entries} isAll />
      {hasNextPage && (
        <button type="button" class="show-more" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {say('history.more')}
        </button>
      )}
    </>
  )
}
