/** Keeps the state of sessions: their transaction, and the reply to their last write, which is returned to a retry. */
import type { Document } from 'mongodb'
import { failure, TRANSIENT } from './failures.ts'
import { keyOf, type Store, type Transaction } from './store.ts'

export interface Sessions {
  /** The command's transaction; starts it if the command says so. */
  transactionOf(command: Document): Transaction | undefined
  /** The earlier reply to the same retryable write. */
  answered(command: Document): Document | undefined
  remember(command: Document, answer: Document): void
  /** An error of a command aborts its transaction. */
  abort(command: Document): Document
  commit(command: Document): Document
}

interface Known {
  readonly number: string
  readonly transaction?: Transaction
  committed?: boolean
  answer?: Document
}

const SESSIONS_MAX = 10_000

const isRetryable = ({ lsid, txnNumber, autocommit }: Document): boolean =>
  lsid !== undefined && txnNumber !== undefined && autocommit !== false

export function createSessions(store: Store): Sessions {
  const sessions = new Map<string, Known>()
  const idOf = ({ lsid }: Document): string => keyOf((lsid as Document)['id'])

  function put(command: Document, known: Known): Known {
    sessions.set(idOf(command), known)
    const [oldest] = sessions.keys()
    if (sessions.size > SESSIONS_MAX && oldest) sessions.delete(oldest)
    return known
  }

  /** @throws NoSuchTransaction it was never started, or has been aborted */
  function current(command: Document): Known {
    const known = sessions.get(idOf(command))
    const isIt = known?.number === String(command['txnNumber'])
    if (isIt && (known.committed || (known.transaction && store.isOpen(known.transaction)))) return known
    throw failure('NoSuchTransaction', `Transaction ${String(command['txnNumber'])} has been aborted.`, [TRANSIENT])
  }

  return {
    transactionOf(command) {
      if (command['autocommit'] !== false) return undefined
      if (!command['startTransaction']) return current(command).transaction
      const before = sessions.get(idOf(command))?.transaction
      if (before) store.end(before)
      return put(command, { number: String(command['txnNumber']), transaction: store.begin() }).transaction
    },
    answered(command) {
      if (!isRetryable(command)) return undefined
      const known = sessions.get(idOf(command))
      return known?.number === String(command['txnNumber']) ? known.answer : undefined
    },
    remember(command, answer) {
      if (isRetryable(command)) put(command, { number: String(command['txnNumber']), answer })
    },
    abort(command) {
      const known = sessions.get(idOf(command))
      if (known?.transaction && !known.committed) store.end(known.transaction)
      return { ok: 1 }
    },
    commit(command) {
      const known = current(command)
      if (known.transaction && !known.committed) store.commit(known.transaction)
      known.committed = true
      return { ok: 1 }
    },
  }
}
