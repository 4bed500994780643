/** Shape: whether what came over the bus or a socket is what its schema says. Each check is compiled when it is first needed. */
import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'

export function messageSchema<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let check: ValidateFunction<Static<Schema>> | undefined
  return (value): value is Static<Schema> => (check ??= ajv.compile<Static<Schema>>(schema))(value)
}

const ajv = new Ajv({ strict: false, validateSchema: false })
