/** Schemas of the error body, in the two formats that clients can request. */
import { Type } from 'typebox'
import { named } from './values-schemas.ts'

const problems = (description: string) =>
  Type.Array(
    Type.Object({
      path: Type.String({ description: 'Dotted path of the value; empty for the body itself.' }),
      message: Type.String(),
    }),
    { description },
  )
const EVERY = 'Validation errors only: every problem, one for each path.'

/** One schema for all errors: only validation errors have `details`. */
export const ErrorBody = named(
  'Error',
  Type.Object(
    {
      error: Type.String({ description: 'What failed and what to do, for a person.' }),
      details: Type.Optional(problems(EVERY)),
    },
    { examples: [{ error: 'Not found' }, { error: 'Validation error', details: [{ path: 'limit', message: 'must be <= 100' }] }] },
  ),
)

export const ProblemBody = named(
  'Problem',
  Type.Object(
    {
      type: Type.String({ description: 'Always `about:blank`: the status gives the kind of problem.' }),
      title: Type.String({ description: 'Name of the status.' }),
      status: Type.Integer(),
      detail: Type.String({ description: 'What failed and what to do, for a person.' }),
      code: Type.String({ description: 'Error code for programs, as in `X-Error-Code`.' }),
      errors: Type.Optional(problems(EVERY)),
    },
    {
      description: 'Problem details (RFC 9457), sent if `Accept` names `application/problem+json`.',
      examples: [{ type: 'about:blank', title: 'Not Found', status: 404, detail: 'Not found', code: 'not_found' }],
    },
  ),
)
