/**
 * Outcomes: what requests with an idempotency key were answered, so that a repeat does nothing twice. Shared by all API nodes, and
 * kept over a crash.
 */

/** A key is remembered for so long after its first request, as long as there are not too many. */
export const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000
/** What runs longer has got stuck: it may be begun again. */
export const IDEMPOTENCY_RUNNING_MS = 120_000
/** What its node has not renewed for so long has lost it: it may be begun again. */
export const IDEMPOTENCY_LEASE_MS = 15_000
/** Keys that are remembered for one owner: more push out the owner's own oldest, never those of others. */
export const IDEMPOTENCY_KEYS_OF_OWNER_MAX = 1_000

export interface KeyedRun {
  /** Of what the request asks for. */
  readonly fingerprint: string
  /** Taken if the key is new. */
  readonly seed: string
  /** Whose key it is, as a digest. */
  readonly owner: string
}

export type Begun =
  /** Carry it out. `seed`: random, and the same whenever this request is begun again, so that what it makes can be made once. */
  | { readonly state: 'begun'; readonly seed: string }
  | { readonly state: 'running' }
  | { readonly state: 'settled'; readonly answer: string }
  /** The key was used for another request. */
  | { readonly state: 'other' }

export interface IdempotencyStore {
  /** Of several at once, one is told `begun`. Time is judged by monotonic clocks: a corrected clock begins nothing again. */
  begin(key: string, request: KeyedRun): Promise<Begun>
  /** From now on this is the answer. */
  settle(key: string, answer: string): Promise<void>
  /** It broke off: the same request may be begun again, with the same seed. */
  release(key: string): Promise<void>
  /** It was refused and did nothing: the key is new again. */
  forget(key: string): Promise<void>
  close(): Promise<void>
}
