/**
 * Cooldown of encoders that worked and then failed, for example after a driver reset, or when the card is out of sessions. An encoder that
 * fails again soon gets twice the cooldown.
 */
import type { Encoder } from '../src/vocabulary/encoder.ts'
import type { Clock } from '../src/ports/clock.ts'

export interface EncoderCooldown {
  has(encoder: Encoder): boolean
  /** Returns the cooldown in milliseconds. */
  begin(encoder: Encoder): number
}

interface Rest {
  readonly until: number
  readonly lastsMs: number
}

const FIRST_MS = 60_000
const LONGEST_MS = 32 * FIRST_MS

export function createEncoderCooldown(clock: Clock): EncoderCooldown {
  const rests = new Map<Encoder, Rest>()
  return {
    has: (encoder) => (rests.get(encoder)?.until ?? -Infinity) > clock.monotonic(),
    begin(encoder) {
      const now = clock.monotonic()
      const last = rests.get(encoder)
      const isSoon = last !== undefined && now - last.until < last.lastsMs
      const lastsMs = isSoon ? Math.min(LONGEST_MS, 2 * last.lastsMs) : FIRST_MS
      rests.set(encoder, { until: now + lastsMs, lastsMs })
      return lastsMs
    },
  }
}
