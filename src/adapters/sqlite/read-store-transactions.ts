/**
 * Transactions of the read store. Its file may only be older than the log, never different from it, so what can be made again from the log
 * need not be on disk at once: such steps share one transaction for a moment. This connection sees them immediately. A crash loses all of
 * the open transaction, documents and checkpoints alike, and the projector continues from the checkpoint that is on disk.
 *
 * While the disk has no room for it, the transaction stays open: reads go on, and see all of its steps. It takes more steps until it holds
 * as many documents as one may, and is put on disk when there is room.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../ports/clock.ts'
import { inTransaction } from './connection.ts'

export interface Transactions {
  /** Runs all or nothing, on disk at the return, after all earlier steps. @throws what `noRoom` returns: nothing has changed */
  now<Result>(this: void, run: () => Result): Result
  /** The same, but on disk only a moment later, or when there is room. */
  soon<Result>(this: void, step: Step<Result>): Result
  /** Whether there are steps that are not on disk yet. */
  isOpen(this: void): boolean
  /** Puts the open transaction on disk, or loses it. */
  end(this: void): void
}

export interface Step<Result> {
  /** Documents that it writes. */
  readonly weight: number
  /** Decides whether anything is written: a result or an error ends the step. */
  readonly check: () => Result | undefined
  /** If this fails, everything that is not on disk yet is lost, as if the commit had failed. */
  readonly write: () => Result
}

export interface TransactionsOptions {
  readonly db: DatabaseSync
  /** Undefined: every step is on disk at its return. */
  readonly clock: Pick<Clock, 'after'> | undefined
  /** Why a transaction that has written so many documents cannot be put on disk now. */
  readonly noRoom: (documents: number) => Error | undefined
  /** Called at the beginning of each transaction, inside of it. */
  readonly begun: () => void
  /** Called at its end, inside of it. */
  readonly ending: () => void
  /** Called when it is on disk. */
  readonly ended: () => void
  /** A transaction of its own failed, and was undone. */
  readonly undone: () => void
  /** The open transaction is gone, with all of its steps. */
  readonly lost: (cause: unknown) => void
}

/** How long a step may wait for others: a second start after a crash has to fold the events of this time again. */
const OPEN_MS = 250
/** Documents after which it does not wait: this bounds the pages that a transaction changes. */
const OPEN_DOCUMENTS = 2_000

interface State extends TransactionsOptions {
  /** Stops the timer of the open transaction; undefined: none is open. */
  disarm: (() => void) | undefined
  /** Documents written in it. */
  documents: number
}

export function createTransactions(options: TransactionsOptions): Transactions {
  const state: State = { ...options, disarm: undefined, documents: 0 }
  function now<Result>(run: () => Result): Result {
    flush(state)
    return whole(state, run)
  }
  return {
    now,
    soon(step) {
      const { weight, check, write } = step
      if (state.documents >= OPEN_DOCUMENTS) flush(state)
      if (!begin(state)) return now(() => check() ?? write())
      const result = check() ?? written(state, write)
      state.documents += weight
      if (isDue(state)) flush(state)
      return result
    },
    isOpen: () => state.disarm !== undefined,
    end: () => commit(state),
  }
}

/** False: steps do not wait here. */
function begin(state: State): boolean {
  const { db, clock, begun } = state
  if (!clock) return false
  if (state.disarm) return true
  db.exec('begin immediate')
  arm(state)
  begun()
  return true
}

function arm(state: State): void {
  state.disarm = state.clock?.after(OPEN_MS, () => flushLater(state))
}

/** A transaction of its own. */
function whole<Result>({ db, begun, ending, ended, undone }: State, run: () => Result): Result {
  try {
    const result = inTransaction(db, () => {
      begun()
      const made = run()
      ending()
      return made
    })
    ended()
    return result
  } catch (cause) {
    undone()
    throw cause
  }
}

/**
 * Adds to the open transaction. There is no savepoint: SQLite would copy each page before a step changes it, only to undo the step alone.
 */
function written<Result>(state: State, write: () => Result): Result {
  try {
    return write()
  } catch (cause) {
    lose(state, cause)
    throw cause
  }
}

/** Whether it should not wait for further steps: it is full, or another one like it might find no room. */
function isDue({ documents, noRoom }: State): boolean {
  const isFull = documents >= OPEN_DOCUMENTS || noRoom(2 * documents) !== undefined
  return isFull && noRoom(documents) === undefined
}

/** @throws what `noRoom` returns; the transaction stays open */
function flush(state: State): void {
  const cause = state.disarm && state.noRoom(state.documents)
  if (cause) throw cause
  commit(state)
}

function commit(state: State): void {
  const { db, ending, ended } = state
  if (!state.disarm) return
  try {
    ending()
    db.exec('commit')
  } catch (cause) {
    lose(state, cause)
    throw cause
  }
  close(state)
  ended()
}

function flushLater(state: State): void {
  try {
    flush(state)
  } catch {
    // The next step on what was lost reports it. What has no room yet stays open.
    if (state.disarm) arm(state)
  }
}

function lose(state: State, cause: unknown): void {
  if (state.db.isTransaction) state.db.exec('rollback')
  close(state)
  state.lost(cause)
}

function close(state: State): void {
  state.disarm?.()
  state.disarm = undefined
  state.documents = 0
}
