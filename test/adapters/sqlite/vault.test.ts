import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createSqliteVault } from '../../../src/adapters/sqlite/vault.ts'
import { damagePages } from '../../fixtures/damaged-pages.ts'

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

t.test('a vault that is opened again has its keys, its graves, its hashes and its secrets', async (t) => {
  const file = join(t.testdir(), 'vault.sqlite')
  const first = createSqliteVault({ file })
  const [key, secret] = [await first.makeKey('ann'), await first.secret('cursors')]
  await first.makeKey('bob')
  await first.destroyKey('bob')
  await first.putPasswordHash('ann', 1, 'scrypt:one')
  await first.close()
  const second = createSqliteVault({ file })
  t.teardown(() => second.close())
  t.strictSame(await second.key('ann'), key)
  t.strictSame(await second.secret('cursors'), secret)
  t.equal(await second.passwordHash('ann', 1), 'scrypt:one')
  await t.rejects(second.makeKey('bob'), { code: 'key-destroyed' })
})

t.test('only the owner may read the file, also one that was there before', async (t) => {
  const folder = t.testdir({ 'old.sqlite': '' })
  for (const name of ['new.sqlite', 'old.sqlite']) {
    const file = join(folder, name)
    const vault = createSqliteVault({ file })
    await vault.makeKey('ann')
    t.equal(mode(file), '600')
    await vault.close()
  }
})

t.test('no byte of a destroyed key is left in any file of the vault', async (t) => {
  const folder = t.testdir()
  const vault = createSqliteVault({ file: join(folder, 'vault.sqlite') })
  t.teardown(() => vault.close())
  const keys = await Promise.all(Array.from({ length: 60 }, (_, number) => vault.makeKey(`user-${number}`)))
  const holds = (key: Uint8Array): boolean =>
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(Buffer.from(key)))
  t.ok(keys.every(holds))
  for (const number of [0, 7, 30, 59]) await vault.destroyKey(`user-${number}`)
  t.strictSame(
    keys.flatMap((key, number) => (holds(key) ? [] : [number])),
    [0, 7, 30, 59],
  )
})

t.test('reads of a damaged vault name the file and what to do', async (t) => {
  const file = join(t.testdir(), 'vault.sqlite')
  const whole = createSqliteVault({ file })
  await whole.makeKey('ann')
  await whole.close()
  for (const table of ['keys', 'password_hashes', 'secrets']) damagePages(file, table)
  const vault = createSqliteVault({ file })
  t.teardown(() => vault.close())
  const reads: readonly Promise<unknown>[] = [
    vault.key('ann'),
    vault.passwordHash('ann', 1),
    vault.hasSecret('cursors'),
    vault.contents(),
    vault.secret('cursors'),
  ]
  for (const read of reads) {
    await t.rejects(read, {
      code: 'damaged',
      message: `${file} is damaged. Stop Marquee, keep a copy of the file, and restore it from a backup`,
    })
  }
})

t.test('a file that is no vault is refused and left alone', (t) => {
  const file = join(t.testdir(), 'vault.sqlite')
  writeFileSync(file, 'somebody may miss this '.repeat(300))
  const before = readFileSync(file)
  t.throws(() => createSqliteVault({ file }))
  t.strictSame(readFileSync(file), before)
  t.end()
})
