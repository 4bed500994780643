/** Services: what the application does, put together over the engines. Nothing here starts by itself. */
import { collectionOf } from '../../projections/views/view.ts'
import { views } from '../../projections/views/all.ts'
import { createAccess } from '../app/access/access.ts'
import { createAccountChanges } from '../app/accounts/account-changes.ts'
import { createAccounts } from '../app/accounts/accounts.ts'
import { createAdminSeats } from '../app/accounts/admin-seats.ts'
import { createChanges } from '../app/feed/changes.ts'
import { createCommander } from '../app/commands/commander.ts'
import { createDataExport } from '../app/accounts/data-export.ts'
import { createDocuments } from '../app/read-models/documents.ts'
import { createEventStreamPlaces } from '../app/feed/event-stream-places.ts'
import { createFreshness } from '../app/consistency/freshness.ts'
import { createInstallation } from '../app/accounts/installation.ts'
import { createLastChanges } from '../app/feed/last-changes.ts'
import { createLibraries } from '../app/libraries/libraries.ts'
import { createLibraryStatistics } from '../app/libraries/library-stats.ts'
import { createLogPages } from '../app/feed/log-pages.ts'
import { createLogins } from '../app/accounts/logins.ts'
import { createCatalogue } from '../app/movies/catalogue.ts'
import { createMovieCorrections } from '../app/movies/movie-corrections.ts'
import { createMovieMarks } from '../app/movies/movie-marks.ts'
import { createLiveEvents } from '../app/feed/live-events.ts'
import { createLiveViewsWatch } from '../app/access/live-views-watch.ts'
import { createMovies } from '../app/movies/movies.ts'
import { createImageKey } from '../app/pictures/image-key.ts'
import { createOnlineFinder } from '../app/online/online-finding.ts'
import { createNameClaims } from '../app/accounts/name-claims.ts'
import type { OfferedStreams } from '../app/playback/offered-streams.ts'
import { createOperatorCommands } from '../app/operator/operators.ts'
import { createPasswords } from '../app/accounts/password-hash.ts'
import { createPast } from '../app/read-models/past.ts'
import { createPictures } from '../app/pictures/pictures.ts'
import { createPlaylistTokens } from '../app/playback/playlist-tokens.ts'
import { createPlayback } from '../app/playback/playback-service.ts'
import { createProjections } from '../app/consistency/projections.ts'
import { createScanRunner } from '../app/scans/scan-runner.ts'
import { createScans } from '../app/scans/scans.ts'
import { createSealer } from '../app/commands/sealer.ts'
import { createSessionHost } from '../app/playback/session-host.ts'
import { createSignIns } from '../app/accounts/sign-in.ts'
import { createSignUps, type SignUpMode } from '../app/accounts/sign-up.ts'
import { createSoundGain } from '../app/playback/sound-gain.ts'
import { createStreamAccess } from '../app/playback/stream-access.ts'
import { createTrickplay } from '../app/derived-media/trickplay.ts'
import { createWhyUnseen, whyUnseenAlone } from '../app/playback/unseen-sessions.ts'
import { createUsers } from '../app/accounts/users.ts'
import { parseId } from '../vocabulary/id.ts'
import { playbackStream } from '../events/streams.ts'
import { playback as playbackDecider } from '../domain/playback/playback.ts'
import type { Engines } from './engines.ts'
import type { ScryptCost } from '../ports/scrypt.ts'

/** The live views of this node are no collection, but freshness waits for them as for one, under this name. */
export const LIVE_VIEWS = 'live-views'

export interface ServiceOptions {
  readonly engines: Engines
  readonly streams: OfferedStreams
  readonly node: string
  readonly idleSeconds: number
  readonly mediaRoots: readonly string[]
  /** The secret that signs, then older ones that still verify. */
  readonly secrets: readonly [string, ...string[]]
  readonly probeWidth: number
  /** What hashing a password costs; tests have a cheap one. */
  readonly passwordCost?: ScryptCost
  /** Who may sign up; default: nobody. */
  readonly signUp?: SignUpMode
  /** What the first one to sign up must send. */
  readonly setupToken?: string | undefined
  /** Addresses under which players reach the server. */
  readonly urls: () => readonly string[]
  readonly problem: (cause: unknown) => void
}

export type Services = ReturnType<typeof createServices>

export function createServices(options: ServiceOptions) {
  const { engines, streams, node, secrets, problem } = options
  const { log, store, vault, bus, leases, counters, media, clock, ids, online } = engines
  const sealer = createSealer(vault)
  const playlistTokens = createPlaylistTokens(clock)
  const access = createAccess(clock, {
    behindMs: () => freshness.skews.behindMs(),
    userGone: (userId) => sealer.forget(userId),
    sessionGone(sessionId) {
      streams.leave(sessionId)
      playlistTokens.forget(sessionId)
    },
  })
  const documents = createDocuments(store)
  const collections = views.map(collectionOf)
  // Where no engine is a server, no other process is there.
  const among = engines.servers.length > 0 ? { node } : {}
  const freshness = createFreshness({ bus, clock, store, collections, own: [LIVE_VIEWS], ...among })
  const liveViewsWatch = createLiveViewsWatch({ clock, log, furthest: freshness.furthest, problem })
  const lastChanges = createLastChanges({ access, freshness, head: () => log.head() })
  const pages = createLogPages({ clock, log })
  const liveEvents = createLiveEvents({ access, clock, documents, freshness, log, pages })
  const eventStreamPlaces = createEventStreamPlaces({ leases, clock, node })
  const changes = createChanges({ access, documents, freshness, pages })
  const commander = createCommander({ log, clock, ids, sealer, node })
  const names = createNameClaims({ commander, clock, vault })
  const installation = createInstallation({ access, commander, vault })
  const adminSeats = createAdminSeats({ clock, commander, leases, names })
  const passwords = createPasswords({ clock, scrypt: engines.scrypt, ...(options.passwordCost ? { cost: options.passwordCost } : {}) })
  const accounts = createAccounts({ commander, names, seats: adminSeats, vault, passwords, sealer, ids, clock })
  const accountChanges = createAccountChanges({ accounts, commander, passwords, sealer, seats: adminSeats, vault })
  const signIns = createSignIns({ access, accounts, accountChanges, commander, counters, clock, freshness, ids, passwords, vault })
  const { signUp: mode = 'off', setupToken } = options
  const signUps = createSignUps({ access, accounts, counters, freshness, signIns, mode, setupToken })
  const logins = createLogins({ access, commander, freshness, sealer })
  const users = createUsers({ access, accounts, changes: accountChanges, counters, freshness })
  const exportData = createDataExport({ access, accounts, documents, logins, sealer })
  const libraries = createLibraries({
    access,
    commander,
    documents,
    freshness,
    ids,
    media,
    mediaRoots: options.mediaRoots,
    endScan: (...ask) => scans.end(...ask),
  })
  const libraryStatistics = createLibraryStatistics({ access, clock, documents, freshness, store })
  const trickplay = createTrickplay({ access, store: engines.trickplay })
  const movies = createMovies({ access, documents, trickplay })
  const pictures = createPictures({
    access,
    clock,
    documents,
    media,
    stills: engines.stills,
    online,
    maker: engines.pictureMaker,
    store: engines.pictures,
  })
  const movieMarks = createMovieMarks({ access, clock, commander, documents, freshness })
  const imageKey = createImageKey(vault)
  const finder = online && createOnlineFinder({ access, clock, commander, imageKey, online, problem })
  const movieCorrections = createMovieCorrections({ access, commander, documents, finder, freshness, movies })
  const catalogue = createCatalogue({ access, documents })
  const past = createPast({ clock, log, openStore: engines.openScratchStore })
  const scanRunner = createScanRunner({
    bus,
    clock,
    commander,
    documents,
    freshness,
    ids,
    imageKey,
    leases,
    media,
    readsWait: engines.readsWait,
    reader: engines.reader,
    node,
    width: options.probeWidth,
    problem,
  })
  const scans = createScans({
    access,
    bus,
    clock,
    commander,
    documents,
    freshness,
    ids,
    leases,
    log,
    run: (...asked) => scanRunner.run(...asked),
  })
  const host = createSessionHost({ bus, clock, commander, idle: access.idle, leases, node })
  const whyUnseen = engines.servers.length > 0 ? createWhyUnseen({ access, commander }) : whyUnseenAlone
  const soundGain = createSoundGain({ clock, loudness: engines.loudness, problem })
  const playback = createPlayback({
    access,
    commander,
    documents,
    freshness,
    host,
    ids,
    media,
    playlistTokens,
    sealer,
    soundGain,
    streams,
    trickplay,
    whyUnseen,
    idleSeconds: options.idleSeconds,
    accountOf: async (userId) => {
      const user = access.users.get(userId)
      return user && accounts.open(user)
    },
  })
  const streamAccess = createStreamAccess({
    access,
    clock,
    documents,
    secrets,
    whyUnseen,
    loginOf: async (id) => {
      const sessionId = parseId<'session'>(id)
      if (!sessionId) return undefined
      return (await commander.load({ stream: playbackStream(sessionId), decider: playbackDecider })).started?.loginId
    },
  })
  const operators = createOperatorCommands({
    access,
    accounts,
    changes: accountChanges,
    clock,
    documents,
    freshness,
    libraries,
    log: engines.wholeLog ?? log,
    playback,
    scans,
    signIns,
    streamAccess,
    urls: options.urls,
  })
  return {
    access,
    accountChanges,
    accounts,
    adminSeats,
    changes,
    commander,
    documents,
    eventStreamPlaces,
    exportData,
    freshness,
    host,
    installation,
    lastChanges,
    libraries,
    libraryStatistics,
    liveEvents,
    liveViewsWatch,
    logins,
    catalogue,
    movieCorrections,
    movieMarks,
    movies,
    onlineFinder: finder,
    operators,
    passwords,
    past,
    pictures,
    playback,
    projections: createProjections(views, freshness.projections),
    scanRunner,
    scans,
    sealer,
    signIns,
    signUps,
    soundGain,
    streamAccess,
    trickplay,
    users,
  }
}
