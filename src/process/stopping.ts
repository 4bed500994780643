/** Stops a process: closes its resources, and ends after ten seconds in any case. */
import type { Clock } from '../ports/clock.ts'
import { oneLine } from './start-failure.ts'

const STOP_LIMIT_MS = 10_000

/** Returns the exit code. Nothing is lost on a timeout: the log already has the events. */
export async function stopWithin(clock: Clock, close: () => Promise<void>): Promise<number> {
  const limit = new AbortController()
  const late = clock.sleep(STOP_LIMIT_MS, limit.signal).then(
    () => complain('Not everything could be closed within ten seconds. Nothing that was answered is lost.'),
    () => 1,
  )
  const closed = close().then(
    () => 0,
    (cause: unknown) => complain(`While stopping: ${oneLine(cause)}`),
  )
  const code = await Promise.race([closed, late])
  limit.abort()
  return code
}

export function complain(line: string): number {
  console.error(line)
  return 1
}
