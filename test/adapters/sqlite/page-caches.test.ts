/** SQLite's page caches lie outside of V8's heap, and nothing else bounds them. */
import t from 'tap'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openForReading, openForWriting } from '../../../src/adapters/sqlite/event-log-file.ts'
import { openReadStoreFile } from '../../../src/adapters/sqlite/read-store-file.ts'

const MIB = 1024

/** In KiB, which SQLite notes as a negative number. */
const kibOf = (db: DatabaseSync): number => -Number(db.prepare('pragma cache_size').get()?.['cache_size'])

t.test('the page caches of the log and of the read models take 24 MiB at most together', async (t) => {
  const folder = t.testdir()
  const log = join(folder, 'events.sqlite')
  const open = [openForWriting({ file: log }), openForReading(log), openReadStoreFile(join(folder, 'read-models.sqlite'))]
  t.teardown(() => open.forEach((db) => db.close()))
  const sizes = open.map(kibOf)
  t.ok(
    sizes.every((size) => size > 0),
    'none is counted in pages',
  )
  t.ok(sizes.reduce((sum, size) => sum + size, 0) <= 24 * MIB, sizes.join(' + '))
})
