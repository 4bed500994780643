/**
 * Refusal: a "no" that belongs to the domain, given back as a value. What goes wrong is thrown instead.
 */
export type RefusalKind =
  /** There is no such thing, or the caller may not see it. */
  | 'not-found'
  /** The caller may see that it exists, but may not do this. */
  | 'forbidden'
  /** No login, an ended one, or wrong credentials. */
  | 'unauthenticated'
  | 'conflict'
  /** What the request depends on has changed. */
  | 'changed'
  /** A value that cannot be taken; `path` says which. */
  | 'invalid'
  /** Too many tries; `retryAfterSeconds` says when again. */
  | 'too-many'
  /** Not now; `retryAfterSeconds` says when again. */
  | 'unavailable'

export interface Refusal {
  readonly refusal: RefusalKind
  /** One plain sentence for a person. */
  readonly message: string
  readonly path?: string
  readonly retryAfterSeconds?: number
}

export function refuse(refusal: RefusalKind, message: string, more: Pick<Refusal, 'path' | 'retryAfterSeconds'> = {}): Refusal {
  return { refusal, message, ...more }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refusal' in value
}
