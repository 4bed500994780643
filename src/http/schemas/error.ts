/** The body of every error. */
import { Type } from 'typebox'
import { named } from './values.ts'

/** One schema for all: `details` is there for validation errors only. */
export const ErrorBody = named(
  'Error',
  Type.Object(
    {
      error: Type.String({ description: 'What is wrong, for a person.' }),
      details: Type.Optional(
        Type.Array(
          Type.Object({
            path: Type.String({ description: 'Dotted path of the value; empty for the body itself.' }),
            message: Type.String(),
          }),
          { description: 'Validation errors only: every problem, one for each path.' },
        ),
      ),
    },
    { examples: [{ error: 'Not found' }, { error: 'Validation error', details: [{ path: 'limit', message: 'must be <= 100' }] }] },
  ),
)
