/** Backups of an empty log, in real folders and files. */
import t from 'tap'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import { createMemoryLeases } from '../../src/adapters/memory/leases.ts'
import { createMemoryVault } from '../../src/adapters/memory/vault.ts'
import { createBackups, type BackupsDependencies } from '../../src/app/backup/backups.ts'
import { rootOf } from '../../src/events/merkle-tree.ts'
import { backupKeys, filesIn, openForReading, openForWriting } from '../../src/wiring/backup-stores.ts'

const never = new AbortController().signal

function start(more: Partial<BackupsDependencies> = {}) {
  const clock = createTestClock()
  const tree = { size: 0, root: rootOf([]) }
  const backups = createBackups({
    clock,
    leases: createMemoryLeases({ clock }),
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
    isInDataFolder: () => false,
    ...more,
  })
  return { backups, clock }
}

t.test('a look for the last backup leaves alone what another process is writing, and makes no folder', async (t) => {
  const folder = t.testdir()
  const { backups } = start()
  const [piece, file] = [join(folder, 'backups/log/ab/cd.unfinished'), join(folder, 'all.marquee')]
  mkdirSync(join(folder, 'backups/log/ab'), { recursive: true })
  writeFileSync(piece, 'half')
  writeFileSync(`${file}.unfinished`, 'half')
  for (const path of ['backups', 'all.marquee', 'nothing']) await backups.look(join(folder, path))
  t.equal(readFileSync(piece, 'utf8'), 'half')
  t.equal(readFileSync(`${file}.unfinished`, 'utf8'), 'half')
  t.notOk(existsSync(join(folder, 'nothing')))
})

t.test('a backup fails if the folder of uploads cannot be read, and leaves out a file that was removed meanwhile', async (t) => {
  const folder = t.testdir()
  const { backups } = start({ lastingFiles: () => filesIn(join(folder, 'uploads')) })
  const path = join(folder, 'backups')
  const back = () => backups.run({ path }, () => {}, never)
  t.match(await back(), { files: 0 }, 'no folder, no uploads')
  writeFileSync(join(folder, 'uploads'), 'not a folder')
  await t.rejects(back(), { code: 'ENOTDIR' })
  t.match(backups.status(), { lastFailure: /ENOTDIR/ })
  rmSync(join(folder, 'uploads'))
  mkdirSync(join(folder, 'uploads'))
  for (const name of ['a', 'b']) writeFileSync(join(folder, 'uploads', name), name)
  const removing = start({
    async *lastingFiles() {
      for await (const file of filesIn(join(folder, 'uploads'))) {
        rmSync(join(folder, 'uploads/b'), { force: true })
        yield file
      }
    },
  })
  t.match(await removing.backups.run({ path: join(folder, 'others') }, () => {}, never), { files: 1 })
})

t.test('a file of an earlier backup that cannot be read is written again', async (t) => {
  const folder = t.testdir({ uploads: { a: 'an upload' } })
  const path = join(folder, 'backups')
  const lastingFiles = () => filesIn(join(folder, 'uploads'))
  t.match(await start({ lastingFiles }).backups.run({ path }, () => {}, never), { files: 1, reused: 0, replaced: 0 })
  const openStore = async (root: string) => {
    const store = await openForWriting(root)
    return {
      ...store,
      read: (name: string) => (name.startsWith('blobs/') ? Promise.reject(new Error('EIO: i/o error, read')) : store.read(name)),
    }
  }
  const { backups } = start({ lastingFiles, openStore })
  t.match(await backups.run({ path }, () => {}, never), { files: 0, bytes: 0, reused: 0, replaced: 1 })
})

t.test('with a scheduled place, a backup elsewhere by hand neither counts as its last one nor hides or makes a failure', async (t) => {
  const folder = t.testdir({ file: 'not a folder' })
  const scheduled = join(folder, 'scheduled')
  const { backups } = start({ scheduled })
  const back = (path: string) => backups.run({ path }, () => {}, never)
  t.match(await back(join(folder, 'elsewhere')), { id: /^20/ })
  await t.rejects(back(join(folder, 'file')))
  t.strictSame(backups.status(), { lastSuccessAt: null, lastEvents: null, lastFailure: null })
  t.match(await back(scheduled), { id: /^20/ })
  t.match(backups.status(), { lastSuccessAt: Number, lastEvents: 0, lastFailure: null })
})

t.test('with the oldest backup go the keys and pieces that an interrupted one left', async (t) => {
  const folder = t.testdir()
  const { backups, clock } = start()
  const back = () => backups.run({ path: folder, keep: 1 }, () => {}, never)
  await back()
  mkdirSync(join(folder, 'log/ab'), { recursive: true })
  for (const name of ['vault/2020-01-01T00-00-00.000Z', 'log/ab/abc']) writeFileSync(join(folder, name), 'left over')
  await clock.advance(1_000)
  const last = await back()
  t.match(last, { removed: 1 })
  t.strictSame(readdirSync(join(folder, 'vault')), ['id' in last ? last.id : ''])
  t.strictSame(readdirSync(join(folder, 'log/ab')), [])
})

t.test('if a backup that stays is damaged, no old one is removed, and the answer says what to do', async (t) => {
  const folder = t.testdir()
  const { backups, clock } = start()
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const made = await backups.run({ path: folder, keep: 2 }, () => {}, never)
    ids.push('id' in made ? made.id : '')
    if (n === 1) writeFileSync(join(folder, `backups/${ids[1]}.json`), 'damaged')
    await clock.advance(1_000)
    if (n === 2)
      t.match(made, { removed: 0, pruneProblem: `backups/${ids[1]}.json cannot be read. If that backup is lost, delete the file` })
  }
  t.strictSame(
    readdirSync(join(folder, 'backups')),
    ids.map((id) => `${id}.json`),
  )
})

t.test('a backup from the future, made while a clock was wrong, does not count as the last one', async (t) => {
  const folder = t.testdir()
  const wrong = start()
  await wrong.clock.advance(400 * 86_400_000)
  await wrong.backups.run({ path: folder }, () => {}, never)
  const { backups, clock } = start()
  await backups.look(folder)
  t.equal(backups.status().lastSuccessAt, null)
  await backups.run({ path: folder }, () => {}, never)
  const later = start()
  await later.clock.advance(60_000)
  await later.backups.look(folder)
  t.equal(later.backups.status().lastSuccessAt, clock.now())
})

t.test('of backups that were made while a clock was wrong, those made last stay, and the status forgets the wrong time', async (t) => {
  const folder = t.testdir()
  const { backups, clock } = start()
  const back = async (keep: number) => {
    await clock.advance(1_000)
    const made = await backups.run({ path: folder, keep }, () => {}, never)
    return 'id' in made ? made.id : ''
  }
  const kept = () => readdirSync(join(folder, 'backups')).map((name) => name.replace('.json', ''))
  const rightMs = clock.now()
  clock.setNow(rightMs + 7 * 86_400_000)
  const ahead = await back(2)
  t.equal(backups.status().lastSuccessAt, clock.now())
  clock.setNow(rightMs)
  await backups.look(folder)
  t.equal(backups.status().lastSuccessAt, null)
  const [one, two] = [await back(2), await back(2)]
  t.strictSame(kept(), [one, two])
  t.ok(ahead > two)
  clock.setNow(rightMs - 86_400_000)
  const behind = await back(1)
  t.strictSame(kept(), [behind])
})

t.test('while one node backs up, another one does not: it would remove the pieces of the unfinished backup', async (t) => {
  const folder = t.testdir()
  const leases = createMemoryLeases({ clock: createTestClock() })
  const caughtUp = Promise.withResolvers<void>()
  const [one, other] = [start({ leases, caughtUp: () => caughtUp.promise }), start({ leases })]
  const ask = { path: folder, keep: 1 }
  const first = one.backups.run(ask, () => {}, never)
  t.match(await other.backups.run(ask, () => {}, never), { refusal: 'conflict', message: /being made already/ })
  caughtUp.resolve()
  t.match(await first, { id: /^20/ })
  t.match(await other.backups.run(ask, () => {}, never), { id: /^20/ })
})

t.test('a folder with encrypted backups that has lost its header keeps the key that opens them', async (t) => {
  const folder = t.testdir()
  const { backups } = start()
  const back = () => backups.run({ path: folder, passphrase: 'a long passphrase' }, () => {}, never)
  t.match(await back(), { id: /^20/ })
  const key = readFileSync(join(folder, 'key.age'), 'base64')
  rmSync(join(folder, 'backup.json'))
  t.match(await back(), { refusal: 'conflict', message: /backup\.json is missing, but there are backups/ })
  t.equal(readFileSync(join(folder, 'key.age'), 'base64'), key)
})

t.test('a place where nothing can be written is refused with the reason', async (t) => {
  const folder = t.testdir({ file: 'text' })
  const { backups } = start()
  const failed = (path: string) => t.rejects(backups.run({ path: join(folder, path) }, () => {}, never))
  t.match(await failed('file'), { message: /file is a file: give a folder/ })
  for (const path of ['file/below', 'file/below.marquee']) {
    t.match(await failed(path), {
      message: `No backup can be written to ${join(folder, path)}: part of its path is a file. Give another place`,
    })
  }
})

t.test('a backup that fails halfway names the place and the reason', async (t) => {
  const folder = t.testdir({ backups: { vault: 'a file where a folder belongs' } })
  const path = join(folder, 'backups')
  await t.rejects(
    start().backups.run({ path }, () => {}, never),
    {
      message: `No backup can be written to ${path}: something else has its name. Give another place`,
    },
  )
})
