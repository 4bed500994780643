/**
 * Steady time of day: starts at the system's time and then follows the monotonic clock. If an administrator or a time server corrects the
 * system's clock, ages measured with it do not jump.
 */
import type { Clock } from '../../ports/clock.ts'

/** Milliseconds since the Unix epoch, based on the system's clock at the start. */
export function createSteadyNow(clock: Clock): () => number {
  const offsetMs = clock.now() - clock.monotonic()
  return () => Math.round(offsetMs + clock.monotonic())
}
