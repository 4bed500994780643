/** Builds the common parts of every operation's description: names, allowed callers, and all its statuses. */
import type { FastifySchema } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { ErrorBody, ProblemBody } from './error-schemas.ts'
import { Id, refTo } from './values-schemas.ts'

/**
 * `streams`: access tokens and stream tokens, also as `?token=`. `listeners`: access tokens only, also as `?token=`. `agents`: the token of
 * a transcode job.
 */
export type CalledBy = 'anyone' | 'users' | 'admins' | 'streams' | 'listeners' | 'agents'

/** The guard's rule for a route. `stream`: the route itself authorizes, because it also accepts stream tokens. */
export type Access = 'public' | 'user' | 'admin' | 'stream'

interface Operation {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Allowed callers, for both the description and the guard (guard.ts). Default: signed-in users. */
  readonly by?: CalledBy
  /** Successful responses by status. */
  readonly answers: Readonly<Record<number, Answer>>
  /** Error statuses beyond those of every operation of its kind. */
  readonly errors?: readonly ErrorStatus[]
}

interface Answer {
  readonly description: string
  /** Undefined: no body. */
  readonly schema?: TSchema
  /** Its media type, or several possible ones; default: `application/json`. */
  readonly type?: string | readonly string[]
  /** Schemas of further media types. */
  readonly others?: Readonly<Record<string, TSchema>>
  readonly headers?: Readonly<Record<string, TSchema>>
}

const ERRORS = {
  400: 'The request cannot be read.',
  401: 'Missing or invalid authentication.',
  403: 'Not allowed.',
  404: 'It does not exist, or the caller may not see it.',
  409: 'The request conflicts with the current state.',
  412: 'A precondition of the request does not hold.',
  413: 'The request body is larger than 1 MB.',
  415: 'The body is not JSON.',
  416: 'The range lies outside the file.',
  422: 'Validation error. `details` lists every problem with its path.',
  429: 'Too many requests. Retry after `Retry-After` seconds.',
  503: 'Temporarily unavailable. Retry after `Retry-After` seconds.',
} as const
type ErrorStatus = keyof typeof ERRORS

const SECURITY: Readonly<Record<CalledBy, readonly Readonly<Record<string, string[]>>[]>> = {
  anyone: [],
  users: [{ bearer: [] }, { cookie: [] }],
  admins: [{ bearer: [] }, { cookie: [] }],
  streams: [{ bearer: [] }, { streamToken: [] }, { cookie: [] }],
  listeners: [{ bearer: [] }, { accessToken: [] }, { cookie: [] }],
  agents: [{ jobToken: [] }],
}

const ALWAYS: Readonly<Record<CalledBy, readonly ErrorStatus[]>> = {
  anyone: [400, 413, 503],
  users: [400, 401, 403, 413, 429, 503],
  admins: [400, 401, 403, 413, 429, 503],
  streams: [400, 401, 403, 404, 413, 429, 503],
  listeners: [400, 401, 403, 413, 429, 503],
  agents: [400, 401, 404, 413, 503],
}

/** Additional error statuses of every route with a body that is read. */
export const BODY_ERRORS = [422] as const

export function operation({ id, tag, summary, description, by = 'users', answers, errors = [] }: Operation) {
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...omitUndefined({ description }),
    security: SECURITY[by],
    calledBy: by,
    response: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, describe(answer)])),
    errorStatuses: [...ALWAYS[by], ...errors],
  }
}

/**
 * Adds errors, and the responses of conditional requests, to an operation's schema: for the description only. Error bodies need no
 * serializer, and compiling one for each status of each route would take most of the start.
 */
export function withErrors(schema: FastifySchema, { conditional, keyed, scope, anyBody }: Conventions): FastifySchema {
  const more: readonly ErrorStatus[] = [
    ...(conditional === 'write' ? [412 as const] : []),
    ...(keyed ? [409 as const] : []),
    ...(anyBody ? [] : [415 as const]),
  ]
  const errors = [...(schema.errorStatuses ?? []), ...more].map((status) => [status, describeError(status)] as const)
  const unchanged = conditional === 'read' ? { 304: UNCHANGED } : {}
  const response = { ...unchanged, ...Object(schema.response), ...Object.fromEntries(errors) }
  return {
    ...schema,
    ...(scope && schema.security ? { security: scoped(schema.security, scope) } : {}),
    response,
    ...(keyed ? { headers: KEY_HEADER } : {}),
  }
}

/**
 * Conventions that apply to an operation: entity tags (entity-tags.ts), idempotency keys (idempotency.ts), scopes (token-scopes.ts), bodies
 * (body.ts).
 */
interface Conventions {
  readonly conditional: 'read' | 'write' | undefined
  readonly keyed: boolean
  readonly scope: string | null | undefined
  /** It takes a body of any media type, and does not read it. All others refuse one that is not JSON (body.ts), also if they need none. */
  readonly anyBody: boolean
}

/** OpenAPI 3.1 lets a scheme list the roles that it needs. */
const scoped = (security: NonNullable<FastifySchema['security']>, scope: string) =>
  security.map((scheme) => Object.fromEntries(Object.keys(scheme).map((name) => [name, SCOPED.has(name) ? [scope] : []])))

const SCOPED: ReadonlySet<string> = new Set(['bearer', 'accessToken'])

const KEY_HEADER = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'A repeat with the same key within a day gets the first answer.' }),
  ),
})

const UNCHANGED = { description: 'The response that the client has (`If-None-Match`) is still valid.', type: 'null' }

const ERROR_CONTENT = {
  'application/json': { schema: refTo(ErrorBody) },
  'application/problem+json': { schema: refTo(ProblemBody) },
}
const RETRY_AFTER = { 'retry-after': Type.Integer({ minimum: 1, description: 'Seconds.' }) }

function describeError(status: ErrorStatus) {
  const headers = status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}
  return { description: ERRORS[status], content: ERROR_CONTENT, ...headers }
}

function describe({ description, schema, type = 'application/json', others = {}, headers }: Answer) {
  const more = headers ? { headers } : {}
  const types = [...[type].flat().map((name) => [name, schema] as const), ...Object.entries(others)]
  const content = Object.fromEntries(types.map(([name, of]) => [name, { schema: of }]))
  return schema ? { description, content, ...more } : { description, type: 'null', ...more }
}

/** Path parameters with these names, each an identifier. */
export const idParams = <const Name extends string>(...names: readonly Name[]) =>
  Type.Unsafe<Readonly<Record<Name, string>>>(Type.Object(Object.fromEntries(names.map((name) => [name, Id]))))

/** Path of the created resource. */
export const LOCATION = { location: Type.String({ description: 'Path of the new resource.' }) }

declare module 'fastify' {
  interface FastifySchema {
    /** Error statuses of the operation. */
    errorStatuses?: readonly ErrorStatus[]
    /** Allowed callers; the guard rejects all others. */
    calledBy?: CalledBy
  }
}
