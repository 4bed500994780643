/**
 * Shapes of what the provider answers: only what is used of them. What an answer cannot do without has to be right; anything else is
 * looked at by itself, and is missing where it is not.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'

const Id = Type.Integer({ minimum: 1, maximum: 9_999_999_999 })
const Film = Type.Object({ id: Id, title: Type.String() })
const Results = Type.Array(Type.Unknown())

/** `id` and `title` are checked, nothing else. */
export type ToldFilm = Static<typeof Film>

export const isFilm = (value: unknown): value is ToldFilm => Check(Film, value)
/** `/search/movie`; each result is looked at by itself. */
export const isSearch = shape(Type.Object({ results: Results }))
/** `/find/{id}` */
export const isFound = shape(Type.Object({ movie_results: Results }))
/** `/configuration` */
export const isConfiguration = shape(
  Type.Object({ images: Type.Object({ base_url: Type.Optional(Type.String()), secure_base_url: Type.Optional(Type.String()) }) }),
)
/** What it says in place of an answer when it does not take a key, whatever the status. */
export const isKeyRefusal = shape(Type.Object({ status_code: Type.Literal(7) }))

/** A member of what should be an object; undefined where it is none, or has none. */
export function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

/** What is right in what should be a list, in its order. */
export function listOf<Schema extends TSchema>(value: unknown, schema: Schema): readonly Static<Schema>[] {
  return Array.isArray(value) ? value.filter((one): one is Static<Schema> => Check(schema, one)) : []
}

function shape<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  return (value): value is Static<Schema> => Check(schema, value)
}
