/** Why a segment cannot be served, temporarily or permanently. A value, not an error; HTTP turns it into 503 or 404. */
export interface Unavailable {
  /** A sentence for a person. */
  readonly unavailable: string
  /** The film does not contain it: retrying does not help (404). */
  readonly missing: boolean
  readonly retryAfterSeconds: number
}

export const busy = (unavailable: string, retryAfterSeconds = 2): Unavailable => ({ unavailable, missing: false, retryAfterSeconds })
export const missing = (unavailable: string): Unavailable => ({ unavailable, missing: true, retryAfterSeconds: 0 })

export function isUnavailable(value: object | undefined): value is Unavailable {
  return value !== undefined && 'unavailable' in value
}
