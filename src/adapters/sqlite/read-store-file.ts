/**
 * The file of the read store. Everything in it can be rebuilt from the log, so a file that is damaged or of an older version is replaced by
 * an empty one. A file of a newer version is refused: the log beside it is of a newer version, too. If damage is detected at run time, the
 * file is marked and replaced at the next start.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { claim, connect, connectUntouched, isDamage, kindOf } from './connection.ts'
import { removeDatabase, setAside as setDamagedAside } from './damaged-file.ts'
import { READ_STORE } from './read-store-schema.ts'

/** In KiB. The system caches the file, too: over 20,000 films four times as much saves no measurable CPU time (docs/performance.md). */
const CACHE = 'cache_size = -16384'
/**
 * SQLite copies 4,000 pages into the file at a commit, unless a thread does (journal-checkpoints.ts). A large transaction makes the journal
 * longer; what is beyond these pages is given back once the journal begins again.
 */
const JOURNAL = ['journal_mode = wal', 'wal_autocheckpoint = 4000', 'journal_size_limit = 16384000']
const FAST = [...JOURNAL, 'synchronous = normal', CACHE, 'temp_store = memory']

export function openReadStoreFile(file: string): DatabaseSync {
  if (existsSync(markOf(file))) setAside(file)
  return open(file) ?? begin(file)
}

/** The file of a stopped server, read-only and unchanged. @throws Error it is not of this version */
export function openReadStoreUntouched(file: string): DatabaseSync {
  const db = connectUntouched(file)
  const kind = kindOf(db, READ_STORE)
  if (kind === 'known') return db
  db.close()
  throw new Error(`${file} holds no read models of this version (${kind})`)
}

function setAside(file: string): void {
  setDamagedAside(file, 'the read models are rebuilt from the event log')
  rmSync(markOf(file), { force: true })
}

/** For errors of any statement: marks the file as damaged, so that the next start replaces it. */
export function markIfDamaged(file: string, error: unknown): void {
  if (isDamage(error)) writeFileSync(markOf(file), String(error))
}

/** Undefined if the file must be replaced. */
function open(file: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined
  try {
    db = connect(file, { pragmas: FAST })
    if (kindOf(db, READ_STORE) === 'older') return close(db)
    claim(db, READ_STORE)
    return db
  } catch (error) {
    db?.close()
    if (!isDamage(error)) throw error
    setAside(file)
    return undefined
  }
}

function close(db: DatabaseSync): undefined {
  db.close()
}

function begin(file: string): DatabaseSync {
  removeDatabase(file)
  const db = connect(file, { pragmas: FAST })
  claim(db, READ_STORE)
  return db
}

const markOf = (file: string): string => `${file}-damaged`
