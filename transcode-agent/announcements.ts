/** Announces the agent's state every few seconds, and shortly after a change. */
import type { Clock } from '../src/ports/clock.ts'
import { HELLO_MS } from '../src/app/streaming/agents/agent-protocol.ts'

export interface Announcements {
  now(this: void): void
  /** Announces now, or, if the last announcement was a moment ago, a moment later: one announcement covers all changes until then. */
  soon(this: void): void
  close(): void
}

const LEAST_PAUSE_MS = 100

export function createAnnouncements(clock: Clock, say: () => void): Announcements {
  let announcedAt = -Infinity
  let disarm: (() => void) | undefined
  const stop = clock.every(HELLO_MS, now)

  function now(): void {
    disarm?.()
    disarm = undefined
    announcedAt = clock.monotonic()
    say()
  }

  return {
    now,
    soon() {
      const waitMs = announcedAt + LEAST_PAUSE_MS - clock.monotonic()
      if (waitMs <= 0) now()
      else disarm ??= clock.after(waitMs, now)
    },
    close() {
      stop()
      disarm?.()
    },
  }
}
