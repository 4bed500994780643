/** Builds the application's services over the engines. Nothing here starts by itself. */
import { createAccess } from '../app/access/access.ts'
import { createUserNames } from '../app/accounts/user-names.ts'
import { createAccountChanges } from '../app/accounts/account-changes.ts'
import { createAccounts } from '../app/accounts/accounts.ts'
import { createAdminSeats } from '../app/accounts/admin-seats.ts'
import { createChanges } from '../app/feed/changes.ts'
import { createCommandHandler } from '../app/commands/command-handler.ts'
import { createDestroyedKeys } from '../app/commands/destroyed-keys.ts'
import { createDataExport } from '../app/accounts/data-export.ts'
import { createReadModels } from '../app/read-models/read-models.ts'
import { createEventStreamLimit } from '../app/feed/event-stream-limit.ts'
import { createInstallation } from '../app/accounts/installation.ts'
import { createChangePositions } from '../app/feed/change-positions.ts'
import { createLibraries } from '../app/libraries/libraries.ts'
import { createLibraryStatistics } from '../app/libraries/library-stats.ts'
import { createLogPages } from '../app/feed/log-pages.ts'
import { createLogins } from '../app/accounts/logins.ts'
import { createFacetLists } from '../app/movies/facets.ts'
import { createMovieEdits } from '../app/movies/movie-edits.ts'
import { createMovieMarks } from '../app/movies/movie-marks.ts'
import { createLiveEvents } from '../app/feed/live-events.ts'
import { createViewWatchdog } from '../app/access/view-watchdog.ts'
import { createMovies } from '../app/movies/movies.ts'
import { createImageKey } from '../app/pictures/image-key.ts'
import { createOnlineMatcher } from '../app/online/online-matching.ts'
import { createNameClaims } from '../app/accounts/name-claims.ts'
import type { SessionStreams } from '../app/playback/session-streams.ts'
import { createOperatorCommands } from '../app/operator/operators.ts'
import { createPreferences } from '../app/accounts/preferences.ts'
import { createPasswords } from '../app/accounts/password-hash.ts'
import { createAsOf } from '../app/read-models/as-of.ts'
import { createSnapshots } from '../app/read-models/snapshots.ts'
import { createPictures } from '../app/pictures/pictures.ts'
import { createPlaylistTokens } from '../app/playback/playlist-tokens.ts'
import { createPlayback } from '../app/playback/playback.ts'
import { createScanRunner } from '../app/scans/scan-runner.ts'
import { createScans } from '../app/scans/scans.ts'
import { createSealer } from '../app/commands/sealer.ts'
import { createSessionHost } from '../app/playback/session-host.ts'
import { createSignIns } from '../app/accounts/sign-in.ts'
import { createSignUps, type SignUpMode } from '../app/accounts/sign-up.ts'
import { createAudioGains } from '../app/playback/audio-gain.ts'
import { createStreamAccess } from '../app/playback/stream-access.ts'
import { createTrickplay } from '../app/derived-media/trickplay.ts'
import { createExplainMissing, explainMissingAlone } from '../app/playback/missing-sessions.ts'
import { createUsers } from '../app/accounts/users.ts'
import { parseId } from '../vocabulary/id.ts'
import { playbackStream } from '../events/streams.ts'
import { playback as playbackDecider } from '../domain/playback/playback.ts'
import { createAuditServices } from './audit-services.ts'
import type { BackupOptions } from './backup-service.ts'
import { createHistoryServices } from './history-services.ts'
import { createViewServices } from './view-services.ts'
import type { Ports } from './ports.ts'
import type { ScryptCost } from '../ports/scrypt.ts'

export interface ServiceOptions {
  readonly ports: Ports
  readonly streams: SessionStreams
  readonly node: string
  readonly idleSeconds: number
  readonly mediaRoots: readonly string[]
  /** The signing secret, followed by older ones that still verify. */
  readonly secrets: readonly [string, ...string[]]
  readonly probeWidth: number
  /** Cost of hashing a password; tests use a cheap one. */
  readonly passwordCost?: ScryptCost
  /** Who may sign up; default: nobody. */
  readonly signUp?: SignUpMode
  /** The token that the first sign-up must send. */
  readonly setupToken?: string | undefined
  /** Addresses under which players reach the server. */
  readonly urls: () => readonly string[]
  readonly onError: (cause: unknown) => void
  /** What backups need besides the log and the vault; tests that make none leave it out. */
  readonly backups?: BackupOptions
}

export type Services = ReturnType<typeof createServices>

export function createServices(options: ServiceOptions) {
  const { ports, streams, node, secrets, onError } = options
  const { log, vault, bus, leases, counters, media, clock, ids, online } = ports
  const reads = createViewServices({ ports, node, onError })
  const { liveStore: store, readYourWrites } = reads
  const sealer = createSealer(vault)
  const playlistTokens = createPlaylistTokens(clock)
  const access = createAccess(clock, {
    behindMs: () => readYourWrites.skews.behindMs(),
    sessionGone(sessionId) {
      streams.leave(sessionId)
      playlistTokens.forget(sessionId)
    },
  })
  const documents = createReadModels(store)
  const liveViewsWatch = createViewWatchdog({ clock, log, furthest: readYourWrites.furthest, onError })
  const lastChanges = createChangePositions({ access, readYourWrites, head: () => log.head() })
  const pages = createLogPages({ clock, log })
  const liveEvents = createLiveEvents({ access, clock, documents, readYourWrites, log, pages, sealer })
  const eventStreamPlaces = createEventStreamLimit({ leases, clock, node })
  const changes = createChanges({ access, documents, readYourWrites, pages })
  const commandHandler = createCommandHandler({ log, clock, ids, sealer, node })
  const names = createNameClaims({ commandHandler, clock, vault })
  const installation = createInstallation({ access, commandHandler, vault })
  const adminSeats = createAdminSeats({ clock, commandHandler, leases, names })
  const passwords = createPasswords({ clock, scrypt: ports.scrypt, ...(options.passwordCost ? { cost: options.passwordCost } : {}) })
  const accounts = createAccounts({ commandHandler, names, seats: adminSeats, vault, passwords, sealer, ids, clock })
  const accountChanges = createAccountChanges({ accounts, commandHandler, passwords, sealer, seats: adminSeats, vault })
  const signIns = createSignIns({
    access,
    accounts,
    accountChanges,
    commandHandler,
    counters,
    clock,
    readYourWrites,
    ids,
    passwords,
    vault,
    onError,
  })
  const { signUp: mode = 'off', setupToken } = options
  const signUps = createSignUps({ access, accounts, counters, readYourWrites, signIns, mode, setupToken })
  const logins = createLogins({ access, commandHandler, readYourWrites, sealer })
  const users = createUsers({ access, accounts, changes: accountChanges, counters, readYourWrites })
  const nameOf = createUserNames({ access, accounts, log, sealer })
  const audit = createAuditServices({ ...ports, ...reads, ...options, commandHandler, documents, nameOf, sealer })
  const preferences = createPreferences({ commandHandler, documents, readYourWrites, sealer })
  const exportData = createDataExport({ access, accounts, auditLines: audit.auditLines, documents, logins, preferences, sealer })
  const { accessRecords } = audit
  const aboutHistory = { access, accessRecords, clock, commandHandler, documents, ids, log, nameOf, readYourWrites, sealer }
  const watching = createHistoryServices(aboutHistory)
  const libraries = createLibraries({
    access,
    commandHandler,
    documents,
    readYourWrites,
    ids,
    media,
    mediaRoots: options.mediaRoots,
    endScan: (...ask) => scans.end(...ask),
  })
  const libraryStatistics = createLibraryStatistics({ access, clock, documents, readYourWrites, store })
  const trickplay = createTrickplay({ access, store: ports.trickplay })
  const movies = createMovies({ access, documents, trickplay })
  const pictures = createPictures({
    access,
    clock,
    documents,
    media,
    stills: ports.stills,
    online,
    maker: ports.pictureMaker,
    store: ports.pictures,
  })
  const movieMarks = createMovieMarks({ access, clock, commandHandler, documents, readYourWrites })
  const imageKey = createImageKey(vault)
  const finder = online && createOnlineMatcher({ access, clock, commandHandler, imageKey, online, onError })
  const movieCorrections = createMovieEdits({ access, commandHandler, documents, finder, readYourWrites, movies })
  const catalogue = createFacetLists({ access, documents })
  const past = createAsOf({ clock, log, documents, snapshots: createSnapshots(ports.store), openStore: ports.openScratchStore })
  const scanRunner = createScanRunner({
    bus,
    clock,
    commandHandler,
    documents,
    readYourWrites,
    ids,
    imageKey,
    leases,
    media,
    readsWait: ports.readsWait,
    reader: ports.reader,
    node,
    width: options.probeWidth,
    onError,
  })
  const scans = createScans({
    access,
    bus,
    clock,
    commandHandler,
    documents,
    readYourWrites,
    ids,
    leases,
    log,
    run: (...asked) => scanRunner.run(...asked),
  })
  const host = createSessionHost({ bus, clock, commandHandler, idle: access.idle, leases, node })
  const whyUnseen = ports.servers.length > 0 ? createExplainMissing({ access, commandHandler }) : explainMissingAlone
  const audioGains = createAudioGains({ clock, loudness: ports.loudness, onError })
  const playback = createPlayback({
    access,
    commandHandler,
    documents,
    readYourWrites,
    host,
    ids,
    media,
    playlistTokens,
    sealer,
    audioGains,
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
      return (await commandHandler.load({ stream: playbackStream(sessionId), decider: playbackDecider })).started?.loginId
    },
  })
  const operators = createOperatorCommands({
    backups: audit.backups,
    historyImports: watching.historyImports,
    access,
    accounts,
    changes: accountChanges,
    clock,
    documents,
    readYourWrites,
    libraries,
    log: ports.wholeLog ?? log,
    openScratchStore: ports.openScratchStore,
    sealer,
    witness: audit.witness,
    rotateKey: audit.checkpoints.rotate,
    playback,
    scans,
    signIns,
    streamAccess,
    urls: options.urls,
  })
  return {
    ...reads,
    ...audit,
    ...watching,
    access,
    accountChanges,
    accounts,
    adminSeats,
    changes,
    commandHandler,
    destroyedKeys: createDestroyedKeys(sealer),
    documents,
    eventStreamPlaces,
    exportData,
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
    preferences,
    scanRunner,
    scans,
    sealer,
    signIns,
    signUps,
    audioGains,
    streamAccess,
    trickplay,
    users,
  }
}
