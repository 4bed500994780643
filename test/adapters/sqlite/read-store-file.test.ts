import { statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openReadStoreFile } from '../../../src/adapters/sqlite/read-store-file.ts'

const MB = 1_000_000
/** Of 4 kB each: three times what the journal keeps. */
const ROWS = 12_000

t.test('what a large transaction has taken of the disk for its journal is given back', async (t) => {
  const file = join(t.testdir(), 'read-models.sqlite')
  const db = openReadStoreFile(file)
  t.teardown(() => db.close())
  const journalMb = (): number => statSync(`${file}-wal`).size / MB
  db.exec('create table filled (value blob)')
  db.exec('begin')
  const insert = db.prepare('insert into filled values (zeroblob(4000))')
  for (let row = 0; row < ROWS; row++) insert.run()
  db.exec('commit')
  t.ok(journalMb() > 45, `${journalMb()} MB after the transaction`)
  insert.run()
  t.ok(journalMb() < 17, `${journalMb()} MB after the next one`)
  t.match(db.prepare('select count(*) as count from filled').get(), { count: ROWS + 1 })
})
