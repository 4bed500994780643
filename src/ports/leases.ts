/**
 * Leases: the right to do something for a while. A hint only: safety rests on the log's expected revisions.
 */

/** Lifetimes in seconds; a fixed few, because an engine may keep one bucket for each. */
export type LeaseTtlSeconds = 5 | 15 | 60

export interface Lease {
  /**
   * Rises with every acquisition of any key with the same lifetime on this engine, so it works as a fencing token if a key always has one
   * lifetime.
   */
  readonly token: number
  /** Aborted when the lease is no longer held: lapsed, lost or released. */
  readonly lost: AbortSignal
  /** If the engine is unavailable, the key expires by itself. */
  release(): Promise<void>
  /** Name of the ended program that it was taken from, if any. */
  readonly takenFrom?: string
}

export interface AcquireOptions {
  /**
   * Takes the key from a program whose process has ended, without waiting for the lifetime, if the engine can detect that. Only for work
   * fenced by the token: a program that lost its connection may also count as ended.
   */
  readonly fromEnded?: boolean
}

export interface Leases {
  /**
   * Takes a free key and keeps renewing it until released; null if it is held. @throws ServerUnavailable within about two seconds; the key
   * may still be taken for its lifetime
   */
  acquire(key: string, ttlSeconds: LeaseTtlSeconds, options?: AcquireOptions): Promise<Lease | null>
  /** Whether the key is held now. @throws ServerUnavailable within about two seconds */
  held(key: string): Promise<boolean>
  close(): Promise<void>
}
