/**
 * Defines the settings: every name in the environment or `.env`, its default, and its meaning. The configuration and the help are both
 * generated from this one table.
 */
import { hostAndPort, httpUrl, issuerUrl, origin, roles, siteUrl } from './addresses.ts'
import { busEngine, documentEngine, eventLogEngine } from './engine-addresses.ts'
import {
  emailAddress,
  filePath,
  folderPair,
  folderPath,
  groupAndLibrary,
  header,
  hostName,
  listOf,
  network,
  providerKey,
  share,
  signingSecret,
  sizeBytes,
} from './values.ts'
import { sendfile } from './sendfile.ts'
import { anyText, oneOf, textOf, wholeNumber } from './values.ts'
import type { Reader } from './reading.ts'

export interface Setting<Value> {
  readonly name: string
  /** The default in written form; undefined if there is none. */
  readonly standard: string | undefined
  readonly meaning: string
  readonly read: Reader<Value>
  /** Whether its value is a secret, which must not be shown. */
  readonly secret?: true
  /** Whether it may be a connection string, of which only the scheme may be shown. */
  readonly engine?: true
  /** Whether white space around the value is part of it. */
  readonly verbatim?: true
}

type Form = Pick<Setting<unknown>, 'secret' | 'verbatim'>
const SECRET = { secret: true, verbatim: true } as const

/** A setting with a default. */
const set = <Value>(name: string, standard: string, read: Reader<Value>, meaning: string): Setting<Value> => ({
  name,
  standard,
  read,
  meaning,
})

/** A setting that names an engine. */
const engine = (...parts: Parameters<typeof set<string>>): Setting<string> => ({ ...set(...parts), engine: true })

/** An optional setting; its meaning describes the behaviour without it. */
function may<Value>(name: string, read: Reader<Value>, meaning: string, form: Form = {}): Setting<Value | undefined> {
  return { name, standard: undefined, read, meaning, ...form }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const perMinute = wholeNumber(1, 1_000_000)

export const SETTINGS = {
  host: set('MARQUEE_HOST', '0.0.0.0', hostName, 'Address to listen on; 0.0.0.0 is every address of this machine.'),
  port: set('MARQUEE_PORT', '8420', wholeNumber(0, 65_535), 'Port to listen on; 0 takes a free port, which the start-up text names.'),
  dataDir: set('MARQUEE_DATA_DIR', './data', folderPath, 'Folder of all data: log, read models, images, keys. Back it up.'),
  checkpointFile: may(
    'MARQUEE_CHECKPOINT_FILE',
    filePath,
    'File to which a signed checkpoint of the log is appended every hour and at each stop. Put it on another disk or host.',
  ),
  backupDir: may(
    'MARQUEE_BACKUP_DIR',
    folderPath,
    'Folder into which the server backs up by itself. Put it on another disk or host. Default: it makes no backups by itself.',
  ),
  backupKeep: set('MARQUEE_BACKUP_KEEP', '14', wholeNumber(1, 10_000), 'Backups that this folder keeps.'),
  backupHours: set('MARQUEE_BACKUP_HOURS', '24', wholeNumber(1, 8_760), 'Hours from one backup to the next.'),
  backupPassphrase: may(
    'MARQUEE_BACKUP_PASSPHRASE',
    textOf(8, 1_024),
    'Passphrase with which backups are encrypted and restored. Default: they are not encrypted.',
    SECRET,
  ),
  adminEmail: set(
    'MARQUEE_ADMIN_EMAIL',
    'admin@localhost',
    emailAddress,
    'E-mail address of the first account, which the first start creates.',
  ),
  adminPassword: may(
    'MARQUEE_ADMIN_PASSWORD',
    textOf(8, 128),
    'Password of the first account. Default: a random one, printed once.',
    SECRET,
  ),
  signUp: set(
    'MARQUEE_SIGN_UP',
    'off',
    oneOf(['off', 'first', 'open'] as const),
    'Who may create an account: off: administrators only; first: the first person, as administrator; open: everybody.',
  ),
  setupToken: may('MARQUEE_SETUP_TOKEN', anyText, 'Token that the first sign-up must send. Default: none is needed.', SECRET),
  oidcIssuer: may(
    'MARQUEE_OIDC_ISSUER',
    issuerUrl,
    'OpenID Connect provider at which people may sign in, such as https://login.example.org. Default: there is none.',
  ),
  oidcClientId: may('MARQUEE_OIDC_CLIENT_ID', textOf(1, 255), 'Client id of this server at the provider.'),
  oidcClientSecret: may(
    'MARQUEE_OIDC_CLIENT_SECRET',
    textOf(1, 1_024),
    'Client secret of this server at the provider. Default: it is a public client.',
    SECRET,
  ),
  oidcName: set('MARQUEE_OIDC_NAME', 'single sign-on', textOf(1, 60), 'Name of the provider on the sign-in page.'),
  oidcScopes: set('MARQUEE_OIDC_SCOPES', 'openid profile email', textOf(1, 255), 'Scopes that the provider is asked for.'),
  oidcSignUp: set(
    'MARQUEE_OIDC_SIGN_UP',
    'off',
    oneOf(['off', 'on'] as const),
    'Whether somebody unknown who signs in at the provider gets an account.',
  ),
  oidcLinkByEmail: set(
    'MARQUEE_OIDC_LINK_BY_EMAIL',
    'off',
    oneOf(['off', 'on'] as const),
    "on: the provider's verified e-mail addresses decide whose account it is; off: linking an account takes its password once.",
  ),
  oidcGroupsClaim: set('MARQUEE_OIDC_GROUPS_CLAIM', 'groups', textOf(1, 255), "Claim with the person's groups."),
  oidcUsers: may('MARQUEE_OIDC_USERS', listOf(textOf(1, 200)), 'Groups whose members may sign in at the provider. Default: everybody.'),
  oidcAdmins: may(
    'MARQUEE_OIDC_ADMINS',
    listOf(textOf(1, 200)),
    'Groups whose members are administrators; others become users when they sign in. Default: the provider does not decide.',
  ),
  oidcLibraries: may(
    'MARQUEE_OIDC_LIBRARIES',
    listOf(groupAndLibrary),
    'Libraries of each group, such as family=Films,kids=Cartoons. Default: the provider does not decide.',
  ),
  secret: may(
    'MARQUEE_SECRET',
    signingSecret,
    'Signs stream tokens and cursors; at least 32 characters. Default: the first start creates one. With an engine on a server, ' +
      'every process except separate transcode agents needs the same secret.',
    SECRET,
  ),
  previousSecret: may('MARQUEE_PREVIOUS_SECRET', signingSecret, 'The previous secret: what it signed stays valid.', SECRET),
  eventLog: engine(
    'MARQUEE_EVENT_LOG',
    'sqlite:',
    eventLogEngine,
    'Event log: sqlite: for a file in the data folder, or an EventStoreDB such as esdb://host:2113?tls=false.',
  ),
  readStore: engine(
    'MARQUEE_READ_STORE',
    'sqlite:',
    documentEngine('mongodb://host:27017/marquee'),
    'Read models: sqlite: for a file in the data folder, or a MongoDB database such as mongodb://host:27017/marquee.',
  ),
  vault: engine(
    'MARQUEE_VAULT',
    'sqlite:',
    documentEngine('mongodb://host:27017/marquee_vault'),
    'Password hashes, personal keys and shared counters: sqlite: for a file in the data folder, ' +
      'or a separate MongoDB database such as mongodb://host:27017/marquee_vault.',
  ),
  blobs: may('MARQUEE_BLOBS', folderPath, 'Folder of images, thumbnails and media indexes. Default: blobs in the data folder.'),
  bus: engine('MARQUEE_BUS', 'local:', busEngine, 'Message bus: local: for this process only, or NATS servers such as nats://host:4222.'),
  roles: set('MARQUEE_ROLES', 'api,projector,agent', roles, 'Roles of this process. Separate roles need engines that all processes share.'),
  apiUrl: may(
    'MARQUEE_API_URL',
    httpUrl,
    'API node from which a separate transcode agent fetches films that it has not mounted, such as http://host:8420. Default: none.',
  ),
  pathMap: may(
    'MARQUEE_PATH_MAP',
    listOf(folderPair),
    'Where such an agent has films mounted, such as /films=/mnt/films. Default: the same folders as on the API nodes.',
  ),
  corsOrigins: may('MARQUEE_CORS_ORIGINS', listOf(origin), 'Origins of other web pages that may call the API. Default: none.'),
  rateLimit: set('MARQUEE_RATE_LIMIT', '100', perMinute, 'Requests a minute for each user.'),
  speedtestRateLimit: set('MARQUEE_SPEEDTEST_RATE_LIMIT', '3', perMinute, 'Speed tests a minute for each user.'),
  sessionIdleSeconds: set(
    'MARQUEE_SESSION_IDLE_SECONDS',
    '120',
    wholeNumber(1, 86_400),
    'Seconds without a heartbeat after which a playback session ends.',
  ),
  passwordCost: set(
    'MARQUEE_PASSWORD_COST',
    '15',
    wholeNumber(10, 18),
    "Cost of checking a password: the power of two of scrypt's N. 15 takes 32 MB and a quarter of a second, one more takes twice as " +
      'much. With less, stolen hashes are easier to guess.',
  ),
  mediaRoots: may(
    'MARQUEE_MEDIA_ROOTS',
    listOf(folderPath),
    'Libraries must be below these folders, and agents open mounted films only there. Default: anywhere.',
  ),
  cacheBytes: set(
    'MARQUEE_CACHE_BYTES',
    '10 GB',
    sizeBytes,
    'Disk space for cached segments. Resized images may take another twentieth of it.',
  ),
  memoryCacheBytes: set('MARQUEE_MEMORY_CACHE_BYTES', '256 MB', sizeBytes, 'Memory for cached segments.'),
  transcodeSlots: may('MARQUEE_TRANSCODE_SLOTS', wholeNumber(1, 1000), 'Transcode slots. Default: by the number of cores.'),
  encoderTests: set(
    'MARQUEE_ENCODER_TESTS',
    'on',
    oneOf(['on', 'off'] as const),
    'Whether idle agents test their video encoders, a second of processor time each. off: films are encoded in software.',
  ),
  mediaWork: set(
    'MARQUEE_MEDIA_WORK',
    'here',
    oneOf(['here', 'agents'] as const),
    'Where ffmpeg and ffprobe read films for scans, images, subtitles and loudness: here: on the API node; ' +
      'agents: on transcode agents only.',
  ),
  trustedProxies: may('MARQUEE_TRUSTED_PROXIES', listOf(network), 'Reverse proxies whose X-Forwarded headers are trusted. Default: none.'),
  sendfile: may(
    'MARQUEE_SENDFILE',
    sendfile,
    'Leaves sending films and cached segments to the reverse proxy: x-accel-redirect:/marquee-files for nginx, where it is an internal ' +
      'location, or x-sendfile. Default: the server sends them itself.',
  ),
  publicUrl: may(
    'MARQUEE_PUBLIC_URL',
    siteUrl,
    'Public URL of the server, without a path. Default: taken from each request. With https, cookies are Secure.',
  ),
  tmdbKey: may(
    'MARQUEE_TMDB_KEY',
    providerKey,
    'Key of The Movie Database (API key or read access token), for online metadata. Default: no online metadata.',
    { secret: true },
  ),
  tmdbUrl: may('MARQUEE_TMDB_URL', httpUrl, 'URL of the API of The Movie Database. Default: https://api.themoviedb.org/3.'),
  webhookAllow: may(
    'MARQUEE_WEBHOOK_ALLOW',
    listOf(network),
    'Addresses and networks that webhooks may reach although they are not public, such as 192.168.1.0/24. Default: none.',
  ),
  metrics: may(
    'MARQUEE_METRICS',
    hostAndPort,
    'Address on which /metrics is served for Prometheus, such as 127.0.0.1:9464. Default: there are no metrics.',
  ),
  metricsToken: may(
    'MARQUEE_METRICS_TOKEN',
    providerKey,
    'Bearer token that /metrics needs. An address that other machines reach must have one.',
    SECRET,
  ),
  otlpEndpoint: may(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    httpUrl,
    'OpenTelemetry collector that traces are sent to, such as http://127.0.0.1:4318. Default: nothing is traced.',
  ),
  otlpHeaders: may(
    'OTEL_EXPORTER_OTLP_HEADERS',
    listOf(header),
    'Headers for the collector, such as authorization=Bearer%20abc, separated by commas. Default: none.',
    SECRET,
  ),
  serviceName: set('OTEL_SERVICE_NAME', 'marquee', textOf(1, 255), 'Name of this program in traces.'),
  traceShare: set('OTEL_TRACES_SAMPLER_ARG', '1', share, 'Share of the requests that are traced, from 0 to 1.'),
  logLevel: set('MARQUEE_LOG_LEVEL', 'info', oneOf(LOG_LEVELS), `How much is logged: ${LOG_LEVELS.join(', ')}.`),
  ffmpegPath: may('FFMPEG_PATH', anyText, 'The ffmpeg to use. Without it: that of the PATH, else the packaged one.'),
  ffprobePath: may('FFPROBE_PATH', anyText, 'The ffprobe to use, in the same way.'),
}
