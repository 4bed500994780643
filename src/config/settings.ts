/**
 * The settings: every name that the environment or `.env` may hold, its default, and what it means. The one table from which
 * the configuration is read and the help is printed.
 */
import { httpUrl, origin, roles } from './addresses.ts'
import { busEngine, documentEngine, eventLogEngine } from './engine-addresses.ts'
import {
  emailAddress,
  filePath,
  folderPair,
  folderPath,
  hostName,
  listOf,
  network,
  providerKey,
  signingSecret,
  sizeBytes,
} from './values.ts'
import { anyText, oneOf, textOf, wholeNumber } from './values.ts'
import type { Reader } from './reading.ts'

export interface Setting<Value> {
  readonly name: string
  /** As it would be written; undefined where there is none. */
  readonly standard: string | undefined
  readonly meaning: string
  readonly read: Reader<Value>
  /** Whether its value must not be shown: it lets somebody in. */
  readonly secret?: true
  /** Whether it may be a connection string, of which no more than the scheme may be shown. */
  readonly engine?: true
  /** Whether white space around the value belongs to it. */
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

/** A setting that may be missing; its meaning says what then holds. */
function may<Value>(name: string, read: Reader<Value>, meaning: string, form: Form = {}): Setting<Value | undefined> {
  return { name, standard: undefined, read, meaning, ...form }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const perMinute = wholeNumber(1, 1_000_000)

export const SETTINGS = {
  host: set('MARQUEE_HOST', '0.0.0.0', hostName, 'Address that the server listens on; 0.0.0.0 is every one of this machine.'),
  port: set(
    'MARQUEE_PORT',
    '8420',
    wholeNumber(0, 65_535),
    'Port that it listens on; 0 takes a free one, and the start-up text says which.',
  ),
  dataDir: set(
    'MARQUEE_DATA_DIR',
    './data',
    folderPath,
    'Folder of everything that is kept: log, read models, images, keys. Back this one up.',
  ),
  checkpointFile: may(
    'MARQUEE_CHECKPOINT_FILE',
    filePath,
    'File to which a signed checkpoint of the log is appended every hour and at each stop. Put it on another disk or host.',
  ),
  adminEmail: set('MARQUEE_ADMIN_EMAIL', 'admin@localhost', emailAddress, 'E-mail of the first account, made at the first start only.'),
  adminPassword: may(
    'MARQUEE_ADMIN_PASSWORD',
    textOf(8, 128),
    'Password of the first account. Without it a random one is made, and printed once.',
    SECRET,
  ),
  signUp: set(
    'MARQUEE_SIGN_UP',
    'off',
    oneOf(['off', 'first', 'open'] as const),
    'Who may make an account: off: administrators only; first: whoever comes first, as the first administrator; open: everybody.',
  ),
  setupToken: may('MARQUEE_SETUP_TOKEN', anyText, 'What the first sign-up must send. Without it: nothing more.', SECRET),
  secret: may(
    'MARQUEE_SECRET',
    signingSecret,
    'Signs stream tokens and cursors, at least 32 characters. Without it one is made at the first start; with an engine on a server ' +
      'every process but a transcode agent of its own must be given it.',
    SECRET,
  ),
  previousSecret: may('MARQUEE_PREVIOUS_SECRET', signingSecret, 'The secret before this one: what it signed still counts.', SECRET),
  eventLog: engine(
    'MARQUEE_EVENT_LOG',
    'sqlite:',
    eventLogEngine,
    'Engine of the event log; sqlite: is a file in the data folder. Or an EventStoreDB, such as esdb://host:2113?tls=false.',
  ),
  readStore: engine(
    'MARQUEE_READ_STORE',
    'sqlite:',
    documentEngine('mongodb://host:27017/marquee'),
    'Engine of the read models. Or a MongoDB database, such as mongodb://host:27017/marquee.',
  ),
  vault: engine(
    'MARQUEE_VAULT',
    'sqlite:',
    documentEngine('mongodb://host:27017/marquee_vault'),
    'Engine of password hashes, personal keys and shared counters; sqlite: is a file of its own. ' +
      'Or a MongoDB database of its own, such as mongodb://host:27017/marquee_vault.',
  ),
  blobs: may('MARQUEE_BLOBS', folderPath, 'Folder of images, preview pictures and media indexes. Without it: blobs in the data folder.'),
  bus: engine(
    'MARQUEE_BUS',
    'local:',
    busEngine,
    'Messages between processes; local: is inside this one. Or NATS servers, such as nats://host:4222.',
  ),
  roles: set(
    'MARQUEE_ROLES',
    'api,projector,agent',
    roles,
    'Which of the three this process runs. Fewer than all need engines that processes share.',
  ),
  apiUrl: may(
    'MARQUEE_API_URL',
    httpUrl,
    'Where a transcode agent of its own fetches films that it has not mounted, such as http://host:8420. Without it: nowhere.',
  ),
  pathMap: may(
    'MARQUEE_PATH_MAP',
    listOf(folderPair),
    'Where such an agent has them mounted, such as /films=/mnt/films. Without it: where the API nodes have them.',
  ),
  corsOrigins: may('MARQUEE_CORS_ORIGINS', listOf(origin), 'Origins of other web pages that browsers may call from. Without it: none.'),
  rateLimit: set('MARQUEE_RATE_LIMIT', '100', perMinute, 'Requests a minute for each user.'),
  speedtestRateLimit: set('MARQUEE_SPEEDTEST_RATE_LIMIT', '3', perMinute, 'Speed tests a minute for each user.'),
  sessionIdleSeconds: set(
    'MARQUEE_SESSION_IDLE_SECONDS',
    '120',
    wholeNumber(1, 86_400),
    'A playback session ends after so long without a heartbeat.',
  ),
  mediaRoots: may(
    'MARQUEE_MEDIA_ROOTS',
    listOf(folderPath),
    'Libraries may only lie below these folders, and agents open mounted films nowhere else. Without it: anywhere.',
  ),
  cacheBytes: set(
    'MARQUEE_CACHE_BYTES',
    '10 GB',
    sizeBytes,
    'Most that made segments take up on disk; resized pictures take a twentieth of it besides.',
  ),
  memoryCacheBytes: set('MARQUEE_MEMORY_CACHE_BYTES', '256 MB', sizeBytes, 'Most that they take up in memory.'),
  transcodeSlots: may(
    'MARQUEE_TRANSCODE_SLOTS',
    wholeNumber(1, 1000),
    'How much is transcoded at once. Without it: by the number of cores.',
  ),
  mediaWork: set(
    'MARQUEE_MEDIA_WORK',
    'here',
    oneOf(['here', 'agents'] as const),
    'Where ffmpeg and ffprobe read films for API nodes (scans, pictures, texts, loudness): here: in their own process; ' +
      'agents: in transcode agents alone.',
  ),
  trustedProxies: may('MARQUEE_TRUSTED_PROXIES', listOf(network), 'Reverse proxies whose X-Forwarded headers count. Without it: none.'),
  publicUrl: may(
    'MARQUEE_PUBLIC_URL',
    httpUrl,
    'Address under which people reach the server. Without it: from each request. With https cookies are Secure.',
  ),
  tmdbKey: may(
    'MARQUEE_TMDB_KEY',
    providerKey,
    'Key of The Movie Database (its API key, or its read access token), for online metadata. Without it: none is fetched.',
    { secret: true },
  ),
  tmdbUrl: may(
    'MARQUEE_TMDB_URL',
    httpUrl,
    'Where the API of The Movie Database is. Without it: the public one, https://api.themoviedb.org/3.',
  ),
  logLevel: set('MARQUEE_LOG_LEVEL', 'info', oneOf(LOG_LEVELS), `How much is logged: ${LOG_LEVELS.join(', ')}.`),
  ffmpegPath: may('FFMPEG_PATH', anyText, 'The ffmpeg to use. Without it: that of the PATH, else the packaged one.'),
  ffprobePath: may('FFPROBE_PATH', anyText, 'The ffprobe to use, in the same way.'),
}
