/** Looks whether roots can be read, one look at a time for each: while a drive does not answer, another look would wait for it as well. */
import { driveAt } from '../../drives/media-files.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RootHealth } from '../../ports/media.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { rootHealth } from './file-reads.ts'

/** Longer than a sleeping drive takes to wake up. */
const TIMEOUT_MS = 10_000
/** The drive behind a link may have been replaced. */
const AGAIN_MS = 10 * 60_000

interface Look {
  readonly health: Promise<RootHealth>
  readonly sinceMs: number
}

export function createRootLooks(clock: Clock): (root: string) => Promise<RootHealth> {
  const looks = new Map<string, Look>()

  function begin(key: string, root: string): Look {
    const health = rootHealth(root).finally(() => {
      if (looks.get(key) === look) looks.delete(key)
    })
    const look = { health, sinceMs: clock.monotonic() }
    looks.set(key, look)
    return look
  }

  return async (root) => {
    // A drive that is mounted in place of a dead one is looked at at once.
    const key = `${driveAt(root)} ${root}`
    const under = looks.get(key)
    const { health } = under && clock.monotonic() - under.sinceMs < AGAIN_MS ? under : begin(key, root)
    return withTimeout(health, { clock, ms: TIMEOUT_MS, message: 'The drive does not answer' }).catch(() => ({
      available: false,
      reason: 'unreadable',
    }))
  }
}
