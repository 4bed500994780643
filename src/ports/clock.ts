/** Clock: the only source of time and of timers, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds of a clock that never goes back; only differences mean something. */
  monotonic(): number
  /** Settles after so many milliseconds; rejects with the signal's reason if aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls once after so many milliseconds, unless the returned function was called before. Does not keep the process alive. */
  after(ms: number, callback: () => void): () => void
  /** Calls repeatedly; returns a function that stops it. Does not keep the process alive. */
  every(ms: number, callback: () => void): () => void
}
