/** What `doctor` finds about the folders of libraries, backups and blobs. */
import t from 'tap'
import { chmodSync, mkdirSync, rmSync, writeFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { answersOf } from '../../src/command-socket/answers.ts'
import { listenForCommands } from '../../src/command-socket/listen.ts'
import { socketPlace } from '../../src/command-socket/socket-place.ts'
import { checkBackupFolder, checkFolders, checkLibraryFolders, checkWritten } from '../../src/process/doctor/folder-checks.ts'
import { failed } from '../../src/process/doctor/finding.ts'
import { offlineConfig, withOfflineData } from '../fixtures/offline-data.ts'
import { standInCommands } from '../fixtures/stand-in-commands.ts'

/** Root may do everything, whatever the mode. */
const isRoot = process.getuid?.() === 0

t.test('a folder that is written is there, can be made, or is a problem', async (t) => {
  const folder = t.testdir({ here: {}, closed: {}, file: 'text' })
  const look = (path: string) => checkWritten({ check: 'blobs folder', path: join(folder, path), setting: 'MARQUEE_BLOBS', found: failed })
  t.match(await look('here'), { check: 'blobs folder', state: 'ok', text: /can be read and written/ })
  t.match(await look('later/deeper'), { state: 'ok', text: /the server makes it/ })
  t.match(await look('file'), { state: 'failed', text: /is not a folder/, remedy: /MARQUEE_BLOBS/ })
  t.match(await look('file/below'), { state: 'failed', text: /may not make it/, remedy: /MARQUEE_BLOBS/ })
  chmodSync(join(folder, 'closed'), 0o500)
  if (!isRoot) t.match(await look('closed'), { state: 'failed', remedy: /chown/ })
  if (!isRoot) t.match(await look('closed/below'), { state: 'failed', text: /may not make it/ })
})

t.test('a backup folder in the data folder is a warning, also by a link, and one beside it is not', async (t) => {
  const folder = t.testdir({ data: { backups: {} }, 'data-backups': {} })
  symlinkSync(join(folder, 'data'), join(folder, 'link'))
  const stateOf = async (path: string) => (await checkBackupFolder(join(folder, path), join(folder, 'data'))).state
  for (const path of ['data', 'data/backups', 'data/later/deeper', 'link/backups', 'data/..later'])
    t.equal(await stateOf(path), 'warning', path)
  for (const path of ['data-backups', 'later', 'data/../other']) t.equal(await stateOf(path), 'ok', path)
})

t.test('backups that cannot be written are a warning, and folders that no setting names are not looked at', async (t) => {
  const folder = t.testdir({ file: 'text' })
  const dataDir = join(folder, 'data')
  t.strictSame(await checkFolders(offlineConfig(dataDir)), [])
  const env = { MARQUEE_BACKUP_DIR: join(folder, 'file'), MARQUEE_BLOBS: join(folder, 'file') }
  t.match(await checkFolders(offlineConfig(dataDir, env)), [
    { check: 'blobs folder', state: 'failed' },
    { check: 'backup folder', state: 'warning', remedy: /MARQUEE_BACKUP_DIR/ },
  ])
})

t.test('folders of films are there, missing, no folder, or not seen by the server', async (t) => {
  const folder = t.testdir({ films: {}, file: 'text', closed: {} })
  const at = (path: string, isAway = false) => ({ library: 'Films', path: join(folder, path), isAway })
  t.strictSame(await checkLibraryFolders([]), [])
  t.match(await checkLibraryFolders([at('films'), at('films')]), [{ state: 'ok', text: '2 folders of films can be read' }])
  t.match(await checkLibraryFolders([at('films'), at('gone', true), at('file'), at('films', true)]), [
    { state: 'warning', text: /gone of the library Films is not there/, remedy: /Mount/ },
    { state: 'warning', text: /is not a folder/ },
    { state: 'warning', text: /has not seen it/, remedy: /Scan/ },
  ])
  chmodSync(join(folder, 'closed'), 0o000)
  if (!isRoot) t.match(await checkLibraryFolders([at('closed')]), [{ state: 'warning', text: /cannot be read/, remedy: /chmod/ }])
  chmodSync(join(folder, 'closed'), 0o700)
})

t.test('the libraries are those of the running server', async (t) => {
  const dataDir = t.testdir()
  const listener = await listenForCommands({
    place: socketPlace(dataDir),
    handle: answersOf(standInCommands()),
    clock: createSystemClock(),
  })
  t.teardown(() => listener.close())
  t.match(await checkFolders(offlineConfig(dataDir)), [{ text: /^\/media\/films of/ }, { text: /^\/mnt\/away of/ }])
})

t.test('the libraries are those of the files if no server runs, without the removed ones', async (t) => {
  const folder = t.testdir({ films: {}, old: {} })
  const config = offlineConfig(join(folder, 'data'))
  await withOfflineData(join(folder, 'data'), async (commands) => {
    await commands.addUser({ email: 'ann@example.org', name: 'Ann', password: 'a-known-password', role: 'admin' })
    await commands.addLibrary({ name: 'Films', paths: [join(folder, 'films')] })
    const old = await commands.addLibrary({ name: 'Old', paths: [join(folder, 'old')] })
    const path = `/v1/libraries/${'id' in old ? old.id : ''}`
    await commands.callApi({ method: 'DELETE', path, body: null }, new AbortController().signal)
  })
  t.match(await checkFolders(config), [{ check: 'library folders', state: 'ok', text: '1 folder of films can be read' }])
  rmSync(join(folder, 'films'), { recursive: true })
  t.match(await checkFolders(config), [{ state: 'warning', text: /films of the library Films is not there/ }])
})

t.test('read models that cannot be read are no reason to fail', async (t) => {
  const dataDir = join(t.testdir(), 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'read-models.sqlite'), 'no database')
  t.strictSame(await checkFolders(offlineConfig(dataDir)), [])
})
