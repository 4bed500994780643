import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openBackupFolder } from '../../../src/adapters/filesystem/backup-folder.ts'

t.test('a folder is made with those above it, and found again', async (t) => {
  const root = join(t.testdir(), 'a', 'b', 'c')
  for (const bytes of ['first', 'second']) {
    const store = await openBackupFolder(root)
    await store.write('blobs/x/y', Buffer.from(bytes))
    t.equal((await store.read('blobs/x/y'))?.toString(), bytes)
  }
})

t.test('a folder that cannot be made is an error', { skip: existsSync('/proc/self') ? false : 'no /proc' }, async (t) => {
  await t.rejects(openBackupFolder('/proc/marquee/backup'), { code: 'ENOENT' }, 'also where the system says that its parent is missing')
  const file = t.testdir({ file: 'a file' })
  await t.rejects(openBackupFolder(join(file, 'file')), { code: 'EEXIST' })
})
