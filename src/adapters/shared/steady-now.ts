/**
 * Steady time of day: it starts at the system's and from then on follows the monotonic clock. If an administrator or a time server
 * corrects the system's clock, nothing that is measured by it gets older or younger at once.
 */
import type { Clock } from '../../ports/clock.ts'

/** Milliseconds since the Unix epoch, as the system's clock had them at the start. */
export function createSteadyNow(clock: Clock): () => number {
  const offsetMs = clock.now() - clock.monotonic()
  return () => Math.round(offsetMs + clock.monotonic())
}
