/** Announcements: an agent says how it is every few seconds, and soon after that has changed. */
import type { Clock } from '../src/ports/clock.ts'
import { HELLO_MS } from '../src/app/streaming/agents/agent-protocol.ts'

export interface Announcements {
  now(this: void): void
  /** Now, unless that was a moment ago: then a moment later, once for all that changes until then. */
  soon(this: void): void
  close(): void
}

const LEAST_PAUSE_MS = 100

export function createAnnouncements(clock: Clock, say: () => void): Announcements {
  let saidAt = -Infinity
  let disarm: (() => void) | undefined
  const stop = clock.every(HELLO_MS, now)

  function now(): void {
    disarm?.()
    disarm = undefined
    saidAt = clock.monotonic()
    say()
  }

  return {
    now,
    soon() {
      const waitMs = saidAt + LEAST_PAUSE_MS - clock.monotonic()
      if (waitMs <= 0) now()
      else disarm ??= clock.after(waitMs, now)
    },
    close() {
      stop()
      disarm?.()
    },
  }
}
