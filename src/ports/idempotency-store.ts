/**
 * Idempotency store: keeps the answers to requests with an idempotency key, so that a retry does nothing twice. Shared by all API nodes,
 * and survives a crash.
 */

/** A key is remembered for so long after its first request, unless there are too many. */
export const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000
/** A request that runs longer is stuck: it may be started again. */
export const IDEMPOTENCY_RUNNING_MS = 120_000
/** A node that has not renewed a key for so long has lost it: the request may be started again. */
export const IDEMPOTENCY_LEASE_MS = 15_000
/** Most keys for one owner: further ones evict the owner's own oldest, never those of others. */
export const IDEMPOTENCY_KEYS_OF_OWNER_MAX = 1_000

export interface KeyedRun {
  /** Fingerprint of the request. */
  readonly fingerprint: string
  /** Taken if the key is new. */
  readonly seed: string
  /** Digest of the key's owner. */
  readonly owner: string
}

export type Begun =
  /**
   * Execute the request. `seed`: random, and the same whenever this request is started again, so that ids derived from it stay the same.
   */
  | { readonly state: 'begun'; readonly seed: string }
  | { readonly state: 'running' }
  | { readonly state: 'settled'; readonly answer: string }
  /** The key was used for another request. */
  | { readonly state: 'other' }

export interface IdempotencyStore {
  /**
   * Of several concurrent calls one gets `begun`. Ages are measured with monotonic clocks, so correcting the system clock restarts nothing.
   */
  begin(key: string, request: KeyedRun): Promise<Begun>
  /** Stores the final answer. */
  settle(key: string, answer: string): Promise<void>
  /** The request was interrupted: it may be started again, with the same seed. */
  release(key: string): Promise<void>
  /** The request was refused and did nothing: the key becomes unused again. */
  forget(key: string): Promise<void>
  close(): Promise<void>
}
