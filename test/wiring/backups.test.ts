/** Backups of an empty log, in real folders and files. */
import t, { type Test } from 'tap'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import { createMemoryVault } from '../../src/adapters/memory/vault.ts'
import { createBackups, type BackupsDependencies } from '../../src/app/backup/backups.ts'
import { rootOf } from '../../src/events/merkle-tree.ts'
import { backupKeys, openForReading, openForWriting } from '../../src/wiring/backup-stores.ts'

function start(t: Test, more: Partial<BackupsDependencies> = {}) {
  const clock = createTestClock()
  const tree = { size: 0, root: rootOf([]) }
  const backups = createBackups({
    clock,
    log: createMemoryEventLog(),
    vault: createMemoryVault(),
    tree: { size: async () => 0, at: async () => tree },
    checkpoints: { of: async () => 'a note', verifier: async () => 'test+0+key' },
    caughtUp: async () => {},
    openStore: openForWriting,
    readStore: openForReading,
    keys: backupKeys,
    lastingFiles: async function* () {},
    signingSecret: () => null,
    ...more,
  })
  return { backups, clock, folder: t.testdir() }
}

t.test('a look for the last backup leaves alone what another process is writing, and makes no folder', async (t) => {
  const { backups, folder } = start(t)
  const [piece, file] = [join(folder, 'backups/log/ab/cd.unfinished'), join(folder, 'all.marquee')]
  mkdirSync(join(folder, 'backups/log/ab'), { recursive: true })
  writeFileSync(piece, 'half')
  writeFileSync(`${file}.unfinished`, 'half')
  for (const path of ['backups', 'all.marquee', 'nothing']) await backups.look(join(folder, path))
  t.equal(readFileSync(piece, 'utf8'), 'half')
  t.equal(readFileSync(`${file}.unfinished`, 'utf8'), 'half')
  t.notOk(existsSync(join(folder, 'nothing')))
})
