/**
 * Idempotency store in a separate SQLite file that only its owner may read. Writes do not wait for the disk: a crash of the process loses
 * nothing, and a power cut may lose only the seeds of the last moments. No backup contains it, so a damaged file is replaced by an empty
 * one, also while the server runs.
 */
import type { DatabaseSync } from 'node:sqlite'
import { chmodSync, closeSync, openSync } from 'node:fs'
import type { Clock } from '../../ports/clock.ts'
import {
  IDEMPOTENCY_LIFE_MS,
  IDEMPOTENCY_RUNNING_MS,
  IDEMPOTENCY_KEYS_OF_OWNER_MAX,
  type Begun,
  type KeyedRun,
  type IdempotencyStore,
} from '../../ports/idempotency-store.ts'
import { createSteadyNow } from '../shared/steady-now.ts'
import { claim, connect, inTransaction, isDamage, kindOf, type FileKind } from './connection.ts'
import { setAside } from './damaged-file.ts'
import { onFile } from './storage-trouble.ts'
import { createStatements, type Row, type Statements } from './statements.ts'

const OUTCOMES_MAX = 10_000
const OWNER_ONLY = 0o600
const FAST = ['journal_mode = wal', 'synchronous = normal', 'secure_delete = on']

const BY_OWNER = 'create index outcomes_by_owner on outcomes (owner, began_at);'

/** `MQoc`; `running_at` 0: not running. */
export const IDEMPOTENCY_STORE: FileKind = {
  applicationId: 0x4d516f63,
  version: 2,
  tables: `
    create table outcomes (
      key text primary key, fingerprint text not null, seed text not null, began_at integer not null, running_at integer not null,
      answer text, owner text not null default '') strict, without rowid;
    create index outcomes_by_age on outcomes (began_at);
    ${BY_OWNER}
  `,
}

/** Version 1 had no owners and kept answers as plain text: its keys are kept, and a retry runs again with the same seed. */
function upgrade(db: DatabaseSync): void {
  if (kindOf(db, { ...IDEMPOTENCY_STORE, version: 1 }) !== 'known') return
  const owners = `alter table outcomes add column owner text not null default ''; ${BY_OWNER}`
  inTransaction(db, () => db.exec(`${owners} update outcomes set answer = null; pragma user_version = ${IDEMPOTENCY_STORE.version};`))
}

export interface SqliteIdempotencyStoreOptions {
  readonly file: string
  readonly clock: Clock
  readonly max?: number
  readonly maxOfOwner?: number
}

export function createSqliteIdempotencyStore(options: SqliteIdempotencyStoreOptions): IdempotencyStore {
  const { file, clock, max = OUTCOMES_MAX, maxOfOwner = IDEMPOTENCY_KEYS_OF_OWNER_MAX } = options
  const steadyNow = createSteadyNow(clock)
  let opened = onFile(file, () => openOrReplace(file))
  /** What has failed because of damage is repeated on the new file. */
  function onStore<Result>(work: (store: OpenStore) => Result): Result {
    return onFile(file, () => {
      try {
        return work(opened)
      } catch (error) {
        if (!isDamage(error)) throw error
        opened.db.close()
        opened = replace(file)
        return work(opened)
      }
    })
  }
  const run: Statements['run'] = (...asked) => onStore(({ statements }) => statements.run(...asked))
  return {
    begin: async (key, request) =>
      onStore(({ db, statements }) =>
        inTransaction(db, () => {
          const now = steadyNow()
          dropOld(statements, now, max)
          return begin(statements, key, { ...request, now, maxOfOwner })
        }),
      ),
    settle: async (key, answer) => run('update outcomes set answer = ? where key = ?', [answer, key]),
    release: async (key) => run('update outcomes set running_at = 0 where key = ?', [key]),
    forget: async (key) => run('delete from outcomes where key = ?', [key]),
    async close() {
      if (opened.db.isOpen) opened.db.close()
    },
  }
}

interface OpenStore {
  readonly db: DatabaseSync
  readonly statements: Statements
}

/** A damaged file is replaced; one of a newer version or of another program is refused. */
function openOrReplace(file: string): OpenStore {
  try {
    return open(file)
  } catch (error) {
    if (!isDamage(error)) throw error
    return replace(file)
  }
}

function replace(file: string): OpenStore {
  setAside(file, 'an empty one is begun: requests of the last day that are repeated may be carried out again')
  return open(file)
}

function open(file: string): OpenStore {
  closeSync(openSync(file, 'a', OWNER_ONLY))
  chmodSync(file, OWNER_ONLY)
  const db = connect(file, { pragmas: FAST })
  try {
    upgrade(db)
    claim(db, IDEMPOTENCY_STORE)
    const statements = createStatements(db)
    // One process at a time has the file: running requests belonged to a process that is gone.
    statements.run('update outcomes set running_at = 0 where answer is null')
    return { db, statements }
  } catch (error) {
    db.close()
    throw error
  }
}

interface BeginningRun extends KeyedRun {
  readonly now: number
  readonly maxOfOwner: number
}

function begin(statements: Statements, key: string, { fingerprint, seed, owner, now, maxOfOwner }: BeginningRun): Begun {
  const row = statements.get('select fingerprint, seed, running_at, answer from outcomes where key = ?', [key])
  if (row) return again(statements, key, { row, fingerprint, now })
  statements.run(
    `delete from outcomes where key in (
      select key from outcomes where owner = ?1 order by began_at
      limit max(0, (select count(*) from outcomes where owner = ?1) - ?2))`,
    [owner, maxOfOwner - 1],
  )
  statements.run('insert into outcomes (key, fingerprint, seed, owner, began_at, running_at) values (?1, ?2, ?3, ?4, ?5, ?5)', [
    key,
    fingerprint,
    seed,
    owner,
    now,
  ])
  return { state: 'begun', seed }
}

function again(
  statements: Statements,
  key: string,
  { row, fingerprint, now }: { readonly row: Row; readonly fingerprint: string; readonly now: number },
): Begun {
  if (row['fingerprint'] !== fingerprint) return { state: 'other' }
  if (row['answer'] !== null) return { state: 'settled', answer: String(row['answer']) }
  const runningAt = Number(row['running_at'])
  if (runningAt > 0 && now - runningAt < IDEMPOTENCY_RUNNING_MS) return { state: 'running' }
  statements.run('update outcomes set running_at = ? where key = ?', [now, key])
  return { state: 'begun', seed: String(row['seed']) }
}

function dropOld(statements: Statements, now: number, max: number): void {
  statements.run('delete from outcomes where began_at <= ?', [now - IDEMPOTENCY_LIFE_MS])
  statements.run(
    'delete from outcomes where key in (select key from outcomes order by began_at limit max(0, (select count(*) from outcomes) - ?))',
    [max - 1],
  )
}
