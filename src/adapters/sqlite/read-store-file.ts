/**
 * The file of the read store. Everything in it can be made again from the log, so a file that is damaged or of another version
 * is deleted and begun anew. What is seen to be damaged while running is marked, and gone at the next start.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { claim, connect, isDamage, kindOf } from './connection.ts'
import { READ_STORE } from './read-store-schema.ts'

const FAST = ['journal_mode = wal', 'synchronous = normal', 'wal_autocheckpoint = 4000', 'cache_size = -65536', 'temp_store = memory']

export function openReadStoreFile(file: string): DatabaseSync {
  if (existsSync(markOf(file))) remove(file)
  return open(file) ?? begin(file)
}

/** For errors of any statement: remembers that the file is damaged, so that the next start replaces it. */
export function markIfDamaged(file: string, error: unknown): void {
  if (isDamage(error)) writeFileSync(markOf(file), String(error))
}

/** Undefined where the file has to be begun anew. */
function open(file: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined
  try {
    db = connect(file, { pragmas: FAST })
    if (kindOf(db, READ_STORE) === 'older-or-newer') return close(db)
    claim(db, READ_STORE)
    return db
  } catch (error) {
    db?.close()
    if (isDamage(error)) return undefined
    throw error
  }
}

function close(db: DatabaseSync): undefined {
  db.close()
}

function begin(file: string): DatabaseSync {
  remove(file)
  const db = connect(file, { pragmas: FAST })
  claim(db, READ_STORE)
  return db
}

const markOf = (file: string): string => `${file}-damaged`

function remove(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`, markOf(file)]) rmSync(path, { force: true })
}
