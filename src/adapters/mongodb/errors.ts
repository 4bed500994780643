/** What the errors of the MongoDB driver mean. */
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
  11, // UserNotFound: it does not let us in, until somebody puts that right
  13, // Unauthorized
  18, // AuthenticationFailed
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout: there are too few others to confirm it
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern: too few others are known
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet: a set that has only just begun
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  262, // ExceededTimeLimit
  317, // ConnectionPoolExpired
  365, // TemporarilyUnavailable
  384, // ConnectionError
  391, // ReauthenticationRequired
  462, // IngressRequestRateLimitExceeded
  8000, // Of Atlas, for what it does not let in
  9001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
])
/** What servers and the driver mark an error with that passes. */
const AWAY_LABELS = ['RetryableWriteError', 'SystemOverloadedError', 'ResetPool']
/**
 * Of sockets: the driver lets some of their errors through as they are, such as those of writing to one that was just closed. And of
 * DNS, which `mongodb+srv:` asks for the servers.
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

/** Causes within causes are followed so far. */
const DEPTH_MAX = 8

/** The server was not there, or not there in time. What was to be done may have been done. */
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

/** The error's own code; of a bulk write also those of its writes and of its write concern, which the driver keeps apart. */
function codesOf(error: unknown): readonly number[] {
  if (!(error instanceof MongoServerError)) return []
  const ofWriteConcern = [error.errorResponse.writeConcernError, writeConcernErrorOf(error)]
  const ofWrites = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  return [error, ...ofWriteConcern, ...ofWrites].flatMap((one) => (one?.code === undefined ? [] : [Number(one.code)]))
}

/** That too few servers have confirmed a bulk write; it may stand beside errors of its writes, of which alone the driver tells. */
export const writeConcernErrorOf = (error: MongoServerError): { readonly code?: number | undefined } | undefined =>
  error instanceof MongoBulkWriteError ? (error.err ?? error.result?.getWriteConcernError()) : undefined

/** What the driver wraps: the cause, the error that ended a bulk write, or those that an attempt gathered. */
function partsOf(error: unknown): readonly unknown[] {
  if (error instanceof AggregateError) return error.errors
  const ended: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : undefined
  const cause = error instanceof Error ? error.cause : undefined
  return [ended, cause].filter((part) => part instanceof Error)
}

/** There is a document with this `_id`, or another unique index forbids it. */
export const isDuplicateKey = (error: unknown): boolean => error instanceof MongoServerError && error.code === DUPLICATE_KEY_CODE

/** What was asked about a collection that nothing was ever stored in. */
export const isNoCollection = (error: unknown): boolean => error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND_CODE

/** Of a collection that was to be made. */
export const isThereAlready = (error: unknown): boolean => error instanceof MongoServerError && error.code === NAMESPACE_EXISTS_CODE
