import t from 'tap'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdDataFolder, ownDataFolder } from '../../src/process/data-folder.ts'
import type { OwnedFolder } from '../../src/process/data-folder.ts'

const program = join(import.meta.dirname, 'hold-folder.ts')

/** Starts a process that takes the folder; returns its first line. */
async function hold(path: string, user: { readonly uid?: number; readonly gid?: number } = {}) {
  const child = spawn(process.execPath, [program, path], {
    // The test runner's own output files are not writable for another user, which would print a warning.
    stdio: ['pipe', 'pipe', user.uid === undefined ? 'inherit' : 'ignore'],
    ...user,
  })
  const [said] = await once(child.stdout, 'data')
  return { said: String(said).trim(), child, end: once(child, 'exit') }
}

function own(path: string): OwnedFolder {
  const folder = ownDataFolder({ dataDir: path, blobs: undefined })
  if ('problem' in folder) throw new Error(folder.problem)
  return folder
}

const problemOf = (path: string) => {
  const folder = ownDataFolder({ dataDir: path, blobs: undefined })
  return 'problem' in folder ? folder.problem : 'none'
}

t.test('a missing data folder is made for its owner only, with what it holds', async (t) => {
  const path = join(t.testdir(), 'a', 'data')
  const folder = own(path)
  t.equal(statSync(path).mode & 0o777, 0o700)
  t.equal(statSync(folder.blobs).mode & 0o777, 0o700)
  t.ok(statSync(folder.cache).isDirectory())
  t.equal(folder.eventLog, join(path, 'events.sqlite'))
  folder.release()
})

t.test('blobs lie where the settings say', async (t) => {
  const blobs = join(t.testdir(), 'shared', 'blobs')
  const folder = ownDataFolder({ dataDir: join(t.testdirName, 'data'), blobs })
  t.match(folder, { blobs })
  t.ok(statSync(blobs).isDirectory())
  if ('release' in folder) folder.release()
})

t.test('a second process is refused with one line that names the folder and how to go on', async (t) => {
  const path = t.testdir()
  const first = await hold(path)
  t.equal(first.said, 'owned')
  const problem = problemOf(path)
  t.match(problem, path)
  t.match(problem, 'MARQUEE_DATA_DIR')
  t.notMatch(problem, '\n')
  first.child.stdin.end()
  await first.end
})

t.test('the folder is free again at once when its process was killed', async (t) => {
  const path = t.testdir()
  const first = await hold(path)
  first.child.kill('SIGKILL')
  await first.end
  const second = await hold(path)
  t.equal(second.said, 'owned')
  second.child.kill('SIGKILL')
  await second.end
  own(path).release()
})

t.test('the folder stays taken under another name', async (t) => {
  const path = t.testdir({ data: {} })
  symlinkSync(join(path, 'data'), join(path, 'link'))
  const folder = own(join(path, 'data'))
  const other = await hold(join(path, 'link'))
  t.match(other.said, `The data folder ${join(path, 'data')} is in use`)
  other.child.stdin.end()
  await other.end
  folder.release()
  folder.release()
  own(join(path, 'link')).release()
})

t.test('a folder that cannot be made is answered in one line', async (t) => {
  const path = t.testdir({ file: 'no folder' })
  const problem = problemOf(join(path, 'file', 'data'))
  t.match(problem, /cannot be used \(ENOTDIR/)
  t.notMatch(problem, '\n')
})

t.test('a lock file that holds bytes is named as what may be deleted, and left alone', async (t) => {
  const path = t.testdir()
  const lock = join(path, 'lock')
  for (const bytes of ['hello\n', 'x'.repeat(5000)]) {
    writeFileSync(lock, bytes)
    const problem = `${lock} is damaged: it only locks the folder and should be empty. Make sure that no Marquee process uses ${path}, and delete this file.`
    t.equal(problemOf(path), problem)
    t.strictSame(holdDataFolder({ dataDir: path, blobs: undefined }), { problem })
    t.equal(readFileSync(lock, 'utf8'), bytes)
    rmSync(lock)
    own(path).release()
  }
})

t.test('the folder stays taken if bytes are written into the lock file of a running process', async (t) => {
  const path = t.testdir()
  const first = await hold(path)
  writeFileSync(join(path, 'lock'), 'hello\n')
  t.match(problemOf(path), `The data folder ${path} is in use`)
  first.child.stdin.end()
  await first.end
})

t.test('each file that is read-only is named at the start, with what it holds', async (t) => {
  // Nothing is read-only for root: then a process of another user checks.
  const NOBODY = 65_534
  const isRoot = process.getuid?.() === 0
  const other = { uid: NOBODY, gid: NOBODY, env: {} }
  if (isRoot && spawnSync(process.execPath, ['-e', `require('fs').accessSync(${JSON.stringify(program)})`], other).status !== 0) {
    console.error('SKIPPED: the user nobody, who is to meet read-only files, cannot read this checkout')
    return
  }
  const path = mkdtempSync(join(tmpdir(), 'm-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  if (isRoot) chownSync(path, NOBODY, NOBODY)
  const names = ['events.sqlite', 'read-models.sqlite', 'vault.sqlite', 'outcomes.sqlite', 'lock', 'secret']
  for (const name of names) {
    writeFileSync(join(path, name), '')
    if (isRoot) chownSync(join(path, name), NOBODY, NOBODY)
    chmodSync(join(path, name), name === 'secret' ? 0 : 0o400)
  }
  const { said, child, end } = await hold(path, isRoot ? { uid: NOBODY, gid: NOBODY } : {})
  child.stdin.end()
  await end
  const lines = said.split('\n')
  t.equal(lines.length, names.length)
  for (const name of names)
    t.ok(
      lines.some((line) => line.startsWith(`${join(path, name)} cannot be `)),
      name,
    )
  t.match(lines[0], /events\.sqlite cannot be written \(EACCES\): it holds the event log\. Make it accessible/)
})
