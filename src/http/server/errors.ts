/** Maps refusals and failures to HTTP statuses: the only place that knows this mapping. */
import { KeyDestroyed } from '../../ports/vault.ts'
import { isRefusal, type Refusal, type RefusalKind } from '../../domain/refusal.ts'

/** A problem of one value of a request; `path` is dotted, `''` is the body itself. */
export interface Problem {
  readonly path: string
  readonly message: string
}

interface Answer {
  readonly status: number
  /** Machine-readable name, sent as `X-Error-Code`. */
  readonly code: string
  readonly headers?: Readonly<Record<string, string>>
  readonly details?: readonly Problem[]
}

export class HttpError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly details: readonly Problem[] | undefined
  constructor(message: string, answer: Answer, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HttpError'
    this.status = answer.status
    this.code = answer.code
    this.headers = answer.headers ?? {}
    this.details = answer.details
  }
}

export const badRequest = (message: string) => new HttpError(message, { status: 400, code: 'bad_request' })
export const forbidden = (message: string) => new HttpError(message, { status: 403, code: 'forbidden' })
export const notFound = (message = 'Not found') => new HttpError(message, { status: 404, code: 'not_found' })
export const preconditionFailed = () =>
  new HttpError('A precondition of the request does not hold', { status: 412, code: 'precondition_failed' })
export const tooLarge = () => new HttpError('The request body is larger than 1 MB', { status: 413, code: 'too_large' })
export const unsupportedMediaType = (wanted = 'application/json') =>
  new HttpError(`The body must be ${wanted}`, { status: 415, code: 'unsupported_media_type' })

export function unauthenticated(message = 'Missing or invalid authentication'): HttpError {
  return new HttpError(message, { status: 401, code: 'unauthenticated', headers: { 'www-authenticate': 'Bearer' } })
}

export function methodNotAllowed(allow: string): HttpError {
  return new HttpError(`This resource takes ${allow}`, { status: 405, code: 'method_not_allowed', headers: { allow } })
}

export function rangeNotSatisfiable(sizeBytes: number): HttpError {
  const headers = { 'content-range': `bytes */${sizeBytes}`, 'accept-ranges': 'bytes' }
  return new HttpError('The range lies outside the file', { status: 416, code: 'range_not_satisfiable', headers })
}

export function invalid(details: readonly Problem[]): HttpError {
  return new HttpError('Validation error', { status: 422, code: 'validation_error', details })
}

export function tooMany(message: string, retryAfterSeconds: number): HttpError {
  return new HttpError(message, { status: 429, code: 'rate_limited', headers: retryAfter(retryAfterSeconds) })
}

interface UnavailableOptions extends ErrorOptions {
  readonly code?: string | undefined
}

export function unavailable(
  message: string,
  retryAfterSeconds: number,
  { code = 'unavailable', ...options }: UnavailableOptions = {},
): HttpError {
  return new HttpError(message, { status: 503, code, headers: retryAfter(retryAfterSeconds) }, options)
}

/** A whole number of seconds, at least one. */
const retryAfter = (seconds: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(seconds))) })

const SOON_SECONDS = 5

const REFUSALS: Readonly<Record<RefusalKind, (refusal: Refusal) => HttpError>> = {
  'not-found': ({ message }) => notFound(message),
  forbidden: ({ message }) => forbidden(message),
  unauthenticated: ({ message }) => unauthenticated(message),
  conflict: ({ message }) => new HttpError(message, { status: 409, code: 'conflict' }),
  changed: preconditionFailed,
  invalid: ({ message, path, others = [] }) => invalid([{ path: path ?? '', message }, ...others]),
  'too-many': ({ message, retryAfterSeconds }) => tooMany(message, retryAfterSeconds ?? SOON_SECONDS),
  unavailable: ({ message, retryAfterSeconds, code }) => unavailable(message, retryAfterSeconds ?? SOON_SECONDS, { code }),
}

/** The value of a service's result. @throws HttpError if it is a refusal */
export function unwrap<Value>(answer: Value | Refusal): Value {
  if (isRefusal(answer)) throw REFUSALS[answer.refusal](answer)
  return answer
}

const DISK_FULL = 'The disk of this server is full: nothing is stored until there is room'

/** Temporary failures, after which the caller may simply retry. The code is that of the thrown error. */
const PASSING: Readonly<Record<string, { readonly message: string; readonly headers?: Readonly<Record<string, string>> }>> = {
  'views-behind': { message: 'Stored, but not visible yet', headers: { 'x-outcome': 'stored' } },
  'outcome-unknown': { message: 'It may have been stored; try again' },
  conflict: { message: 'Too many conflicting changes; try again' },
  'no-responder': { message: 'Temporarily unavailable; try again' },
  'reply-timeout': { message: 'Temporarily unavailable; try again' },
  'no-slot': { message: 'Too many requests at once; try again' },
  'engine-away': { message: 'A part of this server is unavailable; try again' },
  'disk-full': { message: DISK_FULL },
  ENOSPC: { message: DISK_FULL },
  EDQUOT: { message: DISK_FULL },
  'files-gone': { message: 'The data files of this server were moved or deleted: nothing is stored until they are back' },
  'read-only': { message: 'A file of this server cannot be written: nothing is stored until it can' },
  'unreadable-event': { message: 'Part of the event log of this server cannot be read; its administrator has to restore it' },
  'views-damaged': { message: 'The read models of this server are damaged; the next start rebuilds them' },
  damaged: { message: 'A file of this server is damaged; its administrator has to restore it' },
  'storage-failing': { message: 'The disk of this server does not work; try again' },
}

const ERASED = 'This account was erased'

/**
 * Turns anything thrown into an error response; an unknown error becomes an internal error without its text. `userId`: of the caller, if
 * there is one: an account may be erased while its requests run.
 */
export function toHttpError(thrown: unknown, userId?: string): HttpError {
  if (thrown instanceof HttpError) return thrown
  if (thrown instanceof KeyDestroyed) return userId === undefined || userId === thrown.subject ? unauthenticated(ERASED) : notFound(ERASED)
  const passing = PASSING[textOf(thrown, 'code')]
  if (passing) {
    const headers = { ...retryAfter(1), ...passing.headers }
    return new HttpError(passing.message, { status: 503, code: 'unavailable', headers }, { cause: thrown })
  }
  return ofFramework(thrown) ?? new HttpError('Internal server error', { status: 500, code: 'internal' }, { cause: thrown })
}

/** Fastify's own rejections of a request; statuses that the API does not use become 400 and 404. */
function ofFramework(thrown: unknown): HttpError | undefined {
  if (!textOf(thrown, 'code').startsWith('FST_ERR_')) return undefined
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined
  if (status === 413) return tooLarge()
  if (status === 415) return unsupportedMediaType()
  if (status === 404 || status === 414) return notFound()
  return status === 400 ? badRequest('The request could not be read') : undefined
}

function textOf(thrown: unknown, member: 'code'): string {
  return thrown instanceof Error && member in thrown ? String(Reflect.get(thrown, member)) : ''
}

/** The body of an error: exactly these members. */
export function bodyOf({ message, details }: HttpError): { readonly error: string; readonly details?: readonly Problem[] } {
  return details ? { error: message, details } : { error: message }
}
