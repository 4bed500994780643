/** What a request of the API can fail with, as a value that pages show. */

export interface Problem {
  /** HTTP status; 0 if the server did not answer. */
  readonly status: number
  readonly message: string
  /** For forms: the error of each field, by its dotted path. */
  readonly fields: Readonly<Record<string, string>>
  /** Seconds after which a repeat makes sense; undefined if the server did not say. */
  readonly retryAfterSeconds: number | undefined
  /** The server's `X-Error-Code`; undefined if it did not answer. */
  readonly code?: string | undefined
}

/** Thrown by queries, for TanStack Query; everything else gets problems as values. */
export class RequestFailed extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'RequestFailed'
    this.problem = problem
  }
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly etag: string | null }
  | { readonly ok: false; readonly problem: Problem }

interface ErrorBody {
  readonly error?: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
}

export function problemOf({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): Problem {
  const { error = `Error ${status}`, details = [] } = Object(body) as ErrorBody
  const after = Number(headers.get('retry-after'))
  return {
    status,
    message: error,
    fields: Object.fromEntries(details.map(({ path, message }) => [path, message])),
    retryAfterSeconds: Number.isFinite(after) && after > 0 ? after : undefined,
    code: headers.get('x-error-code') ?? undefined,
  }
}

export const NO_ANSWER: Problem = { status: 0, message: 'The server does not answer', fields: {}, retryAfterSeconds: undefined }

/** A 503 from a healthy server: the file of the film is missing, or its drive is not mounted. A retry does not help until a person acts. */
const FILE_UNAVAILABLE = 'file_unavailable'

/** Whether the same request may succeed in a moment. */
export const isPassing = ({ status, code }: Pick<Problem, 'status' | 'code'>): boolean =>
  status === 0 || status === 429 || status === 502 || (status === 503 && code !== FILE_UNAVAILABLE) || status === 504
