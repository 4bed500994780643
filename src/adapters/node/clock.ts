/** Clock of this machine. */
import type { Clock } from '../../ports/clock.ts'

/** Longest delay of a Node timer; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep,
    after: (ms, callback) => arm(ms, callback, false),
    every(ms, callback) {
      const timer = setInterval(callback, Math.min(ms, LONGEST_MS)).unref()
      return () => clearInterval(timer)
    },
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const disarm = arm(ms, wake, true)
    function wake(): void {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    function abort(): void {
      disarm()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Arms a timer of any length, in several steps if it exceeds Node's longest. */
function arm(ms: number, callback: () => void, keepsAlive: boolean): () => void {
  let timer: NodeJS.Timeout
  const start = (leftMs: number): void => {
    const next = leftMs > LONGEST_MS ? () => start(leftMs - LONGEST_MS) : callback
    timer = setTimeout(next, Math.min(leftMs, LONGEST_MS))
    if (!keepsAlive) timer.unref()
  }
  start(ms)
  return () => clearTimeout(timer)
}
