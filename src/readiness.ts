/** Readiness: whether requests can be answered now, and if not, which part is missing. */
import { enginesAway } from './engines-awaited.ts'
import type { Readiness } from './http/app.ts'
import type { Clock } from './ports/clock.ts'
import type { Engine } from './ports/engine.ts'

/** Whoever asks in between is told what was seen last: the question is open to everybody. */
const LOOK_EVERY_MS = 1000
const NO_AGENT = 'No transcode agent is running: what is not made yet cannot be streamed'

export interface ReadinessDependencies {
  readonly servers: readonly Engine[]
  readonly clock: Clock
  /** Of the views. */
  readonly views: () => Readiness
  /** Whether anybody is there who makes segments. */
  readonly hasAgents: (this: void) => boolean
}

export function createReadiness({ servers, clock, views, hasAgents }: ReadinessDependencies): () => Promise<Readiness> {
  let lookedAtMs = -Infinity
  let seen: Promise<readonly string[]> = Promise.resolve([])

  return async () => {
    if (clock.monotonic() - lookedAtMs >= LOOK_EVERY_MS) {
      lookedAtMs = clock.monotonic()
      seen = enginesAway(servers)
    }
    const away = await seen
    if (away.length > 0) return { ready: false, reason: `No answer from ${away.join(' and ')}` }
    const readiness = views()
    return readiness.ready && !hasAgents() ? { ready: true, warnings: [NO_AGENT, ...(readiness.warnings ?? [])] } : readiness
  }
}
