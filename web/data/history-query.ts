/**
 * Filters of the history as they stand in the address. Some are the API's own; the others choose among the rows that it gives, so that each
 * mark of a plot has an address whose rows are those that it counts. Pure.
 */
import type { components, operations } from '../api/schema.d.ts'
import { asOfIn } from './as-of.ts'
import { isId, isText } from './typed.ts'
import { addDays, beginOf, hourOfWeek, isDate, isZone, ownZone } from './time-zone.ts'

export type HistoryEntry = components['schemas']['HistoryEntry']
export type HistoryQuery = NonNullable<operations['listHistory']['parameters']['query']>

const NAMES = ['userId', 'movieId', 'libraryId', 'client'] as const
/** Filters of rows: the API does not know them. */
const OF_ROWS = ['method', 'resolution', 'without', 'hourOfWeek', 'left', 'at'] as const
const SOURCES = ['playback', 'manual', 'import'] as const
export const HISTORY_FILTERS = [...NAMES, 'source', 'completed', 'range', ...OF_ROWS] as const
export type HistoryFilter = (typeof HISTORY_FILTERS)[number]

export interface HistoryAsked {
  readonly query: HistoryQuery
  /** Zone of dates and hours. */
  readonly tz: string
  readonly fits: (entry: HistoryEntry) => boolean
  /** Whether rows are left out that the API gives. */
  readonly isPartial: boolean
}

/** Each twentieth of a film has five hundredths. */
const PART_PERCENT = 5
const LAST_PART = 19
const HOURS_OF_WEEK = 168
const DAY = 86_400_000
/** A viewing that goes on at a moment began at most this long before it. */
const LONGEST_VIEWING = 2 * DAY

/** Start of a date in the zone, or a moment as it stands; undefined for anything else. */
function momentIn(text: string | null, tz: string, isEnd = false): number | undefined {
  if (text === null || Number.isNaN(Date.parse(text))) return undefined
  return isDate(text) ? beginOf(isEnd ? addDays(text, 1) : text, tz) : Date.parse(text)
}

export const zoneIn = (query: URLSearchParams): string => {
  const named = query.get('tz')
  return named !== null && isZone(named) ? named : ownZone()
}

/** What the API would refuse is left out: an address that somebody typed still shows a list. */
export function historyAsked(search: string, scope: 'own' | 'all' = 'own'): HistoryAsked {
  const query = new URLSearchParams(search)
  const tz = zoneIn(query)
  const at = momentIn(query.get('at'), tz)
  const [from, to] =
    at === undefined ? [momentIn(query.get('from'), tz), momentIn(query.get('to'), tz, true)] : [at - LONGEST_VIEWING, at + 1]
  const names = NAMES.flatMap((name) => {
    const value = valueIn(query, name)
    return value === '' ? [] : [[name, value] as const]
  })
  const source = SOURCES.find((one) => one === query.get('source'))
  const completed = query.get('completed')
  const isRange = from === undefined || to === undefined || from < to
  const asked = {
    ...Object.fromEntries(scope === 'all' ? names : names.filter(([name]) => name !== 'userId')),
    ...(source === undefined ? {} : { source }),
    ...(completed === 'true' || completed === 'false' ? { completed: completed === 'true' } : {}),
    ...(from === undefined || !isRange ? {} : { from: new Date(from).toISOString() }),
    ...(to === undefined || !isRange ? {} : { to: new Date(to).toISOString() }),
  }
  const everybody = scope === 'all' && valueIn(query, 'userId') === ''
  const asOf = asOfIn(search)
  const tests = testsIn(query, tz)
  return {
    query: { ...asked, ...(everybody ? { scope } : {}), ...(asOf === undefined ? {} : { asOf }) },
    tz,
    fits: (entry) => tests.every((test) => test(entry)),
    isPartial: tests.length > 0,
  }
}

type Test = (entry: HistoryEntry) => boolean

function testsIn(query: URLSearchParams, tz: string): readonly Test[] {
  const tests: Readonly<Record<(typeof OF_ROWS)[number], (value: string) => Test>> = {
    method: (value) => (entry) => entry.method === value,
    resolution: (value) => (entry) => entry.resolution === value,
    without: (value) => (entry) => valueOf(entry, value) === null,
    hourOfWeek: (value) => (entry) => hourOfWeek(Date.parse(entry.startedAt), tz) === Number(value),
    left: (value) => (entry) => partLeft(entry) === Number(value),
    at: (value) => (entry) => goesOnAt(entry, momentIn(value, tz) ?? 0),
  }
  return OF_ROWS.flatMap((name) => {
    const value = valueIn(query, name)
    return value === '' ? [] : [tests[name](value)]
  })
}

/** What a viewing counts as, compared by one thing. */
export function valueOf(entry: HistoryEntry, by: string): string | null {
  if (by === 'client') return entry.client?.name ?? null
  if (by === 'movie') return entry.movie.id
  if (by === 'user') return entry.userId
  if (by === 'library') return entry.libraryId
  return by === 'method' ? entry.method : by === 'resolution' ? entry.resolution : null
}

/** The twentieth of the film in which it was left, from 0; undefined if it was seen to the end, or still is. */
export function partLeft({ source, completed, endedAt, percent }: HistoryEntry): number | undefined {
  if (source !== 'playback' || completed || endedAt === null) return undefined
  return Math.min(LAST_PART, Math.floor(percent / PART_PERCENT))
}

export const goesOnAt = ({ source, startedAt, endedAt }: HistoryEntry, ms: number): boolean =>
  source === 'playback' && Date.parse(startedAt) <= ms && (endedAt === null || Date.parse(endedAt) > ms)

export interface SetFilter {
  readonly name: HistoryFilter
  readonly value: string
}

/** The filters that are set. `range` stands for both of its ends. */
export function historyFiltersIn(search: string): readonly SetFilter[] {
  const query = new URLSearchParams(search)
  return HISTORY_FILTERS.flatMap((name) => {
    const value = name === 'range' ? rangeIn(query) : valueIn(query, name)
    return value === '' ? [] : [{ name, value }]
  })
}

/** Both ends, as far as they are times. */
function rangeIn(query: URLSearchParams): string {
  const [from, to] = ['from', 'to'].map((name) => query.get(name) ?? '').map((text) => (isTime(text) ? text : ''))
  return from || to ? `${from}/${to}` : ''
}

const isTime = (text: string): boolean => Date.parse(text) > -Infinity
const isBelow = (end: number) => (text: string) => Number(text) >= 0 && Number(text) < end
/** What somebody typed into the address may be no value of its filter. */
const CHECKS: Readonly<Partial<Record<HistoryFilter, (value: string) => boolean>>> = {
  at: isTime,
  userId: isId,
  movieId: isId,
  libraryId: isId,
  client: isText,
  hourOfWeek: isBelow(HOURS_OF_WEEK),
  left: isBelow(LAST_PART + 1),
}

/** Empty if it is not set, or no value of the filter. */
function valueIn(query: URLSearchParams, name: HistoryFilter): string {
  const value = query.get(name) ?? ''
  return CHECKS[name]?.(value) === false ? '' : value
}

/** For the address: the filter and, of the range, both ends. */
export const namesOf = (name: HistoryFilter): readonly string[] => (name === 'range' ? ['from', 'to'] : [name])

/** Name of a filter for the value of a dimension; `without` for the viewings that have none. */
export const filterOf = (by: string, key: string | null): Readonly<Record<string, string>> => {
  if (key === null) return { without: by }
  const id = by === 'movie' || by === 'user' || by === 'library'
  return { [id ? `${by}Id` : by]: key }
}
