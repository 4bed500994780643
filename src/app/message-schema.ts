/** Checks whether a message from the bus or a socket matches its schema. Each check is compiled on first use. */
import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'

export function messageSchema<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let check: ValidateFunction<Static<Schema>> | undefined
  return (value): value is Static<Schema> => (check ??= ajv.compile<Static<Schema>>(schema))(value)
}

const ajv = new Ajv({ strict: false, validateSchema: false })
