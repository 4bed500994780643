import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { makeFolder, makeFolderSync } from '../../../src/adapters/shared/make-folder.ts'

for (const [name, make] of [
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path: string) => makeFolderSync(path)],
] as const) {
  t.test(`${name} makes a folder with its parents for its owner only, and leaves one that exists as it is`, async (t) => {
    const root = t.testdir({ open: {} })
    const path = join(root, 'a', 'b', 'c')
    await Promise.all([make(path), make(path)])
    for (const made of [path, join(root, 'a', 'b'), join(root, 'a')]) t.equal(statSync(made).mode & 0o777, 0o700, made)
    const mode = statSync(join(root, 'open')).mode
    await make(join(root, 'open'))
    t.equal(statSync(join(root, 'open')).mode, mode)
  })

  t.test(`${name} fails at a file in the path`, async (t) => {
    const file = join(t.testdir({ file: 'no folder' }), 'file')
    await t.rejects(make(file), { code: 'EEXIST' })
    for (const below of ['a', 'a/b']) await t.rejects(make(join(file, below)), { code: 'ENOTDIR' })
  })

  t.test(
    `${name} fails where the system denies that the parent exists`,
    { skip: existsSync('/proc/self') ? false : 'no /proc' },
    async (t) => {
      for (const path of ['/proc/marquee', '/proc/marquee/data']) await t.rejects(make(path), { code: 'ENOENT' })
    },
  )
}
