/**
 * Outcomes in a SQLite file of their own, which only its owner may read. Written without waiting for the disk: a crash of the
 * process loses nothing, and after a power cut the seeds of the last moments may be gone, no more.
 */
import { chmodSync, closeSync, openSync } from 'node:fs'
import type { Clock } from '../../ports/clock.ts'
import { OUTCOME_LIFE_MS, OUTCOME_RUNNING_MS, type Begun, type Outcomes } from '../../ports/outcomes.ts'
import { claim, connect, inTransaction, type FileKind } from './connection.ts'
import { createStatements, type Row, type Statements } from './statements.ts'

const OUTCOMES_MAX = 10_000
const OWNER_ONLY = 0o600
const FAST = ['journal_mode = wal', 'synchronous = normal', 'secure_delete = on']

/** `MQoc`; `running_at` 0: nobody is at it. */
const KIND: FileKind = {
  applicationId: 0x4d516f63,
  version: 1,
  tables: `
    create table outcomes (
      key text primary key, fingerprint text not null, seed text not null, began_at integer not null, running_at integer not null,
      answer text) strict, without rowid;
    create index outcomes_by_age on outcomes (began_at);
  `,
}

export interface SqliteOutcomesOptions {
  readonly file: string
  readonly clock: Clock
  readonly max?: number
}

export function createSqliteOutcomes({ file, clock, max = OUTCOMES_MAX }: SqliteOutcomesOptions): Outcomes {
  closeSync(openSync(file, 'a', OWNER_ONLY))
  chmodSync(file, OWNER_ONLY)
  const db = connect(file, { pragmas: FAST })
  claim(db, KIND)
  const statements = createStatements(db)
  // One process at a time has the file: what was running ran in one that is gone.
  statements.run('update outcomes set running_at = 0 where answer is null')
  return {
    begin: async (key, request) =>
      inTransaction(db, () => {
        dropOld(statements, clock.now(), max)
        return begin(statements, key, { ...request, now: clock.now() })
      }),
    settle: async (key, answer) => statements.run('update outcomes set answer = ? where key = ?', [answer, key]),
    release: async (key) => statements.run('update outcomes set running_at = 0 where key = ?', [key]),
    forget: async (key) => statements.run('delete from outcomes where key = ?', [key]),
    async close() {
      if (db.isOpen) db.close()
    },
  }
}

interface Beginning {
  readonly fingerprint: string
  readonly seed: string
  readonly now: number
}

function begin(statements: Statements, key: string, { fingerprint, seed, now }: Beginning): Begun {
  const row = statements.get('select fingerprint, seed, running_at, answer from outcomes where key = ?', [key])
  if (row) return again(statements, key, { row, fingerprint, now })
  statements.run('insert into outcomes (key, fingerprint, seed, began_at, running_at) values (?, ?, ?, ?, ?)', [
    key,
    fingerprint,
    seed,
    now,
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
  if (runningAt > 0 && now - runningAt < OUTCOME_RUNNING_MS) return { state: 'running' }
  statements.run('update outcomes set running_at = ? where key = ?', [now, key])
  return { state: 'begun', seed: String(row['seed']) }
}

function dropOld(statements: Statements, now: number, max: number): void {
  statements.run('delete from outcomes where began_at <= ?', [now - OUTCOME_LIFE_MS])
  statements.run(
    'delete from outcomes where key in (select key from outcomes order by began_at limit max(0, (select count(*) from outcomes) - ?))',
    [max - 1],
  )
}
