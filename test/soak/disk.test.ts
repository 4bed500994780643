import t, { type Test } from 'tap'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { testFolder } from '../fixtures/test-folder.ts'
import { diskFigures } from './disk.ts'

const PER_EVENT = 'disk: log and views (bytes an event)'
const FREE = 'log: free pages, which the next views take (MB)'
const EVENTS = 100

/** A database of a running server: what was written last is in its journal. */
function running(t: Test, rows: number) {
  const folder = testFolder(t)
  const database = new DatabaseSync(join(folder, 'read-models.sqlite'))
  t.teardown(() => database.close())
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table rows (text text)')
  fill(database, rows)
  return { database, figures: () => diskFigures(folder, EVENTS) }
}

function fill(database: DatabaseSync, rows: number): void {
  database.exec('begin')
  for (let n = 0; n < rows; n++) database.prepare('insert into rows values (?)').run('x'.repeat(1000))
  database.exec('commit')
}

t.test('what a database takes is the same before and after its journal is moved into the file', async (t) => {
  const { database, figures } = running(t, 1000)
  const before = figures()
  database.exec('pragma wal_checkpoint(truncate)')
  const after = figures()
  t.ok((before[PER_EVENT] ?? 0) * EVENTS > 1_000_000)
  t.equal(after[PER_EVENT], before[PER_EVENT])
  t.ok((before['disk: journals (MB)'] ?? 0) > 1)
  t.ok((after['disk: journals (MB)'] ?? 0) < 1, 'the journal counts by itself')
})

t.test('pages that are free again count apart, and what fills them counts', async (t) => {
  const { database, figures } = running(t, 1000)
  const before = figures()
  database.exec('delete from rows')
  const emptied = figures()
  t.ok((emptied[PER_EVENT] ?? 0) < (before[PER_EVENT] ?? 0) / 10)
  t.ok((emptied[FREE] ?? 0) > 0.9)
  fill(database, 2000)
  const grown = figures()
  t.ok((grown[PER_EVENT] ?? 0) > 1.9 * (before[PER_EVENT] ?? 0))
})

t.test('gaps in pages count apart', async (t) => {
  const { database, figures } = running(t, 1000)
  const before = figures()
  // Of the three rows of each page.
  database.exec('delete from rows where rowid % 3 = 0')
  const after = figures()
  t.ok((after[PER_EVENT] ?? 0) < 0.7 * (before[PER_EVENT] ?? 0))
  t.ok((after['log: gaps in pages (MB)'] ?? 0) > 0.3)
})

t.test('snapshots of the past count apart, with their indexes', async (t) => {
  const { database, figures } = running(t, 100)
  const before = figures()
  database.exec('create table docs_snapshots_g3_1 (id text); create index docs_snapshots_g3_1_ids on docs_snapshots_g3_1 (id)')
  database.exec('insert into docs_snapshots_g3_1 select text from rows')
  const after = figures()
  const definitions = ((after[PER_EVENT] ?? 0) - (before[PER_EVENT] ?? 0)) * EVENTS
  t.ok(definitions < 1000, `${definitions} bytes`)
  t.ok((after['log: snapshots of the past (bytes an event)'] ?? 0) * EVENTS > 200_000)
})

t.test('the cache counts by its bytes, and the files beside it by their number', async (t) => {
  const folder = testFolder(t)
  mkdirSync(join(folder, 'cache', 'film'), { recursive: true })
  writeFileSync(join(folder, 'secret'), 'x')
  for (let n = 0; n < 3; n++) writeFileSync(join(folder, 'cache', 'film', `${n}.m4s`), Buffer.alloc(1024 * 1024, 1))
  const figures = diskFigures(folder, EVENTS)
  t.ok(Math.abs((figures['disk: cache (MB)'] ?? 0) - 3) < 0.1)
  t.equal(figures['log: files in the cache'], 3)
  t.equal(figures['disk: files beside the cache'], 1)
})
