/** Circuit breaker: after several consecutive faults a provider is not called for a while, so that a dead one costs nothing. */
import type { Clock } from '../../ports/clock.ts'
import { OnlineAway } from '../../ports/online-metadata.ts'

export interface CircuitBreaker {
  /** @throws OnlineAway while it is open */
  check(): void
  failed(): void
  worked(): void
}

const FAULTS_MAX = 6
const BREAK_MS = 30_000

export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  let faults = 0
  let openUntil = -Infinity
  return {
    check() {
      const retryAfterMs = Math.ceil(openUntil - clock.monotonic())
      if (retryAfterMs > 0) throw new OnlineAway('The provider of online metadata did not answer lately', { retryAfterMs })
    },
    failed() {
      faults++
      // From then on one more fault is enough, until a call succeeds.
      if (faults >= FAULTS_MAX) openUntil = clock.monotonic() + BREAK_MS
    },
    worked: () => void (faults = 0),
  }
}
