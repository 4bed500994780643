import t from 'tap'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBackupFile, openBackupFile } from '../../../src/adapters/filesystem/backup-file.ts'

const SOURCE = new URL('../../../src/adapters/filesystem/backup-file.ts', import.meta.url).href

t.test('an archive gives back what was written, before and after it is complete', async (t) => {
  const path = join(t.testdir(), 'all.marquee')
  const files = { 'log/a': Buffer.alloc(512, 1), 'log/b': Buffer.alloc(0), 'log/c': Buffer.from('c'), 'vault/d': Buffer.from('keys') }
  const made = await createBackupFile(path)
  for (const [name, bytes] of Object.entries(files)) {
    await made.write(name, bytes)
    t.ok(bytes.equals((await made.read(name)) ?? Buffer.from('nothing')), name)
  }
  t.strictSame(readdirSync(join(path, '..')), ['all.marquee.unfinished', 'all.marquee.vault.unfinished'])
  await made.close(true)
  const opened = await openBackupFile(path)
  for (const [name, bytes] of Object.entries(files)) t.ok(bytes.equals((await opened.read(name)) ?? Buffer.from('nothing')), name)
  t.strictSame(await opened.list(''), Object.keys(files))
  await opened.close(false)
})

/**
 * A shell limits the size of files to a KiB: the blocks at the end of the archive are written only in part, as on a full disk. The
 * environment is empty, since tap's hooks would end the program at the signal of the limit.
 */
t.test('an archive whose end does not fit onto the disk leaves the former one as it was', async (t) => {
  const folder = t.testdir({ 'all.marquee': 'the former one' })
  const program = `
    import { createBackupFile } from '${SOURCE}'
    const store = await createBackupFile('all.marquee')
    await store.write('a', new Uint8Array())
    console.log(await store.close(true).then(() => 'complete', (cause) => cause.code))`
  const limited = `trap '' XFSZ; ulimit -f 1; exec env -i "$0" --input-type=module -e "$1"`
  const said = execFileSync('bash', ['--norc', '-c', limited, process.execPath, program], { cwd: folder, encoding: 'utf8' })
  t.equal(said, 'EFBIG\n')
  t.strictSame(readdirSync(folder), ['all.marquee'])
  t.equal(readFileSync(join(folder, 'all.marquee'), 'utf8'), 'the former one')
})
