/** Schemas of changes to movies. */
import { Type } from 'typebox'
import { LIFE_KINDS } from '../../events/movie-life.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { Id, named, nullable, pageOf, Time } from '../server/values-schemas.ts'
import type { HistoryEntryBody } from './history-schemas.ts'

const By = Type.Object({
  kind: Type.Enum(['user', 'system', 'cli']),
  id: nullable({ ...Id, description: 'For administrators, and of yourself.' }),
})

export const LifeEntry = named(
  'LifeEntry',
  Type.Object({
    at: Time,
    kind: Type.Enum([...LIFE_KINDS, 'viewing']),
    by: Type.Unsafe<{ kind: 'user' | 'system' | 'cli'; id: string | null } | null>({ anyOf: [By, { type: 'null' }] }),
    changes: Type.Array(Type.Object({ path: Type.String(), from: Type.Unsafe<unknown>({}), to: Type.Unsafe<unknown>({}) }), {
      description: 'Values before and after.',
    }),
    viewing: Type.Unsafe<HistoryEntryBody | null>({ anyOf: [Type.Ref('HistoryEntry'), { type: 'null' }] }),
  }),
)
export const MovieLifePage = pageOf(LifeEntry)
export const MovieLifeQuery = Type.Object(PAGE_QUERY)

export const LibraryChange = named(
  'LibraryChange',
  Type.Object({
    movie: Type.Object({ id: Id, title: Type.String(), year: nullable(Type.Integer()) }),
    net: Type.Enum(['came', 'went', 'changed'], {
      description: '`came`: it was not there before the range and is at its end. `went`: the other way round.',
    }),
    changes: Type.Array(Type.Object({ at: Time, kind: Type.Enum([...LIFE_KINDS]) }), {
      description: 'Within the range, the oldest first.',
    }),
  }),
)
export const LibraryChangePage = pageOf(LibraryChange)
export const LibraryChangesQuery = Type.Object({
  ...PAGE_QUERY,
  from: Type.Optional({ ...Time, description: 'At or after this time.' }),
  to: Type.Optional({ ...Time, description: 'Before this time.' }),
})
