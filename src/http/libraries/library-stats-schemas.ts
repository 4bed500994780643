/** Schemas of a library's statistics. */
import { Type } from 'typebox'
import { Count, Id, named, Seconds } from '../server/values-schemas.ts'

const Values = Type.Array(Type.Object({ value: Type.String(), count: Count }), { description: 'The most frequent first.' })

export const LibraryStats = named(
  'LibraryStats',
  Type.Object({
    libraryId: Id,
    movies: Type.Integer({ minimum: 0, description: 'Available movies.' }),
    missing: Count,
    files: Count,
    totalBytes: Count,
    totalDuration: Seconds,
    addedLast7Days: Count,
    watched: Type.Integer({ minimum: 0, description: 'By the caller, as the next two.' }),
    inProgress: Count,
    unwatched: Count,
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
