/** Readiness: whether requests can be answered now, and if not, which part is missing. */
import { reasonOf, serversAway, type UnavailableServer } from './wait-for-servers.ts'
import type { Readiness } from '../http/server/app.ts'
import type { Clock } from '../ports/clock.ts'
import type { Server } from '../ports/server.ts'

/** Whoever asks in between is told what was seen last: the question is open to everybody. */
const LOOK_EVERY_MS = 1000
const NO_AGENT = 'No transcode agent is running: what is not made yet cannot be streamed'
const PALE = 'No transcode agent can tone-map (by zscale or libplacebo of its ffmpeg): HDR films look pale where the player takes no HDR'

export interface ReadinessDependencies {
  readonly servers: readonly Server[]
  readonly clock: Clock
  /** What is wrong with the files of this process, if anything is. */
  readonly storage?: (this: void) => string | undefined
  /** Of the views. */
  readonly views: () => Readiness
  /** Whether anybody is there who makes segments. */
  readonly hasAgents: (this: void) => boolean
  /** Whether any of them brings HDR pictures down. */
  readonly toneMaps: (this: void) => boolean
}

export function createReadiness({ servers, clock, storage, views, hasAgents, toneMaps }: ReadinessDependencies): () => Promise<Readiness> {
  let lookedAtMs = -Infinity
  let seen: Promise<readonly UnavailableServer[]> = Promise.resolve([])

  return async () => {
    if (clock.monotonic() - lookedAtMs >= LOOK_EVERY_MS) {
      lookedAtMs = clock.monotonic()
      seen = serversAway(servers)
    }
    const trouble = storage?.()
    if (trouble !== undefined) return { ready: false, reason: trouble }
    const away = await seen
    if (away.length > 0) return { ready: false, reason: reasonOf(away) }
    const readiness = views()
    const warnings = hasAgents() ? (toneMaps() ? [] : [PALE]) : [NO_AGENT]
    return readiness.ready && warnings.length > 0 ? { ready: true, warnings: [...warnings, ...(readiness.warnings ?? [])] } : readiness
  }
}
