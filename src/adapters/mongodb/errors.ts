/** Classifies the errors of the MongoDB driver. */
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'
import { TimedOut } from '../../concurrency/timeout.ts'

export const SERVER = 'MongoDB'

/** The pool's own, which the driver does not export. */
const POOL_ERRORS: ReadonlySet<string> = new Set(['MongoWaitQueueTimeoutError', 'MongoPoolClosedError', 'MongoPoolClearedError'])

/** MongoDB's error codes: src/mongo/base/error_codes.yml. */
const AWAY_CODES: ReadonlySet<number> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  11, // UserNotFound: no access until somebody fixes it
  13, // Unauthorized
  18, // AuthenticationFailed
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout: too few other servers confirm it
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern: too few other servers are known
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet: a set that has just started
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  262, // ExceededTimeLimit
  317, // ConnectionPoolExpired
  365, // TemporarilyUnavailable
  384, // ConnectionError
  391, // ReauthenticationRequired
  462, // IngressRequestRateLimitExceeded
  8000, // Atlas's code for refused access
  9001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
])
/** Labels of servers and the driver for temporary errors. */
const AWAY_LABELS = ['RetryableWriteError', 'SystemOverloadedError', 'ResetPool']
/**
 * Socket errors: the driver passes some of them through unchanged, such as those of writing to a socket just closed. And DNS errors:
 * `mongodb+srv:` looks up the servers by DNS.
 */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENODATA',
  'ESERVFAIL',
  'EREFUSED',
  'ETIMEOUT',
  'ECANCELLED',
])
const DUPLICATE_KEY_CODE = 11_000
const NAMESPACE_NOT_FOUND_CODE = 26
const NAMESPACE_EXISTS_CODE = 48

/** Most nested causes to follow. */
const DEPTH_MAX = 8

/** The server was unavailable, or not available in time. The operation may have been carried out. */
export function meansUnavailable(error: unknown, depth = 0): boolean {
  if (depth > DEPTH_MAX) return false
  if (codesOf(error).some((code) => AWAY_CODES.has(code))) return true
  return isAwayItself(error) || partsOf(error).some((part) => meansUnavailable(part, depth + 1))
}

const isAwayItself = (error: unknown): boolean =>
  error instanceof TimedOut ||
  (error instanceof MongoError && AWAY_LABELS.some((label) => error.hasErrorLabel(label))) ||
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof MongoNotConnectedError ||
  error instanceof MongoOperationTimeoutError ||
  error instanceof MongoTopologyClosedError ||
  error instanceof MongoClientClosedError ||
  (error instanceof Error && (POOL_ERRORS.has(error.name) || ('code' in error && SOCKET_CODES.has(error.code))))

/** The error's own code; for a bulk write also those of its writes and of its write concern, which the driver keeps separately. */
function codesOf(error: unknown): readonly number[] {
  if (!(error instanceof MongoServerError)) return []
  const ofWriteConcern = [error.errorResponse.writeConcernError, writeConcernErrorOf(error)]
  const ofWrites = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  return [error, ...ofWriteConcern, ...ofWrites].flatMap((one) => (one?.code === undefined ? [] : [Number(one.code)]))
}

/**
 * The error that too few servers have confirmed a bulk write; it may accompany errors of its writes, which are all that the driver reports.
 */
export const writeConcernErrorOf = (error: MongoServerError): { readonly code?: number | undefined } | undefined =>
  error instanceof MongoBulkWriteError ? (error.err ?? error.result?.getWriteConcernError()) : undefined

/** The errors inside a driver error: the cause, the error that ended a bulk write, or those collected by an attempt. */
function partsOf(error: unknown): readonly unknown[] {
  if (error instanceof AggregateError) return error.errors
  const ended: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : undefined
  const cause = error instanceof Error ? error.cause : undefined
  return [ended, cause].filter((part) => part instanceof Error)
}

/** A document with this `_id` exists, or another unique index forbids it. */
export const isDuplicateKey = (error: unknown): boolean => error instanceof MongoServerError && error.code === DUPLICATE_KEY_CODE

/** A command on a collection in which nothing was ever stored. */
export const isNoCollection = (error: unknown): boolean => error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND_CODE

/** Creation of an existing collection. */
export const isThereAlready = (error: unknown): boolean => error instanceof MongoServerError && error.code === NAMESPACE_EXISTS_CODE
