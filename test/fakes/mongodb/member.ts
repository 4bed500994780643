/**
 * The only member of the replica set: its reported state and its injected faults. While it is isolated, it is a primary that takes writes
 * without a majority. When it rejoins, the others' state wins and these writes are rolled back.
 */
import { ObjectId, Timestamp, type Document } from 'mongodb'
import { failure, RETRYABLE } from './failures.ts'
import type { Store } from './store.ts'

export const SET_NAME = 'rs0'

/** The format of mongod's `configureFailPoint`, with extensions of this fake. */
interface FailPoint {
  left: number
  readonly failCommands: readonly string[]
  readonly errorCode?: number
  readonly errorLabels?: readonly string[]
  readonly closeConnection?: boolean
  readonly writeConcernError?: Document
  /** Extension: the command runs, and its reply is lost or replaced. */
  readonly afterCommand?: boolean
  /** Extension: the change of the replica set's state at that moment. */
  readonly steer?: string
  /** Extension: it never replies. */
  readonly noAnswer?: boolean
}

export interface Member {
  hello(isLegacy: boolean): Document
  now(): Timestamp
  /** @throws NotWritablePrimary */
  checkPrimary(isRetryable: boolean): void
  isReached(): boolean
  isolate(): void
  /** A step-down, or an election after which it is primary again; rolls back writes without a majority. */
  rejoin(): void
  /** No primary until `rejoin`. */
  stepDown(): void
  configure(command: Document): void
  failPointFor(name: string): FailPoint | undefined
}

const MAX_BSON = 16_777_216
const MAX_MESSAGE = 48_000_000
const MAX_BATCH = 100_000
/** MongoDB 7.0. */
const WIRE_VERSION = 21
const SESSION_MINUTES = 30

export function createMember(port: number, store: Store): Member {
  const me = `127.0.0.1:${port}`
  let electionId = new ObjectId()
  let isPrimary = true
  let undo: (() => void) | undefined
  let failPoint: FailPoint | undefined
  let ticks = 0

  return {
    hello: (isLegacy) => ({
      ...(isLegacy ? { ismaster: isPrimary } : { isWritablePrimary: isPrimary }),
      helloOk: true,
      secondary: !isPrimary,
      setName: SET_NAME,
      setVersion: 1,
      electionId: isPrimary ? electionId : undefined,
      hosts: [me],
      me,
      primary: isPrimary ? me : undefined,
      maxBsonObjectSize: MAX_BSON,
      maxMessageSizeBytes: MAX_MESSAGE,
      maxWriteBatchSize: MAX_BATCH,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: SESSION_MINUTES,
      minWireVersion: 0,
      maxWireVersion: WIRE_VERSION,
      readOnly: false,
      ok: 1,
    }),
    now: () => new Timestamp({ t: Math.floor(Date.now() / 1_000), i: ++ticks }),
    checkPrimary(isRetryable) {
      if (!isPrimary) throw failure('NotWritablePrimary', 'not primary', isRetryable ? [RETRYABLE] : [])
    },
    isReached: () => undo === undefined,
    isolate: () => void (undo ??= store.mark()),
    rejoin() {
      store.endAll()
      undo?.()
      undo = undefined
      isPrimary = true
      electionId = new ObjectId()
    },
    stepDown() {
      store.endAll()
      isPrimary = false
    },
    configure({ mode, data = {} }) {
      const times = mode === 'alwaysOn' ? Infinity : Number((mode as Document)['times'] ?? 0)
      failPoint = mode === 'off' ? undefined : { left: times, failCommands: [], ...(data as Document) }
    },
    failPointFor(name) {
      if (!failPoint?.failCommands.includes(name) || failPoint.left <= 0) return undefined
      failPoint.left--
      return failPoint
    },
  }
}
