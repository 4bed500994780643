/**
 * Refusal: an expected "no" of the domain, returned as a value. Failures are thrown instead.
 */
export type RefusalKind =
  /** Not found, or not visible to the caller. */
  | 'not-found'
  /** Visible to the caller, but this action is not allowed. */
  | 'forbidden'
  /** No login, an ended one, or wrong credentials. */
  | 'unauthenticated'
  | 'conflict'
  /** A precondition of the request no longer holds. */
  | 'changed'
  /** An invalid value; `path` names it. */
  | 'invalid'
  /** Too many attempts; retry after `retryAfterSeconds`. */
  | 'too-many'
  /** Temporarily unavailable; retry after `retryAfterSeconds`. */
  | 'unavailable'

interface InvalidValue {
  readonly path: string
  readonly message: string
}

export interface Refusal {
  readonly refusal: RefusalKind
  /** One plain sentence for people. */
  readonly message: string
  readonly path?: string
  /** Further invalid values of the same command. */
  readonly others?: readonly InvalidValue[]
  readonly retryAfterSeconds?: number
  /** The error code that programs get, instead of the usual one for `unavailable`. */
  readonly code?: string
}

export function refuse(refusal: RefusalKind, message: string, more: Omit<Refusal, 'refusal' | 'message'> = {}): Refusal {
  return { refusal, message, ...more }
}

/** Refuses all invalid values of a command at once; undefined if there are none. */
export function refuseAll([first, ...others]: readonly InvalidValue[]): Refusal | undefined {
  return first && refuse('invalid', first.message, { path: first.path, ...(others.length > 0 ? { others } : {}) })
}

export const inTheFuture = (path: string): Refusal => refuse('invalid', 'This time is in the future', { path })

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refusal' in value
}
