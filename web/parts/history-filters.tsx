/** Filters of the history. Those that have no choice of their own come with links, such as those of plots, and are chips to take away. */
import { useQuery } from '@tanstack/preact-query'
import { X } from 'lucide-preact'
import { historyFiltersIn, namesOf, type SetFilter } from '../data/history-query.ts'
import { usersQuery } from '../data/users-query.ts'
import { librariesQuery, movieQuery } from '../data/queries.ts'
import { isDate, isWholeDate } from '../data/time-zone.ts'
import { go, withQuery } from '../router.ts'
import { hour, weekday } from '../words/calendar.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Choice } from './choice.tsx'
import { Icon } from './icon.tsx'

export interface HistoryFiltersProps {
  readonly search: string
  readonly path: string
  readonly isEverybody: boolean
}

export function HistoryFilters({ search, path, isEverybody }: HistoryFiltersProps) {
  const query = new URLSearchParams(search)
  const { data: users } = useQuery({ ...usersQuery(''), enabled: isEverybody })
  const change = (changes: Parameters<typeof withQuery>[1]): void => go(`${path}${withQuery(search, changes)}`, { replace: true })
  const date = (name: 'from' | 'to') => (
    <label>
      <span>{say(`history.${name}`)}</span>
      <input
        type="date"
        class={query.get(name) ? 'set' : undefined}
        value={isDate(query.get(name)) ? (query.get(name) ?? '') : ''}
        onChange={({ currentTarget: { value } }) => isWholeDate(value) && change({ [name]: value || undefined })}
      />
    </label>
  )
  return (
    <div class="filters">
      {date('from')}
      {date('to')}
      <Choice
        label={say('history.end')}
        value={query.get('completed') ?? ''}
        options={[
          { value: 'true', text: say('history.completed') },
          { value: 'false', text: say('history.not-completed') },
        ]}
        onChoose={(completed) => change({ completed })}
      />
      <Choice
        label={say('history.source')}
        value={query.get('source') ?? ''}
        options={(['playback', 'manual', 'import'] as const).map((value) => ({ value, text: say(`history.source.${value}`) }))}
        onChoose={(source) => change({ source })}
      />
      {isEverybody && (
        <Choice
          label={say('history.user')}
          value={query.get('userId') ?? ''}
          options={(users?.items ?? []).map(({ id, name }) => ({ value: id, text: name }))}
          onChoose={(userId) => change({ userId })}
        />
      )}
      <Chips search={search} path={path} />
    </div>
  )
}

/** Those that have choices of their own are seen there. */
const CHOICES: ReadonlySet<string> = new Set(['completed', 'source', 'userId'])

function Chips({ search, path }: { readonly search: string; readonly path: string }) {
  const query = new URLSearchParams(search)
  const chips = historyFiltersIn(search).filter(
    ({ name }) => !CHOICES.has(name) && (name !== 'range' || !(isDate(query.get('from')) || isDate(query.get('to')))),
  )
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={say('films.filters')}>
      {chips.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          onRemove={() =>
            go(`${path}${withQuery(search, Object.fromEntries(namesOf(filter.name).map((name) => [name, undefined])))}`, { replace: true })
          }
        />
      ))}
    </ul>
  )
}

function Chip({ filter, onRemove }: { readonly filter: SetFilter; readonly onRemove: () => void }) {
  const text = useFilterName(filter)
  return (
    <li>
      <button type="button" class="chip" onClick={onRemove} aria-label={say('films.remove-filter', { name: text })}>
        {text}
        <Icon of={X} size={14} />
      </button>
    </li>
  )
}

const HOURS = 24
const PART_PERCENT = 5

function useFilterName({ name, value }: SetFilter): string {
  const { data: movie } = useQuery({ ...movieQuery(value), enabled: name === 'movieId' })
  const { data: libraries } = useQuery({ ...librariesQuery, enabled: name === 'libraryId' })
  switch (name) {
    case 'movieId':
      return movie?.title ?? say('page.film')
    case 'libraryId':
      return libraries?.items.find(({ id }) => id === value)?.name ?? say('films.library')
    case 'range':
      return value
        .split('/')
        .map((time) => (time === '' ? '…' : moment(time)))
        .join(' – ')
    case 'hourOfWeek':
      return say('history.hour', { day: weekday(Math.floor(Number(value) / HOURS), 'long'), time: hour(Number(value) % HOURS) })
    case 'left':
      return say('history.left', { from: Number(value) * PART_PERCENT, to: (Number(value) + 1) * PART_PERCENT })
    case 'at':
      return say('history.at', { time: moment(value) })
    case 'without':
      return say('history.without')
    case 'method':
      return value === 'direct' || value === 'remux' || value === 'transcode' ? say(`method.${value}`) : value
    default:
      return value
  }
}
