/**
 * Shapes of the provider's answers, limited to the members that are used. Required members must be valid; any other is checked by itself,
 * and is treated as missing if invalid.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'

const Id = Type.Integer({ minimum: 1, maximum: 9_999_999_999 })
const TmdbMovie = Type.Object({ id: Id, title: Type.String() })

/** Only `id` and `title` are checked. */
export type ProviderMovie = Static<typeof TmdbMovie>

export const isTmdbMovie = (value: unknown): value is ProviderMovie => Check(TmdbMovie, value)
/** `/search/movie`; each result is checked by itself. */
export const isSearch = (value: unknown): value is { readonly results: readonly unknown[] } => Array.isArray(memberOf(value, 'results'))
/** `/find/{id}` */
export const isFound = (value: unknown): value is { readonly movie_results: readonly unknown[] } =>
  Array.isArray(memberOf(value, 'movie_results'))
/** `/configuration` */
export const isConfiguration = shape(
  Type.Object({ images: Type.Object({ base_url: Type.Optional(Type.String()), secure_base_url: Type.Optional(Type.String()) }) }),
)
/** The answer if the key is rejected, whatever the status. */
export const isKeyRefusal = shape(Type.Object({ status_code: Type.Literal(7) }))

/** A member of a presumed object; undefined if it is not an object, or lacks the member. */
export function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

/** More countries, genres, languages or studios than any film has. */
const LIST_MAX = 300

/** The valid items of a list, in its order. Looks at the first `most` only, since an answer may hold hundreds of thousands. */
export function listOf<Schema extends TSchema>(value: unknown, schema: Schema, most = LIST_MAX): readonly Static<Schema>[] {
  return Array.isArray(value) ? value.slice(0, most).filter((one): one is Static<Schema> => Check(schema, one)) : []
}

function shape<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  return (value): value is Static<Schema> => Check(schema, value)
}
