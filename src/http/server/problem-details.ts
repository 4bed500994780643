/** Formats errors as problem details (RFC 9457) for clients that request them with `Accept`. All others get the plain error body. */
import { STATUS_CODES } from 'node:http'
import type { Static } from 'typebox'
import { bodyOf, type HttpError } from './errors.ts'
import type { ProblemBody } from './error-schemas.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const PROBLEM_TYPE = 'application/problem+json'

/** An error response. */
export interface ErrorAnswer {
  readonly type: string
  readonly body: object
}

export function errorAnswer(error: HttpError, accept: string | undefined): ErrorAnswer {
  return wantsProblem(accept) ? { type: PROBLEM_TYPE, body: problemOf(error) } : { type: JSON_TYPE, body: bodyOf(error) }
}

/** Only if it is named explicitly: a client that accepts anything gets the plain error body. */
function wantsProblem(accept = ''): boolean {
  const ranges = accept.toLowerCase().split(',')
  return ranges.some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim())
    return type === PROBLEM_TYPE && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

function problemOf({ status, code, message, details }: HttpError): Static<typeof ProblemBody> {
  const title = STATUS_CODES[status] ?? 'Error'
  return { type: 'about:blank', title, status, detail: message, code, ...(details ? { errors: [...details] } : {}) }
}
