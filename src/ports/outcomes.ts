/**
 * Outcomes: what requests with an idempotency key were answered, so that a repeat does nothing twice. Shared by all API nodes, and
 * kept over a crash.
 */

/** A key is remembered for so long after its first request, as long as there are not too many. */
export const OUTCOME_LIFE_MS = 24 * 3_600_000
/** What runs longer has lost its node: it may be begun again. */
export const OUTCOME_RUNNING_MS = 120_000

export type Begun =
  /** Carry it out. `seed`: random, and the same whenever this request is begun again, so that what it makes can be made once. */
  | { readonly state: 'begun'; readonly seed: string }
  | { readonly state: 'running' }
  | { readonly state: 'settled'; readonly answer: string }
  /** The key was used for another request. */
  | { readonly state: 'other' }

export interface Outcomes {
  /** `fingerprint`: of the request; `seed`: taken where the key is new. Of several at once, one is told `begun`. */
  begin(key: string, request: { readonly fingerprint: string; readonly seed: string }): Promise<Begun>
  /** From now on this is the answer. */
  settle(key: string, answer: string): Promise<void>
  /** It broke off: the same request may be begun again, with the same seed. */
  release(key: string): Promise<void>
  /** It was refused and did nothing: the key is new again. */
  forget(key: string): Promise<void>
  close(): Promise<void>
}
