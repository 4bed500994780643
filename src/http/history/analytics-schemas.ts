/** Schemas of the figures over the history. */
import { Type, type Static } from 'typebox'
import { DIMENSIONS } from '../../app/history/dimensions.ts'
import { METRICS } from '../../app/history/measures.ts'
import { GROUPINGS } from '../../domain/history/calendar.ts'
import { AS_OF_QUERY } from '../server/as-of.ts'
import { Count, named, nullable, Seconds, text, Time } from '../server/values-schemas.ts'
import { VIEWING_QUERY } from './history-schemas.ts'

const SERIES_MAX = 50
const POINTS_MAX = 2_000

export const FIGURE_QUERY = {
  ...VIEWING_QUERY,
  ...AS_OF_QUERY,
  from: Type.Optional({ ...Time, description: 'Begun at or after this time. Default: 30 days before `to`; at most five years before it.' }),
  to: Type.Optional({ ...Time, description: 'Begun before this time. Default: the end of this quarter of an hour.' }),
  tz: Type.Optional({
    ...text(60, { minLength: 1, description: 'Time zone by its name in the IANA database, such as Europe/Berlin.' }),
    default: 'UTC',
  }),
  format: Type.Optional(Type.Enum(['json', 'csv'], { default: 'json' })),
}
const metric = Type.Optional(Type.Enum([...METRICS], { default: 'plays' }))
export const limit = (of: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: SERIES_MAX, default: 10, description: of }))

export const OverviewQuery = Type.Object(FIGURE_QUERY)
export const PlaysQuery = Type.Object({
  ...FIGURE_QUERY,
  groupBy: Type.Optional(Type.Enum([...GROUPINGS], { default: 'day' })),
  metric,
  by: Type.Optional(Type.Enum([...DIMENSIONS], { description: 'A series for each value that has most.' })),
  limit: limit('Series.'),
})
export const TopQuery = Type.Object({
  ...FIGURE_QUERY,
  by: Type.Optional(Type.Enum([...DIMENSIONS], { default: 'movie' })),
  metric,
  limit: limit('Items.'),
})
export const ConcurrencyQuery = Type.Object({
  ...FIGURE_QUERY,
  points: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: POINTS_MAX,
      default: 500,
      description: 'Maximum number of points. If the number changed more often, points are merged.',
    }),
  ),
})

export const RANGE = { from: Time, to: Time, tz: Type.String() }
export const figures = {
  plays: { ...Count, description: 'Viewings that the history lists.' },
  seconds: { ...Seconds, description: 'Watched, in seconds.' },
  users: { ...Count, description: 'Different users.' },
}
const key = nullable(Type.String({ description: 'Null: unknown.' }))
const label = nullable(Type.String({ description: 'For people. Null: it has no name any more.' }))

export const Overview = named(
  'AnalyticsOverview',
  Type.Object({
    ...RANGE,
    ...figures,
    movies: { ...Count, description: 'Different movies.' },
    completed: { ...Count, description: 'Viewings to the end.' },
  }),
)

export const Plays = named(
  'AnalyticsPlays',
  Type.Object({
    ...RANGE,
    groupBy: Type.Enum([...GROUPINGS]),
    metric: Type.Enum([...METRICS]),
    by: Type.Unsafe<(typeof DIMENSIONS)[number] | null>({ type: ['string', 'null'], enum: [...DIMENSIONS, null] }),
    buckets: Type.Array(
      Type.Object({
        key: Type.String({
          description: `\`2026-11-23\`, \`2026-W48\` (ISO 8601), \`2026-11\`, the hour 0 to 23, the day 1 (Monday) to 7, or the hour of the week 0
(Monday, midnight) to 167: in the time zone.`,
        }),
        from: nullable({ ...Time, description: 'Null for hours and days that come again.' }),
        to: nullable(Time),
      }),
      { description: 'All of the range, also those without a viewing.' },
    ),
    total: Type.Array(Type.Number({ minimum: 0 }), { description: 'One number for each bucket.' }),
    series: Type.Array(Type.Object({ key, label, values: Type.Array(Type.Number({ minimum: 0 })) }), {
      description: 'Empty without `by`.',
    }),
  }),
)

export const Top = named(
  'AnalyticsTop',
  Type.Object({
    ...RANGE,
    by: Type.Enum([...DIMENSIONS]),
    metric: Type.Enum([...METRICS]),
    items: Type.Array(Type.Object({ key, label, ...figures }), { description: 'The most first.' }),
  }),
)

const point = { at: Time, count: Count }

export const Concurrency = named(
  'AnalyticsConcurrency',
  Type.Object({
    ...RANGE,
    exact: Type.Boolean({ description: 'False: points were merged; each then has the most there were at once until the next.' }),
    max: Type.Object(point, { description: 'The most at once, and when first.' }),
    points: Type.Array(Type.Object(point), { description: 'Playbacks that went on, from each time until the next.' }),
  }),
)

export type OverviewBody = Static<typeof Overview>
export type PlaysBody = Static<typeof Plays>
export type TopBody = Static<typeof Top>
export type ConcurrencyBody = Static<typeof Concurrency>
