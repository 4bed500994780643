/**
 * Leases: who may do a thing for a while. A hint only: safety rests on the log's expected revisions.
 */

/** Lifetimes in seconds; a fixed few, because an engine may keep one bucket for each. */
export type LeaseTtlSeconds = 5 | 15 | 60

export interface Lease {
  /** Rises with every acquisition of any key on this engine: usable as a fence. */
  readonly token: number
  /** Aborted when the lease is no longer held: lapsed, lost or released. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

export interface Leases {
  /** Takes a free key and keeps renewing it until released; null when somebody holds it. */
  acquire(key: string, ttlSeconds: LeaseTtlSeconds): Promise<Lease | null>
  /** Whether anybody holds the key now. */
  held(key: string): Promise<boolean>
  close(): Promise<void>
}
