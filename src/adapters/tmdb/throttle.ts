/** Rate limiter of calls to a provider: bounds calls over time and concurrency, and pauses when the provider asks for it. */
import { abortable } from '../../concurrency/timeout.ts'
import { createSemaphore, QueueFull } from '../../concurrency/semaphore.ts'
import type { Clock } from '../../ports/clock.ts'
import { OnlineAway } from '../../ports/online-metadata.ts'

export interface Throttle {
  /** Does the work when it is its turn. @throws OnlineAway if that is too far off; the signal's reason */
  turn<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value>
  /** Starts nothing for so many milliseconds. */
  hold(ms: number): void
}

const CALLS_MAX = 40
const WINDOW_MS = 10_000
const AT_ONCE = 4
const WAITING_MAX = 200
const PATIENCE_MS = 120_000
/** A longer pause is not waited for. */
export const QUIET_MAX_MS = 10_000

export function createThrottle(clock: Clock): Throttle {
  const semaphore = createSemaphore(AT_ONCE, { waitingMax: WAITING_MAX, patience: { clock, ms: PATIENCE_MS } })
  /** Start times of the last calls, oldest first. */
  const begun: number[] = []
  let quietUntil = -Infinity

  function checkQuiet(): void {
    const retryAfterMs = Math.ceil(quietUntil - clock.monotonic())
    if (retryAfterMs > QUIET_MAX_MS) throw new OnlineAway('The provider of online metadata has asked to wait', { retryAfterMs })
  }

  function waitMs(): number {
    const now = clock.monotonic()
    const oldest = begun.length < CALLS_MAX ? -Infinity : (begun[0] ?? -Infinity)
    return Math.max(quietUntil - now, oldest + WINDOW_MS - now)
  }

  async function begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    for (let ms = waitMs(); ms > 0; ms = waitMs()) {
      checkQuiet()
      await clock.sleep(ms, signal)
    }
    begun.push(clock.monotonic())
    if (begun.length > CALLS_MAX) begun.shift()
  }

  return {
    async turn(work, signal) {
      checkQuiet()
      const inTurn = async () => {
        await begin(signal)
        return work()
      }
      return abortable(semaphore(inTurn), signal).catch(asAway)
    },
    hold: (ms) => void (quietUntil = Math.max(quietUntil, clock.monotonic() + ms)),
  }
}

function asAway(cause: unknown): never {
  throw cause instanceof QueueFull ? new OnlineAway('Too many wait for the provider of online metadata', { cause }) : cause
}
