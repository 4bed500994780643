/**
 * Sends one append to the server. It retries at once if the server has surely not stored it. It also retries if the server dropped it
 * because another node's identical append was just being stored (reported only after 2 to 3 s, by `ABORTED`).
 */
import { setImmediate } from 'node:timers/promises'
import {
  DeadlineExceededError,
  ErrorType,
  NO_STREAM,
  NotLeaderError,
  TimeoutError,
  WrongExpectedVersionError,
  isCommandError,
  type JSONEventData,
} from '@eventstore/db-client'
import { toPosition } from '../../events/position.ts'
import { TimedOut, withTimeout } from '../../concurrency/timeout.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { AppendRefused, Conflict, OutcomeUnknown, type Appended, type Expected } from '../../ports/event-log.ts'
import type { Connection } from './connection.ts'
import { NAME, neverSent } from './refusals.ts'

export interface Order {
  readonly stream: string
  readonly expected: Expected
  readonly list: JSONEventData[]
  readonly timeoutMs: number
  /** Whether a second request may be sent before the server has answered. */
  readonly mayRepeat: () => boolean
}

/** Nearly every append is answered by then; 10 ms after the first request the same append is answered as a repeat. */
const REPEAT_AFTER_MS = 400
const TRIES = 5

/** @throws Conflict, AppendRefused, ServerUnavailable (nothing was stored), OutcomeUnknown */
export async function sendAppend(connection: Connection, order: Order): Promise<Appended> {
  const { clock, outage, leader } = connection
  const untilMs = clock.monotonic() + order.timeoutMs
  const answered = leader.awaitAnswer()
  try {
    for (let tries = 1; ; tries++) {
      const leftMs = untilMs - clock.monotonic()
      try {
        const appended = await twice(connection, order, leftMs)
        outage.ended()
        return appended
      } catch (error) {
        const isLast = tries === TRIES || untilMs <= clock.monotonic()
        if (isLast || !isWorthRepeating(connection, error)) throw meaningOf(error, order)
        // The driver switches to the leader only after it has reported which node that is.
        await setImmediate()
      }
    }
  } catch (error) {
    if (error instanceof Conflict || error instanceof AppendRefused) outage.ended()
    else outage.began()
    if (error instanceof OutcomeUnknown && isLate(error.cause)) leader.doubt()
    throw error
  } finally {
    answered()
  }
}

function isWorthRepeating({ client, leader }: Connection, error: unknown): boolean {
  if (error instanceof NotLeaderError) leader.left(client)
  return error instanceof NotLeaderError || (error instanceof TimeoutError && error.message.includes('Commit phase timeout'))
}

/**
 * Sends a second request if the first one is not answered in time. The first answer counts; an error only when no other answer can come.
 */
async function twice(connection: Connection, order: Order, leftMs: number): Promise<Appended> {
  const { clock } = connection
  const first = sendOnce(connection, order, leftMs)
  const again = Promise.withResolvers<Appended>()
  // The second request's outcome matters only while the first one is unanswered.
  again.promise.catch(() => {})
  let isAgain = false
  const disarm = clock.after(REPEAT_AFTER_MS, () => {
    isAgain = leftMs > REPEAT_AFTER_MS && order.mayRepeat()
    if (isAgain) void sendOnce(connection, order, leftMs - REPEAT_AFTER_MS).then(again.resolve, again.reject)
  })
  const firstEnd = first.catch((error: unknown) => {
    if (!isAgain || isKnown(error)) throw error
    return again.promise
  })
  const againEnd = again.promise.catch((error: unknown) => {
    if (isKnown(error)) throw error
    return first
  })
  try {
    return await Promise.race([firstEnd, againEnd])
  } finally {
    disarm()
    for (const end of [firstEnd, againEnd]) end.catch(() => {})
  }
}

/** The driver's own deadline, or our timeout. */
const isLate = (error: unknown): boolean => error instanceof TimedOut || error instanceof DeadlineExceededError

const isKnown = (error: unknown): boolean => error instanceof WrongExpectedVersionError

async function sendOnce({ client, clock, credentials }: Connection, order: Order, ms: number): Promise<Appended> {
  const { stream, expected, list } = order
  const expectedRevision = expected === 'absent' ? NO_STREAM : BigInt(expected)
  // The driver's deadline does not cover finding the server.
  const call = client.appendToStream(stream, list, { expectedRevision, credentials, requiresLeader: true, deadline: ms })
  const { nextExpectedRevision, position } = await withTimeout(call, { clock, ms, message: `No answer for ${ms} ms` })
  return { revision: Number(nextExpectedRevision), ...(position && { position: toPosition(position.commit) }) }
}

/** Any error that is not a known refusal may mean that it was stored. */
function meaningOf(error: unknown, { stream, expected }: Order): Error {
  if (error instanceof WrongExpectedVersionError) {
    const actual = error.actualVersion
    return new Conflict(stream, expected, typeof actual === 'bigint' && actual >= 0n ? Number(actual) : 'absent')
  }
  if (neverSent(error)) return new ServerUnavailable(NAME, { cause: error })
  if (error instanceof Error && isCommandError(error)) {
    const { type, message } = error
    if (type === ErrorType.STREAM_DELETED) return new AppendRefused(`Stream ${stream} was deleted for good`, { cause: error })
    if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) return new AppendRefused('More data than the server takes', { cause: error })
    if (type === ErrorType.UNKNOWN && message.includes('Could not recognize BadRequest'))
      return new AppendRefused(message, { cause: error })
  }
  return new OutcomeUnknown('EventStoreDB did not confirm the append: its outcome is unknown', { cause: error })
}
