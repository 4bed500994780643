/** Parses values from other programs, and accepts only plausible ones. */
import type { ForeignUser, ForeignWatch } from '../../ports/foreign-history.ts'

export type ForeignMovie = Pick<ForeignWatch, 'tmdb' | 'imdb' | 'title' | 'year'>

interface MovieValues {
  readonly title: unknown
  readonly year: unknown
  /** Ids, or texts that contain one: `tt0088846`, `com.plexapp.agents.imdb://tt0088846?lang=en`. */
  readonly imdb?: unknown
  readonly tmdb?: unknown
}

const TITLE_MAX = 500

/** Undefined: nothing identifies the film. */
export function movieFrom({ title, year, imdb, tmdb }: MovieValues): ForeignMovie | undefined {
  const movie = {
    imdb: /\btt\d{5,10}\b/.exec(textFrom(imdb))?.[0] ?? null,
    tmdb: /\b\d{1,10}\b/.exec(textFrom(tmdb))?.[0] ?? null,
    title: textFrom(title).trim().slice(0, TITLE_MAX) || null,
    year: yearFrom(year),
  }
  return movie.imdb === null && movie.tmdb === null && movie.title === null ? undefined : movie
}

/** From a year, or from a date that begins with one. */
function yearFrom(value: unknown): number | null {
  const year = Number(textFrom(value).slice(0, 4))
  return Number.isInteger(year) && year >= 1870 && year <= 2200 ? year : null
}

export const textFrom = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''

/** Whole and not negative; 0 otherwise. */
export function countFrom(value: unknown): number {
  const count = Math.trunc(Number(value))
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

const FIRST_YEAR = 1980

/**
 * From seconds since 1970, or from a date: with a zone, or else in UTC (`local`: in the zone of this machine). A date alone means its noon.
 * Null: missing or implausible.
 */
export function timeFrom(value: unknown, { local = false } = {}): string | null {
  const text = textFrom(value).trim()
  if (text === '') return null
  if (/^\d+$/.test(text)) return toIso(new Date(Number(text) * 1000))
  const [, day = '', time, zone] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*)?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []
  if (day === '') return null
  return toIso(new Date(time === undefined ? `${day}T12:00:00Z` : `${day}T${time}${zone ?? (local ? '' : 'Z')}`))
}

const toIso = (date: Date): string | null => (date.getUTCFullYear() >= FIRST_YEAR ? date.toISOString() : null)

/** One entry for each user who has watched something. */
export const usersOf = (watches: readonly ForeignWatch[], nameOf: (id: string) => string): readonly ForeignUser[] =>
  [...new Set(watches.map(({ user }) => user))].map((id) => ({ id, name: nameOf(id) }))

/** A program's totals for a user and a film, without single viewings. */
export interface Tally {
  readonly user: string
  readonly movie: ForeignMovie
  /** Time of the last viewing. */
  readonly lastAt: string
  readonly isWatched: boolean
  readonly plays: number
  /** Resume position; 0: none. */
  readonly positionMs: number
}

/** Completed viewings come first: the unfinished one is newer. */
export function watchesOf({ user, movie, lastAt, isWatched, plays, positionMs }: Tally): readonly ForeignWatch[] {
  const base = { user, ...movie, watchedMs: 0 }
  const isLeft = positionMs > 0
  const left = isLeft ? [{ ...base, watchedAt: lastAt, plays: 0, positionMs }] : []
  if (!isWatched) return left
  // Two viewings of one film need different times, and the time of the earlier one is unknown.
  const watchedAt = isLeft ? new Date(Date.parse(lastAt) - 1).toISOString() : lastAt
  return [{ ...base, watchedAt, plays: Math.max(1, isLeft ? plays - 1 : plays), tally: true, positionMs: null }, ...left]
}
