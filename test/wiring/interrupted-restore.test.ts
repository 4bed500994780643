/** A restoration that replaces a log and is cut off at any of its steps: no start takes the folder for a new one, and nothing is lost. */
import t, { type Test } from 'tap'
import fs, { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { isRefusal } from '../../src/domain/refusal.ts'
import { holdDataFolder, ownDataFolder } from '../../src/process/data-folder.ts'
import { restoreBackup } from '../../src/wiring/restore-backup.ts'
import { offlineConfig, withOfflineData } from '../fixtures/offline-data.ts'
import { standInCommands } from '../fixtures/stand-in-commands.ts'

const never = new AbortController().signal
const SECRET = 'the former signing secret, of 32 or more'

/** Read models are not built: the next start does that. */
const restore = (path: string, dataDir: string, replace: boolean) =>
  restoreBackup({
    path,
    config: offlineConfig(dataDir),
    at: undefined,
    passphrase: undefined,
    keys: undefined,
    replace,
    print: () => {},
    signal: never,
    openOffline: async () => ({ ...standInCommands(), close: async () => {} }),
  })

const namesIn = (dataDir: string) =>
  withOfflineData(dataDir, async (commands) => (await commands.listUsers()).map(({ name }) => name).toSorted())

function problemOf(t: Test, dataDir: string): string {
  const problems = [ownDataFolder, holdDataFolder].map((own) => {
    const folder = own(offlineConfig(dataDir))
    if ('problem' in folder) return folder.problem
    folder.release()
    return 'none'
  })
  t.equal(problems[0], problems[1], 'as for a command that only reads')
  return problems[0] ?? ''
}

class CutOff extends Error {
  readonly code = 'cut-off'
}

/** Runs the work until it is about to rename the nth file below the folder; whether there were as many. */
async function cutOffAt(n: number, folder: string, work: () => Promise<unknown>): Promise<boolean> {
  const { renameSync } = fs
  let count = 0
  fs.renameSync = (from, to) => {
    if (String(to).startsWith(folder) && ++count >= n) throw new CutOff('killed')
    renameSync(from, to)
  }
  syncBuiltinESMExports()
  try {
    await work()
    return false
  } catch (cause) {
    if (cause instanceof CutOff) return true
    throw cause
  } finally {
    fs.renameSync = renameSync
    syncBuiltinESMExports()
  }
}

/** A backup of Ann; and the files of a killed server to which Ben was added since: he is in the journal of the log only. */
async function killedServer(t: Test) {
  const root = t.testdir()
  const [data, backups, killed] = [join(root, 'data'), join(root, 'backups'), join(root, 'killed')]
  const add = (name: string) => ({ email: `${name}@example.org`, name, password: 'a-known-password', role: 'admin' }) as const
  mkdirSync(join(data, 'blobs/uploads'), { recursive: true })
  writeFileSync(join(data, 'blobs/uploads/a.jpg'), 'the image of the backup')
  await withOfflineData(data, async (commands) => {
    await commands.addUser(add('Ann'))
    const made = await commands.backup({ path: backups }, () => {}, never)
    if (isRefusal(made)) throw new Error(made.message)
  })
  await withOfflineData(data, async (commands) => {
    await commands.addUser(add('Ben'))
    cpSync(data, killed, { recursive: true, filter: (path) => basename(path) !== 'lock' })
  })
  writeFileSync(join(killed, 'blobs/uploads/a.jpg'), 'the former image')
  writeFileSync(join(killed, 'secret'), SECRET)
  t.ok(readFileSync(join(killed, 'events.sqlite-wal')).length > 0)
  return { root, killed, backups }
}

const asideIn = (data: string) => readdirSync(data).filter((name) => name.startsWith('before-restore-of-'))

t.test('cut off at any step, a restoration keeps servers away, and its repetition goes on without losing an event', async (t) => {
  const { root, killed, backups } = await killedServer(t)
  let steps = 0
  for (let n = 1; ; n++) {
    const data = join(root, `data-${n}`)
    cpSync(killed, data, { recursive: true })
    if (!(await cutOffAt(n, data, () => restore(backups, data, true)))) break
    steps++
    const isMarked = existsSync(join(data, 'unfinished-restore'))
    if (isMarked) {
      t.match(problemOf(t, data), /^A restore into .* was interrupted\. Run it again: npm run marquee -- restore <backup> --data [^\n]*$/)
      t.match(await restore(join(root, 'nowhere'), data, false), { problem: /no backup/ })
      t.match(problemOf(t, data), 'was interrupted', 'a repetition that is refused changes nothing')
    }
    t.match(await restore(backups, data, !isMarked), { events: Number })
    t.equal(problemOf(t, data), 'none')
    t.strictSame(await namesIn(data), ['Ann'])
    t.equal(readFileSync(join(data, 'blobs/uploads/a.jpg'), 'utf8'), 'the image of the backup')
    const [aside = '', ...others] = asideIn(data)
    t.strictSame(others, [], 'one folder of former files')
    const former = join(root, `former-${n}`)
    cpSync(join(data, aside), former, { recursive: true })
    t.strictSame(await namesIn(former), ['Ann', 'Ben'], `cut off at ${n}`)
    t.equal(readFileSync(join(former, 'uploads/a.jpg'), 'utf8'), 'the former image')
    t.equal(readFileSync(join(former, 'secret'), 'utf8'), SECRET)
  }
  t.ok(steps > 8, `${steps} steps`)
})

t.test('a folder in which a restoration was cut off before it had a log is not taken for a new installation', async (t) => {
  const data = t.testdir({ restoring: { 'events.sqlite': 'half' } })
  t.match(problemOf(t, data), /^A restore into .* was interrupted\. Run it again: .*, or delete .*restoring to start a new installation\.$/)
  writeFileSync(join(data, 'events.sqlite'), 'its log')
  t.equal(problemOf(t, data), 'none', 'with a log of its own it goes on')
})
