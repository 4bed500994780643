/** Building blocks of the schemas: identifiers, times, seconds, and nullable values. */
import { Type, type Static, type TSchema } from 'typebox'
import { HIDDEN_CHARACTERS, SPACES } from '../../domain/accounts/hidden-characters.ts'
import { NAME_MAX } from '../../domain/accounts/name-fault.ts'
import { ID_PATTERN } from '../../vocabulary/id.ts'

const EXAMPLE_ID = 'V1StGXR8Z5jdHi6B1myTq'

export const Id = Type.String({ pattern: ID_PATTERN, minLength: 21, maxLength: 21, examples: [EXAMPLE_ID] })
export const Time = Type.String({ format: 'date-time', examples: ['2026-01-02T12:00:00.000Z'], description: 'RFC 3339, UTC.' })
/** Sent with at most three decimals. */
export const Seconds = Type.Number({ minimum: 0, examples: [1830.5], description: 'Seconds.' })
export const Count = Type.Integer({ minimum: 0 })

interface Typed extends TSchema {
  readonly type: string
}

/** The value, or null if it is unknown or withheld. */
export function nullable<T extends Typed>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
}

export function nullableEnum<const Values extends string[]>(values: Values) {
  return Type.Unsafe<Values[number] | null>({ type: ['string', 'null'], enum: [...values, null] })
}

export interface Named extends TSchema {
  readonly $id: string
}

/** A reference to a registered schema by its name; the static type stays. */
export function refTo<T extends Named>(schema: T) {
  return Type.Unsafe<Static<T>>(Type.Ref(schema.$id))
}

/** A named schema for a page of a list. */
export function pageOf<T extends Named>(schema: T) {
  const $id = `${schema.$id}Page`
  const nextCursor = nullable(Type.String({ description: 'Cursor of the next page; null on the last one.' }))
  const total = Type.Optional({ ...Count, description: 'Number of items on all pages; only with `include=total`.' })
  return named($id, Type.Object({ items: Type.Array(refTo(schema)), nextCursor, total }))
}

/** Sets the name under which a schema is registered and described. */
export function named<T extends TSchema>($id: string, schema: T): T & Named {
  return { ...schema, $id }
}

/** Formats of our own (validation.ts): JSON Schema cannot count the characters between the spaces at both ends. */
export const NAME_FORMAT = 'marquee-name'
export const EMAIL_FORMAT = 'marquee-email'

/** A name chosen by a person: not blank, without invisible characters. White space at both ends is ignored. */
export const nameText = () =>
  Type.String({
    maxLength: RAW_NAME_MAX,
    format: NAME_FORMAT,
    pattern: String.raw`^[${SPACES}]*[^${SPACES}${HIDDEN_CHARACTERS}][^${HIDDEN_CHARACTERS}]*$`,
    description: `1 to ${NAME_MAX} characters, not counting spaces around it. Control characters, and characters that hide or reverse text, are refused.`,
  })

/** At least one character that is neither a space nor a control character. */
export const VISIBLE = '[^\\s\\u0000-\\u001f\\u007f-\\u009f]'

/** With the spaces around it. */
const RAW_NAME_MAX = 10_000

/** A text from a client. Every text has a length limit. */
export const text = (maxLength: number, more: { readonly description?: string; readonly minLength?: number } = {}) =>
  Type.String({ maxLength, ...more })
