import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { subfoldersOf } from '../../../src/adapters/ffmpeg/subfolders.ts'

t.test('folders within a folder are listed in order, with links to folders, and without files, hidden and system folders', async (t) => {
  const folder = t.testdir()
  for (const name of ['b', 'a', '.hidden', '@eaDir']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'film.mkv'), '')
  await symlink(join(folder, 'a'), join(folder, 'link'))
  await symlink(join(folder, 'film.mkv'), join(folder, 'link-to-file'))
  await symlink(join(folder, 'nowhere'), join(folder, 'broken'))
  t.strictSame(await subfoldersOf(folder), { available: true, names: ['a', 'b', 'link'] })
})

t.test('a folder that is missing, or is a file, is named as such', async (t) => {
  const folder = t.testdir({ film: '' })
  t.strictSame(await subfoldersOf(join(folder, 'nowhere')), { available: false, reason: 'missing' })
  t.strictSame(await subfoldersOf(join(folder, 'film')), { available: false, reason: 'not-a-folder' })
})
