/** Serves the marks of many movies in one request. */
import { Type, type Static } from 'typebox'
import type { ChangedMark, MarkState } from '../../app/movies/mark-types.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, operation } from '../server/operation.ts'
import { utcTime } from '../server/times.ts'
import { seconds, toMs } from '../server/values-presenter.ts'
import { Id, named, nullable, refTo, Time } from '../server/values-schemas.ts'

const ITEMS_MAX = 100

const MovieMarkState = named(
  'MovieMarkState',
  Type.Object({
    watched: Type.Boolean(),
    watchedAt: nullable(Time),
    position: Type.Number({ minimum: 0, description: 'Seconds; 0 if there is no resume point.' }),
  }),
)

const ChangedMovieMarks = named(
  'ChangedMovieMarks',
  Type.Object({
    items: Type.Array(Type.Object({ movieId: Id, before: refTo(MovieMarkState), after: refTo(MovieMarkState) })),
  }),
)

export const BULK_MARK_SCHEMAS = [MovieMarkState, ChangedMovieMarks]

const WantedMark = Type.Object({
  movieId: Id,
  watched: Type.Boolean(),
  watchedAt: Type.Optional(nullable(Time)),
  position: Type.Optional(
    nullable(
      Type.Number({ minimum: 0, description: 'Seconds. 0 clears the resume point. Without it, a movie marked as watched has none.' }),
    ),
  ),
})

const WantedMarks = Type.Object(
  { items: Type.Array(WantedMark, { minItems: 1, maxItems: ITEMS_MAX }) },
  { examples: [{ items: [{ movieId: 'V1StGXR8_Z5jdHi6B-myT', watched: true, watchedAt: '2026-01-02T12:00:00.000Z' }] }] },
)

const MARK_MOVIES = {
  ...operation({
    id: 'markMovies',
    tag: 'movies',
    summary: 'Mark many movies',
    description:
      'Marks up to 100 movies as watched or not, and sets their resume points. If one of them is unknown or a value is invalid, nothing is changed. ' +
      'Each item contains its former values in `before`: the same request with these values undoes it.',
    answers: { 200: { description: 'The marks before and after, in the order of the request.', schema: refTo(ChangedMovieMarks) } },
    errors: [404, ...BODY_ERRORS],
  }),
  body: WantedMarks,
}

export function addBulkMarkRoutes(app: App, { services }: RouteContext<'movieMarks'>): void {
  app.route({
    method: 'POST',
    url: '/v1/movies/marks',
    schema: MARK_MOVIES,
    handler: async (request) => {
      const wanted = request.body.items.map(({ movieId, watched, watchedAt, position }, index) => ({
        movieId,
        watched,
        watchedAt: watchedAt == null ? undefined : utcTime(watchedAt, `items.${index}.watchedAt`),
        positionMs: position == null ? undefined : toMs(position),
      }))
      const changed = unwrap(await services.movieMarks.markMany(callerOf(request), wanted, requestOrigin(request)))
      return { items: changed.map(present) }
    },
  })
}

const present = ({ movieId, before, after }: ChangedMark) => ({ movieId, before: stateBody(before), after: stateBody(after) })

const stateBody = ({ watched, watchedAt, positionMs }: MarkState): Static<typeof MovieMarkState> => ({
  watched,
  watchedAt,
  position: seconds(positionMs),
})
