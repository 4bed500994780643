/** Not now, or not at all: why a segment cannot be given. A value, not an error; HTTP makes 503 or 404 of it. */
export interface Unavailable {
  /** A sentence for a person. */
  readonly unavailable: string
  /** The film does not hold it: asking again will not help (404). */
  readonly missing: boolean
  readonly retryAfterSeconds: number
}

export const busy = (unavailable: string, retryAfterSeconds = 2): Unavailable => ({ unavailable, missing: false, retryAfterSeconds })
export const missing = (unavailable: string): Unavailable => ({ unavailable, missing: true, retryAfterSeconds: 0 })

export function isUnavailable(value: object | undefined): value is Unavailable {
  return value !== undefined && 'unavailable' in value
}
