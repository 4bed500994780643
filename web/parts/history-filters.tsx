/** Filters of the history. Those that have no choice of their own come with links, such as those of plots, and are chips to take away. */
import { useQuery } from '@tanstack/preact-query'
import { historyFiltersIn, namesOf, type SetFilter } from '../data/history-query.ts'
import { usersQuery } from '../data/users-query.ts'
import { librariesQuery, movieQuery } from '../data/queries.ts'
import { isDate } from '../data/time-zone.ts'
import { go, withQuery } from '../router.ts'
import { hour, weekday } from '../words/calendar.ts'
import { moment } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Chips, Choice, DateChoice } from './filters.tsx'

export interface HistoryFiltersProps {
  readonly search: string
  readonly path: string
  readonly isEverybody: boolean
}

export function HistoryFilters({ search, path, isEverybody }: HistoryFiltersProps) {
  const query = new URLSearchParams(search)
  const { data: users } = useQuery({ ...usersQuery(''), enabled: isEverybody })
  const change = (changes: Parameters<typeof withQuery>[1]): void => go(`${path}${withQuery(search, changes)}`, { replace: true })
  return (
    <div class="filters">
      {(['from', 'to'] as const).map((name) => {
        const value = query.get(name)
        return (
          <DateChoice
            key={name}
            label={say(`history.${name}`)}
            value={isDate(value) ? value : ''}
            onChoose={(date) => change({ [name]: date })}
          />
        )
      })}
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
      <OtherFilters search={search} path={path} />
    </div>
  )
}

/** Those that have choices of their own are seen there. */
const CHOICES: ReadonlySet<string> = new Set(['completed', 'source', 'userId'])

function OtherFilters({ search, path }: { readonly search: string; readonly path: string }) {
  const query = new URLSearchParams(search)
  const others = historyFiltersIn(search).filter(
    ({ name }) => !CHOICES.has(name) && (name !== 'range' || !(isDate(query.get('from')) || isDate(query.get('to')))),
  )
  const nameOf = useNames(others)
  return (
    <Chips
      chips={others.map((filter) => ({
        key: filter.name,
        text: nameOf(filter),
        onRemove: () =>
          go(`${path}${withQuery(search, Object.fromEntries(namesOf(filter.name).map((name) => [name, undefined])))}`, { replace: true }),
      }))}
    />
  )
}

const HOURS = 24
const PART_PERCENT = 5

/** Gives what names a filter to the person. */
function useNames(filters: readonly SetFilter[]): (filter: SetFilter) => string {
  const movieId = filters.find(({ name }) => name === 'movieId')?.value
  const { data: movie } = useQuery({ ...movieQuery(movieId ?? ''), enabled: movieId !== undefined })
  const { data: libraries } = useQuery({ ...librariesQuery, enabled: filters.some(({ name }) => name === 'libraryId') })
  return ({ name, value }) => {
    switch (name) {
      case 'movieId':
        return movie?.title ?? say('page.movie')
      case 'libraryId':
        return libraries?.items.find(({ id }) => id === value)?.name ?? say('movies.library')
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
}
