import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { connect } from '../../../src/adapters/sqlite/connection.ts'
import { createJournalCheckpoints } from '../../../src/adapters/sqlite/journal-checkpoints.ts'
import { until } from '../../fixtures/until.ts'

const PAGES = 5_000

function opened(t: Test) {
  const file = join(t.testdir(), 'films.sqlite')
  const db = connect(file, { pragmas: ['journal_mode = wal', 'synchronous = normal'] })
  db.exec('create table films (id integer primary key, text text)')
  const clock = createTestClock()
  const journal = createJournalCheckpoints({ db, file, after: (ms, callback) => clock.after(ms, callback) })
  t.teardown(async () => {
    await journal.close()
    if (db.isOpen) db.close()
  })
  const add = (pages: number): void => {
    db.exec('begin immediate')
    const insert = db.prepare('insert into films (text) values (?)')
    for (let n = 0; n < pages; n++) insert.run('x'.repeat(3_500))
    db.exec('commit')
    journal.committed()
  }
  return { file, db, clock, journal, add }
}

const pagesOf = (db: DatabaseSync) => {
  const { log, checkpointed } = db.prepare('pragma wal_checkpoint(noop)').get() ?? {}
  return { journal: Number(log), copied: Number(checkpointed) }
}

t.test('a long journal is copied beside the work, and then begins again', async (t) => {
  const { file, db, clock, journal, add } = opened(t)
  add(100)
  await sleep(200)
  t.equal(pagesOf(db).copied, 0, 'a short one is left alone')
  for (const ended of [false, true]) {
    if (ended) await clock.advance(60_000)
    add(PAGES)
    t.equal(pagesOf(db).copied, 0, 'the commit copies nothing')
    await until(() => pagesOf(db).copied >= PAGES)
    t.ok(statSync(file).size > PAGES * 4_096)
    add(1)
    t.ok(pagesOf(db).journal < 100)
  }
  await journal.close()
  db.close()
  t.notOk(existsSync(`${file}-wal`), 'the thread has closed the file')
})

t.test('if the thread cannot open the file, commits go on and no other file takes its place', async (t) => {
  const { file, db, journal, add } = opened(t)
  rmSync(file)
  add(PAGES)
  await sleep(500)
  add(PAGES)
  t.equal(db.prepare('select count(*) as n from films').get()?.['n'], 2 * PAGES)
  t.notOk(existsSync(file))
  await journal.close()
})
