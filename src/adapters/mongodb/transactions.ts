/** Transactions, of servers that have them: made again a few times where another one was in the way or a server changed its role. */
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
 * Does the work in one transaction, unless the work says false: then nothing of it is kept.
 * @throws ServerUnavailable nothing of it is kept, or nobody can say
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
      // What may have been kept is not made again: its answer would be that of the second.
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
    // Whatever is open is given up with the session.
    await session.endSession()
  }
}

const UNKNOWN = 'UnknownTransactionCommitResult'

/** May be asked again and again: a server does it once. */
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
