/** Schemas of changes. */
import { Type } from 'typebox'
import { Id, named, refTo } from '../server/values-schemas.ts'

export const Change = named(
  'Change',
  Type.Object({
    seq: Type.String({ description: 'Position in the log.', examples: ['18231'] }),
    kind: Type.Enum(['upsert', 'remove']),
    type: Type.Enum(['movie', 'library', 'userState']),
    id: Type.Unsafe<string>({ ...Id, description: 'Id of the library or movie.' }),
  }),
)

export const ChangePage = named(
  'ChangePage',
  Type.Object({
    items: Type.Array(refTo(Change)),
    nextCursor: Type.String({ description: 'The next `after`; never null.' }),
    upToDate: Type.Boolean({ description: 'Whether there are no more changes now.' }),
  }),
)
