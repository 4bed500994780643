/** What the errors of the MongoDB driver mean. */
import {
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'
import { Late } from '../../flow/deadline.ts'

export const ENGINE = 'MongoDB'

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

/** The server was not there, or not there in time. What was to be done may have been done. */
export function meansAway(error: unknown): boolean {
  if (error instanceof MongoServerError && AWAY_CODES.has(Number(error.code))) return true
  return (
    error instanceof Late ||
    (error instanceof MongoError && AWAY_LABELS.some((label) => error.hasErrorLabel(label))) ||
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoOperationTimeoutError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoClientClosedError ||
    (error instanceof Error && (POOL_ERRORS.has(error.name) || ('code' in error && SOCKET_CODES.has(error.code))))
  )
}

/** There is a document with this `_id`, or another unique index forbids it. */
export const isDuplicateKey = (error: unknown): boolean => error instanceof MongoServerError && error.code === DUPLICATE_KEY_CODE

/** What was asked about a collection that nothing was ever stored in. */
export const isNoCollection = (error: unknown): boolean => error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND_CODE
