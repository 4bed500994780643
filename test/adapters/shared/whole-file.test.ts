import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { PRIVATE, writeWhole } from '../../../src/adapters/shared/whole-file.ts'

t.test('a file is there whole under its name, in a folder that is made for it, and nothing else is', async (t) => {
  const folder = join(t.testdir(), 'ab')
  const path = join(folder, 'one.bin')
  await writeWhole(path, 'first', PRIVATE)
  await writeWhole(path, Buffer.from('second'), PRIVATE)
  t.equal(readFileSync(path, 'utf8'), 'second')
  t.strictSame(readdirSync(folder), ['one.bin'])
  t.strictSame([statSync(path).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700])
})

t.test('of several writers of one file each writes all of it', async (t) => {
  const folder = t.testdir()
  const contents = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(100_000))
  await Promise.all(contents.map((content) => writeWhole(join(folder, 'one'), content)))
  t.ok(contents.includes(readFileSync(join(folder, 'one'), 'utf8')))
  t.strictSame(readdirSync(folder), ['one'])
})

t.test('what cannot be written is an error, and leaves nothing behind', async (t) => {
  const folder = t.testdir()
  mkdirSync(join(folder, 'taken'))
  await t.rejects(writeWhole(join(folder, 'taken'), 'content'))
  t.strictSame(readdirSync(folder), ['taken'])
})
