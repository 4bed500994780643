/**
 * Counters: budgets shared by all API nodes (rate limits, lock-out).
 */
export interface Spent {
  readonly allowed: boolean
  /** Left after this one. */
  readonly remaining: number
  /** Milliseconds until one more is allowed (0 when one is), and until the whole budget is back. */
  readonly retryAfterMs: number
  readonly resetAfterMs: number
}

export interface Budget {
  readonly max: number
  readonly windowMs: number
}

export interface Counters {
  /** Sliding window: at most `max` accepted in any `windowMs`; refused attempts do not count. */
  spend(key: string, budget: Budget): Promise<Spent>
  /** Returns the answer of `spend` without spending. */
  peek(key: string, budget: Budget): Promise<Spent>
  /** Takes the newest spending back, if there is one. */
  giveBack(key: string, budget: Budget): Promise<void>
  /** Forgets the key. */
  clear(key: string): Promise<void>
}
