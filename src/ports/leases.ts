/**
 * Leases: who may do a thing for a while. A hint only: safety rests on the log's expected revisions.
 */

/** Lifetimes in seconds; a fixed few, because an engine may keep one bucket for each. */
export type LeaseTtlSeconds = 5 | 15 | 60

export interface Lease {
  /** Rises with every acquisition of any key for the same lifetime on this engine: usable as a fence of a key that has one lifetime. */
  readonly token: number
  /** Aborted when the lease is no longer held: lapsed, lost or released. */
  readonly lost: AbortSignal
  /** Where the engine is away the key lapses by itself. */
  release(): Promise<void>
  /** Name of the program that it was taken from, if that was gone. */
  readonly takenFrom?: string
}

export interface AcquireOptions {
  /**
   * Take the key from a program whose process has ended, without waiting for its lifetime, if the engine can tell. Only for what is
   * fenced by the token: a program that has lost its connection, too, may count as ended.
   */
  readonly fromEnded?: boolean
}

export interface Leases {
  /**
   * Takes a free key and keeps renewing it until released; null when somebody holds it.
   * @throws ServerUnavailable within about two seconds; the key may be taken for its lifetime all the same
   */
  acquire(key: string, ttlSeconds: LeaseTtlSeconds, options?: AcquireOptions): Promise<Lease | null>
  /** Whether anybody holds the key now. @throws ServerUnavailable within about two seconds */
  held(key: string): Promise<boolean>
  close(): Promise<void>
}
