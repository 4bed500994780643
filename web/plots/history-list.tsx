/** Viewings, the newest first, each with its strip. */
import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { EyeOff, History, Play, Rows3, SearchX } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import { hiddenViewings, hideViewing } from '../data/hiding.ts'
import { historyAsked, historyFiltersIn, type HistoryEntry } from '../data/history-query.ts'
import { historyQuery, topQuery } from '../data/past-queries.ts'
import { usersQuery } from '../data/users-query.ts'
import { dateOf } from '../data/time-zone.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { toast } from '../parts/toast.tsx'
import { go } from '../router.ts'
import { clock, longDate, shortDuration, timeOfDay } from '../words/format.ts'
import { say } from '../words/words.ts'
import { StripLine } from './strip.tsx'
import { useStrip } from './use-strip.ts'

/** Pages that are asked for without a person's wish, until there are enough rows: filters of rows may leave out most of them. */
const PAGES_UNASKED = 5
const ENOUGH = 50

export interface HistoryListProps {
  readonly search: string
  readonly scope: 'own' | 'all'
  readonly path: string
}

export function HistoryList({ search, scope, path }: HistoryListProps) {
  const { query, fits, tz } = useMemo(() => historyAsked(search, scope), [search, scope])
  const list = useInfiniteQuery(historyQuery(query))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = list
  const hidden = hiddenViewings.value
  const rows = useMemo(
    () => (data?.pages ?? []).flatMap(({ items }) => items).filter((entry) => fits(entry) && !hidden.has(entry.id)),
    [data, fits, hidden],
  )
  const pages = data?.pages.length ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetching && !error && rows.length < ENOUGH && pages < PAGES_UNASKED) void fetchNextPage()
  }, [hasNextPage, isFetching, error, rows.length, pages, fetchNextPage])
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  if (rows.length === 0 && !hasNextPage) return <Nothing search={search} path={path} scope={scope} />
  return (
    <>
      <p class="count soft" role="status">
        {say(hasNextPage ? 'history.first' : 'history.count', { count: rows.length })}
      </p>
      <Days rows={rows} tz={tz} isEverybody={scope === 'all'} isPast={query.asOf !== undefined} />
      <ShowMore of={list} />
    </>
  )
}

function Nothing({ search, path, scope }: HistoryListProps) {
  if (historyFiltersIn(search).length > 0)
    return (
      <Empty title={say('history.none.filtered')} icon={SearchX}>
        <p>{say('movies.none.hint')}</p>
        <button type="button" onClick={() => go(path, { replace: true })}>
          {say('movies.clear')}
        </button>
      </Empty>
    )
  return (
    <Empty title={say('history.none')} icon={History}>
      <p>{say(scope === 'all' ? 'history.none.all' : 'history.none.hint')}</p>
      <Link to="/films" class="button">
        {say('app.see-movies')}
      </Link>
    </Empty>
  )
}

interface DaysProps {
  readonly rows: readonly HistoryEntry[]
  readonly tz: string
  readonly isEverybody: boolean
  readonly isPast: boolean
}

function Days({ rows, tz, ...rest }: DaysProps) {
  const { data: users } = useQuery({ ...usersQuery(''), enabled: rest.isEverybody })
  const names = new Map<string | null, string | null>(users?.items.map(({ id, name }) => [id, name]))
  const lacks = users !== undefined && rows.some(({ userId }) => !names.has(userId))
  const { data: viewers } = useQuery({ ...viewersQuery(rows), enabled: lacks })
  for (const { key, label } of viewers?.items ?? []) names.set(key, label)
  const nameOf = (userId: string): string => {
    const name = names.get(userId)
    return name === null ? say('stats.erased') : (name ?? '…')
  }
  const days = byDay(rows, tz)
  return (
    <>
      {days.map(([date, entries]) => (
        <section key={date} class="day" aria-label={longDate(date)}>
          <h2>{longDate(date)}</h2>
          <ul class="viewings">
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} tz={tz} user={rest.isEverybody ? nameOf(entry.userId) : undefined} {...rest} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

const MOST_VIEWERS = 50
/** The API gives no more than five years. */
const LONGEST_MS = 1825 * 86_400_000

/** The people of these viewings, also those whose accounts were removed: the list of accounts does not have them. */
const viewersQuery = (rows: readonly HistoryEntry[]) => {
  const [first = '', earliest] = [rows.at(-1)?.startedAt, dayOf(Date.now() - LONGEST_MS)]
  return topQuery({ scope: 'all', by: 'user', from: first > earliest ? first : earliest, limit: MOST_VIEWERS })
}

/** Its first moment, so that the same days are the same request. */
const dayOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 10)}T00:00:00.000Z`

/** Browsers as old as those that are supported cannot group by themselves. */
function byDay(rows: readonly HistoryEntry[], tz: string): readonly (readonly [string, readonly HistoryEntry[]])[] {
  const days = new Map<string, HistoryEntry[]>()
  for (const entry of rows) {
    const date = dateOf(Date.parse(entry.startedAt), tz)
    days.set(date, [...(days.get(date) ?? []), entry])
  }
  return [...days]
}

interface RowProps {
  readonly entry: HistoryEntry
  readonly tz: string
  readonly user: string | undefined
  readonly isEverybody: boolean
  readonly isPast: boolean
}

function Row({ entry, tz, user, isEverybody, isPast }: RowProps) {
  const { id, movie, startedAt, endPosition, completed, source, endedAt } = entry
  const { element, strip, length } = useStrip(entry, !isEverybody)
  const title = movie.title ?? say('history.untitled')
  return (
    <li ref={element} class="viewing" data-viewing={id}>
      <div class="viewing-what">
        <p class="viewing-title">
          <Link to={`/films/${movie.id}`} data-focus={`movie ${id}`}>
            {title}
          </Link>
          {movie.year !== null && <span class="soft"> {movie.year}</span>}
        </p>
        <p class="soft">{[user, timeOfDay(startedAt, tz), ...factsOf(entry)].filter((text) => text !== undefined).join(' · ')}</p>
      </div>
      {source === 'playback' && <StripLine strip={strip} length={length} />}
      <div class="viewing-actions">
        {source === 'playback' && (
          <Link to={`/history/${id}`} class="button" data-focus={`strip ${id}`} aria-label={say('history.details-of', { title })}>
            <Icon of={Rows3} size={16} />
            {say('history.details')}
          </Link>
        )}
        {!isEverybody && !completed && endPosition > 0 && (
          <Link
            to={`/watch/${movie.id}?t=${Math.floor(endPosition)}`}
            class="button"
            aria-label={say('history.from-of', { time: clock(endPosition), title })}
          >
            <Icon of={Play} size={16} />
            {clock(endPosition)}
          </Link>
        )}
        {!isEverybody && !isPast && endedAt !== null && (
          <button type="button" class="quiet round" aria-label={say('history.hide', { title })} onClick={() => hide(entry, title)}>
            <Icon of={EyeOff} size={18} />
          </button>
        )}
      </div>
    </li>
  )
}

function hide({ id }: HistoryEntry, title: string): void {
  const undo = hideViewing(id, ({ message }) => toast({ text: say('mark.refused', { reason: message }) }))
  toast({ text: say('history.hidden', { title }), undo })
}

/** How long, how far and how: in words, since the strip is a chart. */
function factsOf({ source, watchedSeconds, completed, percent, client, method, endedAt, endReason }: HistoryEntry): readonly string[] {
  if (source !== 'playback') return [say(`history.source.${source}`), ...(watchedSeconds > 0 ? [shortDuration(watchedSeconds)] : [])]
  const how = [client?.name, method === null ? undefined : say(`method.${method}`)].filter((text) => typeof text === 'string')
  const end =
    endedAt === null
      ? say('history.goes-on')
      : completed
        ? say('history.completed')
        : say('history.percent', { percent: Math.round(percent) })
  return [
    shortDuration(watchedSeconds),
    end,
    ...how,
    ...(endReason === null || endReason === 'client' ? [] : [say(`end.${endReason}`)]),
  ].filter((text) => text !== '')
}
