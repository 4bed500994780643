/**
 * Vault in a separate SQLite file that only its owner may read. It uses a rollback journal instead of a write-ahead log: after a key is
 * destroyed and its page overwritten (`secure_delete`), no file contains it any more.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { KeyDestroyed, type Vault, type VaultContents } from '../../ports/vault.ts'
import { claim, connect, connectUntouched, inTransaction, type FileKind } from './connection.ts'
import { knownFiles, missedFile } from './same-files.ts'
import { createStatements, type Statements } from './statements.ts'
import { filesGone, onFile } from './storage-trouble.ts'

const SECRET_BYTES = 32
const OWNER_ONLY = 0o600

/** EXTRA: with a rollback journal, only this survives a power cut (the folder is synced after the journal is removed). */
const SAFE = ['journal_mode = delete', 'synchronous = extra', 'secure_delete = on', 'temp_store = memory']

/** `MQva`; a key that is null was destroyed. */
export const VAULT: FileKind = {
  applicationId: 0x4d517661,
  version: 1,
  tables: `
    create table keys (subject text primary key, key blob) strict, without rowid;
    create table password_hashes (
      user_id text not null, version integer not null, hash text not null, primary key (user_id, version)) strict, without rowid;
    create table secrets (name text primary key, secret blob not null) strict, without rowid;
  `,
}

export interface SqliteVaultOptions {
  readonly file: string
  /** Read-only: leaves the file of a stopped server unchanged. */
  readonly untouched?: boolean
}

export function createSqliteVault({ file, untouched = false }: SqliteVaultOptions): Vault {
  const db = onFile(file, () => (untouched ? connectUntouched(file) : open(file)))
  const statements = createStatements(db)
  const known = knownFiles([file])
  const read = <Result>(query: () => Result): Result => onFile(file, query)
  /** Data written into a file that is no longer at its path would be lost with the process. */
  function stored<Result>(write: () => Result): Result {
    const result = onFile(file, write)
    if (missedFile(known) !== undefined) throw filesGone(file)
    return result
  }
  return {
    makeKey: async (subject) => stored(() => makeKey(statements, subject)),
    key: async (subject) => read(() => keyOf(statements, subject) ?? undefined),
    async destroyKey(subject) {
      stored(() =>
        statements.run('insert into keys (subject, key) values (?, null) on conflict (subject) do update set key = null', [subject]),
      )
    },
    async putPasswordHash(userId, version, hash) {
      stored(() =>
        statements.run('insert or replace into password_hashes (user_id, version, hash) values (?, ?, ?)', [userId, version, hash]),
      )
    },
    async passwordHash(userId, version) {
      const row = read(() => statements.get('select hash from password_hashes where user_id = ? and version = ?', [userId, version]))
      return row && String(row['hash'])
    },
    async dropPasswordHashes(userId, version) {
      stored(() => {
        if (version === undefined) statements.run('delete from password_hashes where user_id = ?', [userId])
        else statements.run('delete from password_hashes where user_id = ? and version = ?', [userId, version])
      })
    },
    secret: async (name) => stored(() => secret(statements, name)),
    hasSecret: async (name) => read(() => statements.get('select 1 from secrets where name = ?', [name])) !== undefined,
    contents: async () => read(() => contentsOf(db)),
    async replaceContents(contents) {
      stored(() =>
        inTransaction(db, () => {
          for (const table of ['keys', 'password_hashes', 'secrets']) statements.run(`delete from ${table}`, [])
          insertContents(statements, contents)
        }),
      )
    },
    async close() {
      if (db.isOpen) db.close()
    },
  }
}

/** Makes a new file with these contents. @throws Error the file is there already */
export function fillSqliteVault(file: string, contents: VaultContents): void {
  closeSync(openSync(file, 'wx', OWNER_ONLY))
  const db = open(file)
  try {
    inTransaction(db, () => insertContents(createStatements(db), contents))
  } finally {
    db.close()
  }
}

function insertContents(statements: Statements, { keys, passwordHashes, secrets }: VaultContents): void {
  for (const { subject, key } of keys) statements.run('insert into keys (subject, key) values (?, ?)', [subject, key])
  for (const { userId, version, hash } of passwordHashes)
    statements.run('insert into password_hashes (user_id, version, hash) values (?, ?, ?)', [userId, version, hash])
  for (const { name, secret } of secrets) statements.run('insert into secrets (name, secret) values (?, ?)', [name, secret])
}

/** In one transaction: of one time. */
const contentsOf = (db: DatabaseSync): VaultContents =>
  inReading(db, () => ({
    keys: rowsOf(db, 'select subject, key from keys').map(({ subject, key }) => ({
      subject: String(subject),
      key: key instanceof Uint8Array ? key : null,
    })),
    passwordHashes: rowsOf(db, 'select user_id, version, hash from password_hashes').map(({ user_id, version, hash }) => ({
      userId: String(user_id),
      version: Number(version),
      hash: String(hash),
    })),
    secrets: rowsOf(db, 'select name, secret from secrets').flatMap(({ name, secret }) =>
      secret instanceof Uint8Array ? [{ name: String(name), secret }] : [],
    ),
  }))

const rowsOf = (db: DatabaseSync, sql: string) => db.prepare(sql).all()

function inReading<Result>(db: DatabaseSync, read: () => Result): Result {
  db.exec('begin')
  try {
    return read()
  } finally {
    db.exec('commit')
  }
}

function open(file: string): DatabaseSync {
  // Created before SQLite does, so that others can never open it, not even briefly; the journal gets the same mode.
  closeSync(openSync(file, 'a', OWNER_ONLY))
  chmodSync(file, OWNER_ONLY)
  const db = connect(file, { pragmas: SAFE })
  try {
    claim(db, VAULT)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Null for a destroyed key, undefined if there never was one. */
function keyOf(statements: Statements, subject: string): Uint8Array | null | undefined {
  const row = statements.get('select key from keys where subject = ?', [subject])
  if (!row) return undefined
  return row['key'] instanceof Uint8Array ? row['key'] : null
}

/** Of several concurrent callers one writes; all read the stored key. */
function makeKey(statements: Statements, subject: string): Uint8Array {
  if (keyOf(statements, subject) === undefined) {
    statements.run('insert or ignore into keys (subject, key) values (?, ?)', [subject, randomBytes(SECRET_BYTES)])
  }
  const key = keyOf(statements, subject)
  if (!key) throw new KeyDestroyed(subject)
  return key
}

function secret(statements: Statements, name: string): Uint8Array {
  const read = () => statements.get('select secret from secrets where name = ?', [name])?.['secret']
  if (read() === undefined) statements.run('insert or ignore into secrets (name, secret) values (?, ?)', [name, randomBytes(SECRET_BYTES)])
  const found = read()
  if (!(found instanceof Uint8Array)) throw new Error(`The secret ${name} is not in the vault`)
  return found
}
