/** What `doctor` finds about damage in the databases of the data folder. */
import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSqliteIdempotencyStore } from '../../src/adapters/sqlite/idempotency-store.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { createSqliteVault } from '../../src/adapters/sqlite/vault.ts'
import { dataFolderAt } from '../../src/process/data-folder.ts'
import { checkDatabases } from '../../src/process/doctor/database-checks.ts'
import { damagePages } from '../fixtures/damaged-pages.ts'

const check = (dataDir: string, eventLog = 'sqlite:') => {
  const printed: string[] = []
  const findings = checkDatabases({ dataDir, eventLog, readStore: 'sqlite:', vault: 'sqlite:' }, (line) => printed.push(line))
  return { findings, printed }
}

function openAll(dataDir: string): () => Promise<void> {
  const [folder, clock] = [dataFolderAt(dataDir), createTestClock()]
  const opened = [
    createSqliteEventLog({ file: folder.eventLog, clock }),
    createSqliteVault({ file: folder.vault }),
    createSqliteIdempotencyStore({ file: folder.idempotencyStore, clock }),
    createSqliteReadStore({ file: folder.readModels, clock }),
  ]
  return async () => {
    for (const one of opened) await one.close()
  }
}

t.test('databases that are whole are fine, whether a server has them open or not, and nothing is added beside them', async (t) => {
  const dataDir = t.testdir()
  t.strictSame(check(dataDir).findings, [])
  const close = openAll(dataDir)
  const running = readdirSync(dataDir)
  t.match(check(dataDir), { findings: [{ check: 'databases', state: 'ok' }], printed: [] })
  t.strictSame(readdirSync(dataDir), running)
  await close()
  const stopped = readdirSync(dataDir)
  t.match(check(dataDir).findings, [{ check: 'databases', state: 'ok' }])
  t.strictSame(readdirSync(dataDir), stopped)
})

t.test('each damaged database is named with what to do', async (t) => {
  const dataDir = t.testdir()
  await openAll(dataDir)()
  const { eventLog, vault, idempotencyStore, readModels } = dataFolderAt(dataDir)
  damagePages(eventLog, 'sqlite_autoindex_streams_1')
  damagePages(vault, 'password_hashes')
  damagePages(idempotencyStore, 'outcomes_by_age')
  truncateSync(readModels, 5000)
  const restore = /^Stop Marquee, keep a copy of the file, and restore it from a backup/
  t.match(check(dataDir).findings, [
    { state: 'failed', text: `${eventLog} is damaged: Tree `, remedy: restore },
    { state: 'failed', text: `${vault} is damaged: `, remedy: restore },
    { state: 'warning', text: `${idempotencyStore} is damaged: `, remedy: /delete this file: .* may be carried out again/ },
    { state: 'warning', text: `${readModels} is damaged: `, remedy: /delete this file: .* from the event log/ },
  ])
  t.equal(check(dataDir, 'esdb://elsewhere:2113').findings.length, 3, 'a file that no setting names is not looked at')
})

t.test('a file that takes a while is announced', (t) => {
  const dataDir = t.testdir({ 'vault.sqlite': '' })
  truncateSync(join(dataDir, 'vault.sqlite'), 200e6)
  t.match(check(dataDir).printed, [/^Looking for damage in \S+vault\.sqlite \(200 MB\) \.\.\./])
  t.end()
})
