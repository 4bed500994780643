/** Backoff between retries: each delay is longer than the last, and short again after a run that lasted long enough. */
import { ServerUnavailable } from '../../ports/server.ts'

export interface Backoff {
  /** Milliseconds until the next try, by how long the last one ran and what ended it. */
  after(ranMs: number, cause: unknown): number
}

const PAUSE_MS = { least: 100, most: 10_000 }
/** A server that is away is missed by everybody: as soon as it is back, all shall go on. */
const AWAY_MOST_MS = 250
const HEALTHY_MS = 60_000

export function createBackoff(): Backoff {
  let pauseMs = 0
  return {
    after(ranMs, cause) {
      const most = cause instanceof ServerUnavailable ? AWAY_MOST_MS : PAUSE_MS.most
      pauseMs = ranMs > HEALTHY_MS ? PAUSE_MS.least : Math.min(most, Math.max(PAUSE_MS.least, pauseMs * 2))
      return pauseMs
    },
  }
}
