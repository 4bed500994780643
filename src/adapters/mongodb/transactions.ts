/** Runs transactions on servers that have them, with a few retries if another one conflicted or a server changed its role. */
import { MongoError, type ClientSession, type TransactionOptions } from 'mongodb'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import type { MongoConnection } from './connection.ts'

export interface TransactionDependencies {
  readonly connection: Pick<MongoConnection, 'client' | 'engine'>
  readonly clock: Pick<Clock, 'sleep'>
}

const OPTIONS: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5_000 },
  maxCommitTimeMS: 10_000,
}
const TRIES_MAX = 6
const PAUSE_MS = 20

/**
 * Does the work in one transaction, unless the work returns false: then it is rolled back. @throws ServerUnavailable it was rolled back, or
 * the outcome is unknown
 */
export async function inTransaction(
  { connection, clock }: TransactionDependencies,
  work: (session: ClientSession) => Promise<boolean>,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(connection, work)
    } catch (error) {
      if (!isLabelled(error, 'TransientTransactionError') && !isLabelled(error, UNKNOWN)) throw error
      // A transaction that may have been committed is not retried: the second attempt's answer would be wrong.
      if (tries === TRIES_MAX || isLabelled(error, UNKNOWN)) throw new ServerUnavailable(connection.engine.name, { cause: error })
    }
    await clock.sleep(PAUSE_MS * tries)
  }
}

async function once(
  { client }: TransactionDependencies['connection'],
  work: (session: ClientSession) => Promise<boolean>,
): Promise<boolean> {
  const session = client.startSession()
  try {
    session.startTransaction(OPTIONS)
    if (!(await work(session))) return false
    await commit(session)
    return true
  } finally {
    // Ending the session aborts any open transaction.
    await session.endSession()
  }
}

const UNKNOWN = 'UnknownTransactionCommitResult'

/** May be repeated: a server commits only once. */
async function commit(session: ClientSession): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await session.commitTransaction()
    } catch (error) {
      if (!isLabelled(error, UNKNOWN) || isLabelled(error, 'TransientTransactionError') || tries === TRIES_MAX) throw error
    }
  }
}

const isLabelled = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label)
