/** Computes readiness: whether requests can be served now, and if not, which part is missing. */
import { reasonOf, serversAway, type UnavailableServer } from './wait-for-servers.ts'
import type { Readiness } from '../http/server/app.ts'
import type { Clock } from '../ports/clock.ts'
import type { Server } from '../ports/server.ts'

/** Requests within this interval get the last result, because the endpoint is public. */
const LOOK_EVERY_MS = 1000
const NO_AGENT = 'No transcode agent is running: only cached segments can be streamed'
const PALE = 'No transcode agent can tone-map (by zscale or libplacebo of its ffmpeg): HDR films look pale if the player does not play HDR'

export interface ReadinessDependencies {
  readonly servers: readonly Server[]
  readonly clock: Clock
  /** The current problem of this process's files, if any. */
  readonly storage?: (this: void) => string | undefined
  /** The current problem of its caches, if any. */
  readonly caches?: (this: void) => string | undefined
  /** Readiness of the views. */
  readonly views: () => Readiness
  /** Whether any transcode agent is available. */
  readonly hasAgents: (this: void) => boolean
  /** The current problem with backups, if any. */
  readonly backups?: (this: void) => string | undefined
  /** Whether any of them can tone-map HDR. */
  readonly toneMaps: (this: void) => boolean
}

export function createReadiness({
  servers,
  clock,
  storage,
  caches,
  views,
  hasAgents,
  toneMaps,
  backups,
}: ReadinessDependencies): () => Promise<Readiness> {
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
    const problems = [hasAgents() ? (toneMaps() ? undefined : PALE) : NO_AGENT, backups?.(), caches?.()]
    const warnings = problems.filter((problem) => problem !== undefined)
    return readiness.ready && warnings.length > 0 ? { ready: true, warnings: [...warnings, ...(readiness.warnings ?? [])] } : readiness
  }
}
