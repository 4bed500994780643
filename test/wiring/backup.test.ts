/** Backups and their restoration, on the files of a data folder. */
import t, { type Test } from 'tap'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isRefusal } from '../../src/domain/refusal.ts'
import { manifestBytes, type Manifest } from '../../src/app/backup/backup-format.ts'
import type { BackupSummary } from '../../src/app/backup/backups.ts'
import type { OfflineCommands, OpenOffline } from '../../src/process/open-offline.ts'
import type { RestoredBackup, RestoreProblem } from '../../src/process/restore.ts'
import { restoreBackup } from '../../src/wiring/restore-backup.ts'
import { openOffline } from '../../src/wiring/wiring.ts'
import { offlineConfig, withOfflineData } from '../fixtures/offline-data.ts'

const never = new AbortController().signal
const PASSWORD = 'a-known-password'

async function backUp(commands: OfflineCommands, path: string, more: { passphrase?: string; keep?: number } = {}): Promise<BackupSummary> {
  const made = await commands.backup({ path, ...more }, () => {}, never)
  if (isRefusal(made)) throw new Error(made.message)
  return made
}

const addUser = (commands: OfflineCommands, name: string) =>
  commands.addUser({ email: `${name.toLowerCase()}@example.org`, name, password: PASSWORD, role: 'admin' })

interface RestoreOptions {
  readonly passphrase?: string
  readonly at?: string
  readonly replace?: boolean
  readonly keys?: string[]
  readonly open?: OpenOffline
  readonly blobs?: string
}

const restore = (path: string, dataDir: string, more: RestoreOptions = {}) =>
  restoreBackup({
    path,
    config: { ...offlineConfig(dataDir), blobs: more.blobs },
    at: more.at,
    passphrase: more.passphrase,
    keys: more.keys,
    replace: more.replace ?? false,
    print: () => {},
    signal: never,
    openOffline: more.open ?? openOffline,
  })

const namesIn = (dataDir: string) =>
  withOfflineData(dataDir, async (commands) => (await commands.listUsers()).map(({ name }) => name).toSorted())

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** What a restoration says that was refused, as a value or an error. */
async function refusalOf(restoring: Promise<RestoredBackup | RestoreProblem>): Promise<string> {
  try {
    const restored = await restoring
    return 'problem' in restored ? restored.problem : `restored ${restored.id}`
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** The data of a household of three: made once, because hashing three passwords takes longer than most tests here. */
const HOUSEHOLD = t.testdir()
await withOfflineData(HOUSEHOLD, async (commands) => {
  for (const name of ['Ann', 'Ben', 'Cleo']) await addUser(commands, name)
})

/** That household in `data`, and places for backups. */
function household(t: Test) {
  const root = t.testdir()
  const data = join(root, 'data')
  cpSync(HOUSEHOLD, data, { recursive: true })
  return { root, data, backups: join(root, 'backups') }
}

for (const kind of ['folder', 'file'] as const) {
  t.test(`a ${kind} restored elsewhere holds the accounts and uploads, and verifies against a checkpoint from before`, async (t) => {
    const { root, data } = household(t)
    const path = join(root, kind === 'file' ? 'all.marquee' : 'backups')
    mkdirSync(join(data, 'blobs/uploads/posters'), { recursive: true })
    writeFileSync(join(data, 'blobs/uploads/posters/a.jpg'), 'an image')
    const before = await withOfflineData(data, (commands) => backUp(commands, join(root, 'before')))
    const made = await withOfflineData(data, async (commands) => {
      await addUser(commands, 'Dan')
      return backUp(commands, path)
    })
    t.ok(made.events > before.events)
    const elsewhere = join(root, 'elsewhere')
    t.match(await restore(path, elsewhere), { id: made.id, events: made.events })
    t.strictSame(await namesIn(elsewhere), ['Ann', 'Ben', 'Cleo', 'Dan'])
    t.equal(readFileSync(join(elsewhere, 'blobs/uploads/posters/a.jpg'), 'utf8'), 'an image')
    const checkpoints = before.checkpoint + made.checkpoint
    const verified = await withOfflineData(elsewhere, (commands) => commands.verify({ checkpoints }, () => {}, never))
    t.match(verified, { problems: [], faults: [], first: null, notes: { compared: 2, skipped: 0, torn: 0 } })
    t.equal(statSync(join(elsewhere, 'vault.sqlite')).mode & 0o777, 0o600)
  })
}

t.test('a file that is no backup is not written over, and the message says what a backup is called', async (t) => {
  const { root, data } = household(t)
  writeFileSync(join(root, 'notes'), 'mine')
  await t.rejects(
    withOfflineData(data, (commands) => backUp(commands, join(root, 'notes'))),
    /notes is a file: give a folder, or a name that ends with \.marquee/,
  )
  t.equal(readFileSync(join(root, 'notes'), 'utf8'), 'mine')
})

t.test('a second backup into a folder writes only what is new there', async (t) => {
  const { data, backups } = household(t)
  const [first, again, more] = await withOfflineData(data, async (commands) => {
    // More than one piece of the log.
    for (let n = 0; n < 700; n++) {
      const users = await commands.listUsers()
      await commands.enableUser({ user: users[0]?.id ?? '', enabled: n % 2 === 1 })
    }
    const one = await backUp(commands, backups)
    const two = await backUp(commands, backups)
    await addUser(commands, 'Dan')
    return [one, two, await backUp(commands, backups)] as const
  })
  t.ok(first.events > 1_024, `${first.events} events`)
  t.match(first, { files: Math.ceil(first.events / 1_024), reused: 0 })
  t.match(again, { files: 0, bytes: 0, reused: first.files })
  t.match(more, { files: 1, reused: first.files - 1 }, 'the last piece alone')
})

t.test('once a person is erased and the next backup is made, no backup of the folder holds their key', async (t) => {
  const { root, data, backups } = household(t)
  const { old, user, keys } = await withOfflineData(data, async (commands) => {
    const made = await backUp(commands, backups)
    const vault = readFileSync(join(backups, 'vault', made.id), 'utf8')
    const ben = (await commands.listUsers()).find(({ name }) => name === 'Ben')
    await commands.eraseUser({ user: ben?.id ?? '' })
    await backUp(commands, backups)
    return { old: made, user: ben?.id ?? '', keys: JSON.parse(vault) as { contents: { keys: { subject: string; key: string }[] } } }
  })
  const key = keys.contents.keys.find(({ subject }) => subject === user)?.key
  t.ok(key, 'the backup before the erasure had the key')
  for (const file of filesIn(backups)) t.notMatch(readFileSync(file, 'latin1'), key ?? '', file)
  const [restored, earlier] = [join(root, 'restored'), join(root, 'earlier')]
  await restore(backups, restored)
  t.strictSame(await namesIn(restored), ['Ann', 'Cleo'])
  t.match(await restore(backups, earlier, { at: old.id }), { id: old.id, events: old.events }, 'the log from before is as it was')
  t.notOk((await namesIn(earlier)).includes('Ben'), 'but nothing opens his name')
})

t.test('an encrypted backup opens with its passphrase only, and shows no name and no key without it', async (t) => {
  const { root, data, backups } = household(t)
  const passphrase = 'a long passphrase'
  await withOfflineData(data, async (commands) => {
    await backUp(commands, backups, { passphrase })
    t.match(await backUp(commands, backups, { passphrase }), { files: 0 }, 'the next one shares its pieces')
    t.match(await commands.backup({ path: backups }, () => {}, never), { refusal: 'invalid', message: /encrypted: give their passphrase/ })
  })
  for (const file of filesIn(backups)) {
    // Each version of Marquee writes the same list of all its event types, whatever the log holds.
    const text = readFileSync(file, 'latin1').replace(/"eventVersions": \{[^}]*\}/, '')
    t.notMatch(text, /scrypt\$|UserRegistered|password/i, file)
  }
  t.match(await restore(backups, join(root, 'a')), { needsPassphrase: true, problem: /encrypted/ })
  t.match(await restore(backups, join(root, 'b'), { passphrase: 'another one' }), { problem: /does not open/ })
  t.match(await restore(backups, join(root, 'c'), { passphrase }), { id: /^20/ })
  t.strictSame(await namesIn(join(root, 'c')), ['Ann', 'Ben', 'Cleo'])
})

t.test('a damaged, truncated or half backup is refused, and nothing is made', async (t) => {
  const { root, data, backups } = household(t)
  await withOfflineData(data, (commands) => backUp(commands, backups))
  for (const [n, file] of filesIn(backups).entries()) {
    const whole = readFileSync(file)
    const dataDir = join(root, `refused-${n}`)
    const middle = Math.floor(whole.length / 2)
    const flipped = Buffer.from(whole)
    flipped[middle] = (flipped[middle] ?? 0) ^ 1
    for (const bytes of [whole.subarray(0, middle), flipped, undefined]) {
      if (bytes) writeFileSync(file, bytes)
      else rmSync(file)
      t.match(
        await refusalOf(restore(backups, dataDir)),
        /damaged|half a backup|missing|no complete|does not (fit|verify)|no backup|its signature|None of these keys/,
        `${file} ${bytes ? `${bytes.length} bytes` : 'gone'}`,
      )
      t.notOk(existsSync(dataDir))
    }
    writeFileSync(file, whole)
  }
  t.match(await restore(backups, join(root, 'good')), { id: /^20/ }, 'whole again, it restores')
})

for (const passphrase of [undefined, 'a long passphrase'])
  t.test(`a damaged file of earlier backups is written again, ${passphrase ? 'encrypted' : 'plain'}`, async (t) => {
    const { root, data, backups } = household(t)
    const more = passphrase === undefined ? {} : { passphrase }
    mkdirSync(join(data, 'blobs/uploads'), { recursive: true })
    writeFileSync(join(data, 'blobs/uploads/a.jpg'), 'an image')
    await withOfflineData(data, async (commands) => {
      const { files } = await backUp(commands, backups, more)
      for (const file of ['log', 'blobs'].flatMap((kind) => filesIn(join(backups, kind)))) {
        const whole = readFileSync(file)
        const middle = Math.floor(whole.length / 2)
        const flipped = Buffer.from(whole)
        flipped[middle] = (flipped[middle] ?? 0) ^ 1
        for (const bytes of [Buffer.of(), whole.subarray(0, middle), flipped]) {
          writeFileSync(file, bytes)
          t.match(await backUp(commands, backups, more), { files: 0, bytes: 0, reused: files - 1, replaced: 1 }, file)
          t.match(await backUp(commands, backups, more), { files: 0, reused: files, replaced: 0 }, 'then it is whole')
        }
      }
    })
    t.match(await restore(backups, join(root, 'copy'), more), { id: /^20/ })
    t.equal(readFileSync(join(root, 'copy/blobs/uploads/a.jpg'), 'utf8'), 'an image')
  })

t.test('a refused restoration leaves folders as they were, also those of others', async (t) => {
  const { root, data, backups } = household(t)
  await withOfflineData(data, (commands) => backUp(commands, backups))
  for (const file of filesIn(join(backups, 'log'))) writeFileSync(file, '')
  mkdirSync(join(root, 'given/cache'), { recursive: true })
  writeFileSync(join(root, 'given/note'), 'mine')
  const problem =
    /^The backup is damaged: log\/.* is not what was written\. Another backup in the same place may be whole: choose it with --at$/
  t.match(await restore(backups, join(root, 'given')), { problem })
  t.strictSame(readdirSync(join(root, 'given')), ['cache', 'note'])
  t.match(await restore(backups, join(root, 'new/a/data'), { blobs: join(root, 'new/b/blobs') }), { problem })
  t.notOk(existsSync(join(root, 'new')))
  t.match(await restore(backups, data), { problem: /has an event log already/ })
  t.ok(existsSync(join(data, 'lock')), 'the lock of a folder with a log stays')
})

t.test('a restoration onto a file, or below one, says so, and that nothing was restored', async (t) => {
  const { root, data, backups } = household(t)
  await withOfflineData(data, (commands) => backUp(commands, backups))
  const file = join(root, 'file')
  writeFileSync(file, 'mine')
  t.match(await restore(backups, file), { problem: `${file} is a file: name a folder with --data` })
  t.match(await restore(backups, join(file, 'below')), { problem: /file\/below.* cannot be used: part of its path is a file$/ })
  t.equal(readFileSync(file, 'utf8'), 'mine')
})

t.test('a backup file that was cut off anywhere is refused', async (t) => {
  const { root, data } = household(t)
  const path = join(root, 'all.marquee')
  await withOfflineData(data, (commands) => backUp(commands, path))
  const whole = readFileSync(path)
  for (const share of [0, 0.01, 0.3, 0.6, 0.9, 0.99]) {
    truncateSync(path, Math.floor(whole.length * share))
    t.match(await refusalOf(restore(path, join(root, 'a'))), /ends too early|only half a backup/, `${share}`)
    writeFileSync(path, whole)
  }
  rmSync(`${path}.vault`)
  t.match(await refusalOf(restore(path, join(root, 'a'))), /with the keys is missing/)
})

t.test('a folder that has a log is not touched, unless it is to be replaced: then it is set aside', async (t) => {
  const { root, data, backups } = household(t)
  const made = await withOfflineData(data, (commands) => backUp(commands, backups))
  await withOfflineData(data, (commands) => addUser(commands, 'Dan'))
  const log = readFileSync(join(data, 'events.sqlite'))
  t.match(await restore(backups, data), { problem: /has an event log already/ })
  t.ok(readFileSync(join(data, 'events.sqlite')).equals(log))
  const restored = await restore(backups, data, { replace: true })
  t.match(restored, { id: made.id, aside: join(data, `before-restore-of-${made.id}`) })
  t.strictSame(await namesIn(data), ['Ann', 'Ben', 'Cleo'])
  t.ok(existsSync(join(data, `before-restore-of-${made.id}`, 'events.sqlite')))
  t.match(await restore(join(root, 'nowhere'), join(root, 'a')), { problem: /There is no backup/ })
})

t.test('a folder that a process uses is not restored into', async (t) => {
  const { data, backups } = household(t)
  await withOfflineData(data, async (commands) => {
    await backUp(commands, backups)
    t.match(await refusalOf(restore(backups, data, { replace: true })), /in use by another Marquee process\. Stop that one first.*[^.]$/)
  })
})

t.test('a restoration whose read models cannot be built says that the log is restored, and where the former one is', async (t) => {
  const { data, backups } = household(t)
  const made = await withOfflineData(data, (commands) => backUp(commands, backups))
  await withOfflineData(data, (commands) => addUser(commands, 'Dan'))
  const aside = join(data, `before-restore-of-${made.id}`)
  await t.rejects(restore(backups, data, { replace: true, open: () => Promise.reject(new Error('The disk is full')) }), {
    message: `Backup ${made.id} is restored and verified, but its read models are not built; the next start builds them. The former data is in ${aside}. The disk is full`,
  })
  t.strictSame(await namesIn(data), ['Ann', 'Ben', 'Cleo'])
})

t.test('a second restoration of the same backup sets aside what is there without touching what the first one set aside', async (t) => {
  const { data, backups } = household(t)
  const lasting = join(data, 'blobs/uploads')
  mkdirSync(lasting, { recursive: true })
  writeFileSync(join(lasting, 'a.jpg'), 'an image')
  writeFileSync(join(data, 'secret'), 'the signing secret of the backup, 32 or more', { mode: 0o600 })
  const made = await withOfflineData(data, (commands) => backUp(commands, backups))
  writeFileSync(join(data, 'secret'), 'a newer signing secret of 32 characters', { mode: 0o600 })
  await withOfflineData(data, (commands) => addUser(commands, 'Dan'))
  const aside = join(data, `before-restore-of-${made.id}`)
  t.match(await restore(backups, data, { replace: true }), { aside })
  const first = filesIn(aside).map((file) => [file, readFileSync(file, 'base64')])
  t.match(await restore(backups, data, { replace: true }), { aside: `${aside}-2` })
  t.strictSame(
    filesIn(aside).map((file) => [file, readFileSync(file, 'base64')]),
    first,
  )
  t.equal(readFileSync(join(aside, 'secret'), 'utf8'), 'a newer signing secret of 32 characters')
  t.equal(readFileSync(join(data, 'secret'), 'utf8'), 'the signing secret of the backup, 32 or more')
  t.equal(readFileSync(join(`${aside}-2`, 'uploads/a.jpg'), 'utf8'), 'an image')
  t.equal(readFileSync(join(lasting, 'a.jpg'), 'utf8'), 'an image')
})

t.test('a signing secret that is empty or too short is neither backed up nor restored', async (t) => {
  const { root, data, backups } = household(t)
  const secret = readFileSync(join(data, 'secret'), 'utf8')
  const { id } = await withOfflineData(data, (commands) => backUp(commands, backups))
  const file = join(backups, 'vault', id)
  const { contents } = JSON.parse(readFileSync(file, 'utf8')) as { readonly contents: { readonly signingSecret: string } }
  t.equal(contents.signingSecret, secret)
  for (const [n, signingSecret] of ['', 'short', ' '.repeat(64)].entries()) {
    const changed = { ...contents, signingSecret }
    const sha256 = createHash('sha256').update(JSON.stringify(changed)).digest('hex')
    writeFileSync(file, JSON.stringify({ sha256, contents: changed }))
    const copy = join(root, `copy-${n}`)
    t.match(await restore(backups, copy), { id })
    t.match(readFileSync(join(copy, 'secret'), 'utf8'), /^[0-9a-f]{64}$/, 'a new one was made')
    t.strictSame(await namesIn(copy), ['Ann', 'Ben', 'Cleo'])
  }
})

t.test('a backup that names events of a newer version is refused', async (t) => {
  const { root, data, backups } = household(t)
  const { id } = await withOfflineData(data, (commands) => backUp(commands, backups))
  const file = join(backups, 'backups', `${id}.json`)
  const { manifest } = JSON.parse(readFileSync(file, 'utf8')) as { readonly manifest: Manifest }
  t.match(manifest.eventVersions, { UserRegistered: 1 })
  writeFileSync(file, manifestBytes({ ...manifest, eventVersions: { ...manifest.eventVersions, UserRegistered: 2 } }))
  const refused = 'was written by a newer version of Marquee: it holds events UserRegistered of version 2 (known here: 1). Restore it'
  t.match(await refusalOf(restore(backups, join(root, 'copy'))), refused)
  t.notOk(existsSync(join(root, 'copy/events.sqlite')))
  const { eventVersions: _, ...first } = manifest
  writeFileSync(file, manifestBytes(first))
  t.match(await refusalOf(restore(backups, join(root, 'copy'))), `restored ${id}`, 'the first backups name no versions')
})

t.test('a backup from before an upgrade replaces the folder of the newer version', async (t) => {
  const { data, backups } = household(t)
  await withOfflineData(data, (commands) => backUp(commands, backups))
  const formats = join(data, 'formats.json')
  writeFileSync(formats, JSON.stringify({ version: 2 }))
  await t.rejects(namesIn(data), { message: /newer version of Marquee: it holds formats\.json of version 2/ })
  t.match(await refusalOf(restore(backups, data, { replace: true })), /^restored /)
  t.strictSame(await namesIn(data), ['Ann', 'Ben', 'Cleo'])
  t.match(readFileSync(formats, 'utf8'), '"version": 1')
})

t.test('a checkpoint that another key has signed is refused when the right key is given', async (t) => {
  const { root, data, backups } = household(t)
  const stranger = join(root, 'stranger')
  await withOfflineData(data, (commands) => backUp(commands, backups))
  const { verifier } = await withOfflineData(stranger, (commands) => commands.rotateCheckpointKey())
  t.match(await restore(backups, join(root, 'a'), { keys: [verifier] }), { problem: /None of these keys has signed/ })
  t.match(await withOfflineData(stranger, (commands) => commands.backup({ path: backups }, () => {}, never)), {
    refusal: 'conflict',
    message: /of another installation/,
  })
})

t.test('the oldest backups go when there are more than are to be kept, with all that only they held', async (t) => {
  const { root, data, backups } = household(t)
  const made = await withOfflineData(data, async (commands) => {
    const all: BackupSummary[] = []
    for (const name of ['Dan', 'Eve', 'Fay']) {
      await addUser(commands, name)
      all.push(await backUp(commands, backups, { keep: 2 }))
    }
    return all
  })
  t.strictSame(
    made.map(({ removed }) => removed),
    [0, 0, 1],
  )
  t.equal(readdirSync(join(backups, 'backups')).length, 2)
  t.equal(readdirSync(join(backups, 'vault')).length, 2)
  t.equal(filesIn(join(backups, 'log')).length, 2)
  t.match(await restore(backups, join(root, 'a'), { at: made[1]?.id ?? '' }), { events: made[1]?.events })
  t.match(await restore(backups, join(root, 'b'), { at: made[0]?.id ?? '' }), { problem: /There is no backup .*; there are/ })
})

/** Gives a backup the name of another time, as if a clock had been wrong. */
function renameBackup(backups: string, id: string, name: string): void {
  const file = (of: string) => join(backups, 'backups', `${of}.json`)
  const { manifest } = JSON.parse(readFileSync(file(id), 'utf8')) as { readonly manifest: Manifest }
  writeFileSync(file(name), manifestBytes({ ...manifest, id: name }))
  rmSync(file(id))
  renameSync(join(backups, 'vault', id), join(backups, 'vault', name))
}

const AHEAD = '2999-01-01T00-00-00.000Z'

t.test('the backup that was made last is restored, and kept longest, also if an earlier one is dated later', async (t) => {
  const { root, data, backups } = household(t)
  await withOfflineData(data, async (commands) => renameBackup(backups, (await backUp(commands, backups)).id, AHEAD))
  const last = await withOfflineData(data, async (commands) => {
    await addUser(commands, 'Dan')
    return backUp(commands, backups)
  })
  t.match(await restore(backups, join(root, 'a')), { id: last.id })
  t.match(await restore(backups, join(root, 'b'), { at: AHEAD }), { id: AHEAD }, 'the other one can be named')
  t.match(await withOfflineData(data, (commands) => backUp(commands, backups, { keep: 2 })), { removed: 1 })
  t.notOk(readdirSync(join(backups, 'backups')).includes(`${AHEAD}.json`))
})

t.test('after the restoration of an earlier backup the ones made from then on are the last, although they hold fewer events', async (t) => {
  const { root, data, backups } = household(t)
  const [first, more] = await withOfflineData(data, async (commands) => {
    const before = await backUp(commands, backups)
    for (const name of ['Dan', 'Eve', 'Fay']) await addUser(commands, name)
    return [before, await backUp(commands, backups)] as const
  })
  await restore(backups, data, { at: first.id, replace: true })
  const last = await withOfflineData(data, (commands) => backUp(commands, backups, { keep: 2 }))
  t.ok(last.events < more.events)
  t.match(await restore(backups, join(root, 'a')), { id: last.id })
  t.strictSame(readdirSync(join(backups, 'backups')), [`${more.id}.json`, `${last.id}.json`])
})

t.test('backups from before they were numbered come first, in the order of their times', async (t) => {
  const { root, data, backups } = household(t)
  const ids = await withOfflineData(data, async (commands) => [(await backUp(commands, backups)).id, (await backUp(commands, backups)).id])
  for (const id of ids) {
    const file = join(backups, 'backups', `${id}.json`)
    const { manifest } = JSON.parse(readFileSync(file, 'utf8')) as { readonly manifest: Manifest }
    const { number: _, ...unnumbered } = manifest
    writeFileSync(file, manifestBytes(unnumbered))
  }
  t.match(await restore(backups, join(root, 'a')), { id: ids[1] })
  renameBackup(backups, ids[1] ?? '', AHEAD)
  const last = await withOfflineData(data, (commands) => backUp(commands, backups, { keep: 2 }))
  t.match(last, { removed: 1 })
  t.match(await restore(backups, join(root, 'b')), { id: last.id })
})
