/** Schemas of completion and rewatching figures, and of a user's year. */
import { Type, type Static } from 'typebox'
import { Count, Id, named, nullable, Seconds, Time } from '../server/values-schemas.ts'
import { FIGURE_QUERY, figures, limit, RANGE } from './analytics-schemas.ts'

const { userId, scope, tz, format, asOf } = FIGURE_QUERY
const FIRST_YEAR = 1901
const LAST_YEAR = 2999

export const MoviesQuery = Type.Object({ ...FIGURE_QUERY, limit: limit('Movies.') })
export const YearQuery = Type.Object({ userId, scope, tz, format, asOf })
export const YearParams = Type.Unsafe<{ readonly year: string }>(
  Type.Object({ year: Type.Integer({ minimum: FIRST_YEAR, maximum: LAST_YEAR, examples: [2026] }) }),
)

/** Undefined: the text is not a year. */
export function yearNamed(text: string): number | undefined {
  const year = /^\d{4}$/.test(text) ? Number(text) : 0
  return year >= FIRST_YEAR && year <= LAST_YEAR ? year : undefined
}

const movie = Type.Object({ id: Id, title: nullable(Type.String({ description: 'Null: nobody knows what it was called.' })) })

export const Finish = named(
  'AnalyticsFinish',
  Type.Object({
    ...RANGE,
    items: Type.Array(
      Type.Object({
        movie,
        plays: { ...Count, description: 'Playbacks.' },
        users: { ...Count, description: 'Different users who began it.' },
        finishedBy: { ...Count, description: 'Different users who saw it to the end.' },
        left: Type.Array(Count, {
          description: 'Playbacks that were left in each twentieth of the film; those to the end are not among them.',
        }),
      }),
      { description: 'The most playbacks first.' },
    ),
  }),
)

export const Rewatched = named(
  'AnalyticsRewatched',
  Type.Object({
    ...RANGE,
    items: Type.Array(
      Type.Object({
        movie,
        users: { ...Count, description: 'Users who saw it to the end more than once.' },
        times: { ...Count, description: 'How often they did in all.' },
      }),
      { description: 'The most times first.' },
    ),
  }),
)

const names = (description: string) =>
  Type.Array(Type.Object({ name: Type.String(), plays: Count, seconds: Seconds }), {
    description: `${description}, the most seconds first.`,
  })

export const Year = named(
  'AnalyticsYear',
  Type.Object({
    ...RANGE,
    year: Type.Integer(),
    ...figures,
    movies: { ...Count, description: 'Different movies.' },
    completed: { ...Count, description: 'Viewings to the end.' },
    longestEvening: Type.Unsafe<{ date: string; seconds: number } | null>({
      anyOf: [Type.Object({ date: Type.String({ format: 'date' }), seconds: Seconds }), { type: 'null' }],
      description:
        'From six in the morning to six the next; of the evening before the year, the part in the year. Null without watched time.',
    }),
    busiestHour: nullable(Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the day in which most viewings began.' })),
    first: Type.Unsafe<Seen | null>({ anyOf: [Type.Object({ movie, startedAt: Time }), { type: 'null' }] }),
    last: Type.Unsafe<Seen | null>({ anyOf: [Type.Object({ movie, startedAt: Time }), { type: 'null' }] }),
    topMovies: Type.Array(Type.Object({ movie, ...figures }), { description: 'The most seconds first.' }),
    genres: names('Genres of the movies'),
    people: names('Cast of the movies'),
  }),
)

interface Seen {
  movie: Static<typeof movie>
  startedAt: string
}

export type FinishBody = Static<typeof Finish>
export type RewatchedBody = Static<typeof Rewatched>
export type YearBody = Static<typeof Year>
