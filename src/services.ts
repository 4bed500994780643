/** Services: what the application does, put together over the engines. Nothing here starts by itself. */
import { collectionOf } from '../projections/view.ts'
import { views } from '../projections/all.ts'
import { createAccess } from './app/access.ts'
import { createAccounts } from './app/accounts.ts'
import { createCommander } from './app/commander.ts'
import { createDocuments } from './app/documents.ts'
import { createFreshness } from './app/freshness.ts'
import { createLibraries } from './app/libraries.ts'
import { createMovies } from './app/movies.ts'
import { createOperatorCommands } from './app/operators.ts'
import { createPlayback, type Streams } from './app/playback-service.ts'
import { createScanRunner } from './app/scan-runner.ts'
import { createScans } from './app/scans.ts'
import { createSealer } from './app/sealer.ts'
import { createSessionHost } from './app/session-host.ts'
import { createSignIns } from './app/sign-in.ts'
import { createStreamAccess } from './app/stream-access.ts'
import { parseId } from './events/id.ts'
import { playbackStream } from './events/streams.ts'
import { playback as playbackDecider } from './domain/playback.ts'
import type { Engines } from './engines.ts'

/** Name under which the live views of this node count for freshness. */
export const LIVE_VIEWS = 'live-views'

export interface ServiceOptions {
  readonly engines: Engines
  readonly streams: Streams
  readonly node: string
  readonly idleSeconds: number
  readonly mediaRoots: readonly string[]
  /** The secret that signs, then older ones that still verify. */
  readonly secrets: readonly [string, ...string[]]
  readonly probeWidth: number
  /** Addresses under which players reach the server. */
  readonly urls: () => readonly string[]
  readonly problem: (cause: unknown) => void
}

export type Services = ReturnType<typeof createServices>

export function createServices(options: ServiceOptions) {
  const { engines, streams, node, secrets, problem } = options
  const { log, store, vault, bus, leases, counters, media, clock, ids } = engines
  const sealer = createSealer(vault)
  const access = createAccess(clock)
  const documents = createDocuments(store)
  const freshness = createFreshness({ bus, clock, store, collections: views.map(collectionOf), own: [LIVE_VIEWS] })
  const commander = createCommander({ log, clock, ids, sealer, node })
  const accounts = createAccounts({ commander, vault, sealer, ids, clock })
  const signIns = createSignIns({ access, accounts, commander, counters, clock, freshness, ids, vault })
  const libraries = createLibraries({ access, commander, freshness, ids, store, mediaRoots: options.mediaRoots })
  const movies = createMovies({ access, commander, clock, documents, freshness, media })
  const scanRunner = createScanRunner({
    clock,
    commander,
    documents,
    freshness,
    ids,
    leases,
    media,
    node,
    width: options.probeWidth,
    problem,
  })
  const scans = createScans({ access, commander, documents, freshness, ids, leases, run: scanRunner.run })
  const host = createSessionHost({ bus, clock, commander, leases, node })
  const playback = createPlayback({
    ...{ access, commander, documents, freshness, host, ids, media, sealer, streams },
    idleSeconds: options.idleSeconds,
    accountOf: async (userId) => {
      const user = access.users.get(userId)
      return user && accounts.open(user)
    },
  })
  const streamAccess = createStreamAccess({
    ...{ access, clock, documents, secrets },
    loginOf: async (id) => {
      const sessionId = parseId<'session'>(id)
      if (!sessionId) return undefined
      return (await commander.load({ stream: playbackStream(sessionId), decider: playbackDecider })).started?.loginId
    },
  })
  const operators = createOperatorCommands({
    ...{ access, accounts, clock, documents, freshness, libraries, log, playback, scans, signIns, streamAccess },
    urls: options.urls,
  })
  return {
    access,
    accounts,
    commander,
    documents,
    freshness,
    host,
    libraries,
    movies,
    operators,
    playback,
    scanRunner,
    scans,
    signIns,
    streamAccess,
  }
}
