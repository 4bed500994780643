/** Presents completion and rewatching figures, and a user's year. */
import type { Figure } from '../../app/history/figures.ts'
import type { Finished, Named, Rewatched, Seen, Year } from '../../app/history/taste.ts'
import { seconds } from '../server/values-presenter.ts'
import type { Table } from './analytics-csv.ts'
import { presentMeasure, presentRange } from './analytics-presenter.ts'
import type { FinishBody, RewatchedBody, YearBody } from './taste-schemas.ts'

interface Items<Item> {
  readonly items: readonly Item[]
}

const movieOf = ({ key, label }: Pick<Seen, 'key' | 'label'>) => ({ id: key, title: label })
const presentSeen = (seen: Seen | null) => seen && { movie: movieOf(seen), startedAt: seen.startedAt }
const presentNamed = ({ name, plays, watchedMs }: Named) => ({ name, plays, seconds: seconds(watchedMs) })

export const presentFinish = ({ range, items }: Figure<Items<Finished>>): FinishBody => ({
  ...presentRange(range),
  items: items.map((item) => {
    const { plays, users, finishedBy, left } = item
    return { movie: movieOf(item), plays, users, finishedBy, left: [...left] }
  }),
})

export const presentRewatched = ({ range, items }: Figure<Items<Rewatched>>): RewatchedBody => ({
  ...presentRange(range),
  items: items.map((item) => ({ movie: movieOf(item), users: item.users, times: item.times })),
})

export const presentYear = (year: number, { range, ...figure }: Figure<Year>): YearBody => ({
  ...presentRange(range),
  year,
  ...presentMeasure(figure),
  movies: figure.movies,
  completed: figure.completed,
  longestEvening: figure.longestEvening && { date: figure.longestEvening.date, seconds: seconds(figure.longestEvening.watchedMs) },
  busiestHour: figure.busiestHour,
  first: presentSeen(figure.first),
  last: presentSeen(figure.last),
  topMovies: figure.topMovies.map((movie) => ({ movie: movieOf(movie), ...presentMeasure(movie) })),
  genres: figure.genres.map(presentNamed),
  people: figure.people.map(presentNamed),
})

export const finishTable = ({ items }: FinishBody): Table => ({
  header: [
    'movieId',
    'title',
    'plays',
    'users',
    'finishedBy',
    ...(items[0]?.left ?? []).map((_, n) => `left${(n * 100) / (items[0]?.left.length ?? 1)}`),
  ],
  rows: items.map(({ movie, plays, users, finishedBy, left }) => [movie.id, movie.title, plays, users, finishedBy, ...left]),
})

export const rewatchedTable = ({ items }: RewatchedBody): Table => ({
  header: ['movieId', 'title', 'users', 'times'],
  rows: items.map(({ movie, users, times }) => [movie.id, movie.title, users, times]),
})

/** One line for each fact. */
export const yearTable = (body: YearBody): Table => ({
  header: ['what', 'name', 'plays', 'seconds'],
  rows: [
    ['year', String(body.year), body.plays, body.seconds],
    ['movies', String(body.movies), null, null],
    ['completed', String(body.completed), null, null],
    ['longestEvening', body.longestEvening?.date ?? null, null, body.longestEvening?.seconds ?? null],
    ['busiestHour', body.busiestHour === null ? null : String(body.busiestHour), null, null],
    ['first', body.first?.movie.title ?? null, null, null],
    ['last', body.last?.movie.title ?? null, null, null],
    ...body.topMovies.map(({ movie, plays, seconds: watched }) => ['movie', movie.title, plays, watched]),
    ...body.genres.map(({ name, plays, seconds: watched }) => ['genre', name, plays, watched]),
    ...body.people.map(({ name, plays, seconds: watched }) => ['person', name, plays, watched]),
  ],
})
