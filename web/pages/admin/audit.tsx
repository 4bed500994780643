/** The audit log, for administrators. Each look at it is an entry of its own. */
import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { SearchX } from 'lucide'
import { useMemo } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { AUDIT_TYPES, auditAsked } from '../../data/audit-types.ts'
import { auditQuery } from '../../data/past-queries.ts'
import { usersQuery } from '../../data/users-query.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { AuditRows, typeText } from '../../parts/audit-rows.tsx'
import { Chips, Choice, DateChoice } from '../../parts/filters.tsx'
import { OnRecord } from '../../parts/on-record.tsx'
import { ShowMore } from '../../parts/show-more.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { go, withQuery } from '../../router.ts'
import { say } from '../../words/words.ts'
import '../../words/en-past.ts'
import '../../words/en-audit.ts'

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
        <DateChoice key={name} label={say(`history.${name}`)} value={query.get(name) ?? ''} onChoose={(date) => change({ [name]: date })} />
      ))}
      <Chips
        chips={ids.map((name) => ({
          key: name,
          name: say(`audit.${name}`),
          text: `${say(`audit.${name}`)}: ${query.get(name)}`,
          onRemove: () => change({ [name]: undefined }),
        }))}
      />
    </div>
  )
}

function List({ search }: { readonly search: string }) {
  const asked = useMemo(() => auditAsked(search), [search])
  const list = useInfiniteQuery(auditQuery(asked))
  const { data, error, refetch, hasNextPage } = list
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  const entries = data.pages.flatMap(({ items }) => items)
  if (entries.length === 0 && !hasNextPage)
    return (
      <Empty title={say('audit.none')} icon={SearchX}>
        <p>{say('movies.none.hint')}</p>
        <button type="button" onClick={() => go(PATH, { replace: true })}>
          {say('movies.clear')}
        </button>
      </Empty>
    )
  return (
    <>
      <AuditRows entries={entries} isAll />
      <ShowMore of={list} />
    </>
  )
}
