/** Computes the backoff between retries: delays grow, and start short again after a run that lasted long enough. */
import { ServerUnavailable } from '../../ports/server.ts'

export interface Backoff {
  /** Milliseconds until the next attempt, by how long the last run lasted and what ended it. */
  after(ranMs: number, cause: unknown): number
}

const PAUSE_MS = { least: 100, most: 10_000 }
/** During an outage of a server the delay stays short: everything should continue as soon as the server is back. */
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
