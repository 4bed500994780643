/** Schemas of a library's statistics. */
import { Type } from 'typebox'
import { Count, Id, named, Seconds } from '../server/values-schemas.ts'

const Values = Type.Array(Type.Object({ value: Type.String(), count: Count }), { description: 'The most frequent first.' })

const whole = (description: string) => Type.Integer({ minimum: 0, description })

export const LibraryStats = named(
  'LibraryStats',
  Type.Object({
    libraryId: Id,
    movies: whole('Available movies.'),
    missing: Count,
    files: Count,
    totalBytes: Count,
    totalDuration: Seconds,
    addedLast7Days: Count,
    watched: whole('Available movies that the caller has marked as watched, or seen to the end.'),
    inProgress: whole(
      `Available movies on the caller’s continue-watching list that do not count in \`watched\`. The filter \`inProgress=true\` of
\`GET /v1/movies\` also lists watched movies that the caller has started again.`,
    ),
    unwatched: whole('All other available movies: the three add up to `movies`.'),
    resolutions: Values,
    videoCodecs: Values,
    audioCodecs: Values,
    containers: Values,
    hdr: Values,
    genres: Values,
    decades: Values,
    asOfSeq: Type.String({ description: 'Position of the last event that was included.', examples: ['18231'] }),
  }),
)
