/** Tests that every vault must pass (src/ports/vault.ts), whatever its engine. */
import type { Test } from 'tap'
import { KeyDestroyed, type Vault } from '../../src/ports/vault.ts'

/** A separate vault for each test, and a second node's view of the same one. */
export interface VaultUnderTest {
  readonly vault: Vault
  readonly other: Vault
  readonly close: () => Promise<void>
}

export function vaultContract(t: Test, make: () => Promise<VaultUnderTest>): void {
  const test = (title: string, run: (t: Test, vault: Vault, other: Vault) => Promise<void>): void => {
    t.test(title, async (t) => {
      const { vault, other, close } = await make()
      t.teardown(close)
      await run(t, vault, other)
    })
  }

  test('a key has 32 bytes, stays the same, and is one for each subject', async (t, vault, other) => {
    const key = await vault.makeKey('ann')
    t.equal(key.length, 32)
    for (const again of [await vault.makeKey('ann'), await vault.key('ann'), await other.key('ann'), await other.makeKey('ann')]) {
      t.strictSame(again && Buffer.from(again), Buffer.from(key))
    }
    t.notSame(Buffer.from(await vault.makeKey('bob')), Buffer.from(key))
  })

  test('asking for a key makes none', async (t, vault) => {
    t.equal(await vault.key('ann'), undefined)
    t.equal(await vault.key('ann'), undefined)
  })

  test('of several makers of a key or a secret exactly one wins', async (t, vault, other) => {
    const makers = Array.from({ length: 10 }, (_, number) => (number % 2 ? vault : other))
    const keys = await Promise.all(makers.map((maker) => maker.makeKey('ann')))
    const secrets = await Promise.all(makers.map((maker) => maker.secret('cursors')))
    for (const made of [keys, secrets]) t.equal(new Set(made.map((bytes) => Buffer.from(bytes).toString('hex'))).size, 1)
  })

  test('its contents are all that a backup needs, and a destroyed key is not among them', async (t, vault) => {
    const ann = await vault.makeKey('ann')
    await vault.makeKey('bob')
    await vault.destroyKey('bob')
    await vault.putPasswordHash('ann', 3, 'a hash')
    const secret = await vault.secret('cursors')
    const { keys, passwordHashes, secrets } = await vault.contents()
    const byName = keys.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
    t.strictSame(
      byName.map(({ subject, key }) => [subject, key && Buffer.from(key).toString('hex')]),
      [
        ['ann', Buffer.from(ann).toString('hex')],
        ['bob', null],
      ],
    )
    t.strictSame(passwordHashes, [{ userId: 'ann', version: 3, hash: 'a hash' }])
    t.strictSame(
      secrets.map(({ name, secret: bytes }) => [name, Buffer.from(bytes).toString('hex')]),
      [['cursors', Buffer.from(secret).toString('hex')]],
    )
  })

  test('the contents of another vault replace its own, also a second time', async (t, vault, other) => {
    const bytes = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
    const contents = {
      keys: [
        { subject: 'ann', key: bytes(1) },
        { subject: 'bob', key: null },
      ],
      passwordHashes: [{ userId: 'ann', version: 2, hash: 'moved' }],
      secrets: [{ name: 'names', secret: bytes(2) }],
    }
    await vault.makeKey('ann')
    await vault.makeKey('bob')
    await vault.makeKey('cleo')
    await vault.putPasswordHash('ann', 1, 'old')
    await vault.secret('other')
    for (const [n, replaced] of [contents, contents].entries()) {
      await vault.replaceContents(replaced)
      const { keys, passwordHashes, secrets } = await other.contents()
      const found = keys.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
      t.strictSame(
        found.map(({ subject, key }) => [subject, key?.[0]]),
        [
          ['ann', 1],
          ['bob', undefined],
        ],
        `time ${n + 1}`,
      )
      t.strictSame(passwordHashes, contents.passwordHashes)
      t.strictSame(
        secrets.map(({ name, secret }) => [name, secret[0]]),
        [['names', 2]],
      )
    }
    await t.rejects(other.makeKey('bob'), KeyDestroyed)
  })

  test('a destroyed key is gone forever', async (t, vault, other) => {
    await vault.makeKey('ann')
    const bob = await vault.makeKey('bob')
    await vault.destroyKey('ann')
    await vault.destroyKey('ann')
    for (const one of [vault, other]) {
      t.equal(await one.key('ann'), undefined)
      await t.rejects(one.makeKey('ann'), KeyDestroyed)
    }
    t.strictSame(await vault.key('bob').then((key) => key && Buffer.from(key)), Buffer.from(bob))
  })

  test('a key that was destroyed before it was made is not made', async (t, vault) => {
    await vault.destroyKey('ann')
    await t.rejects(vault.makeKey('ann'), KeyDestroyed)
  })

  test('what a caller does to the bytes of a key or a secret changes neither', async (t, vault) => {
    for (const read of [() => vault.makeKey('ann'), () => vault.secret('cursors')]) {
      const before = Buffer.from(await read())
      ;(await read()).fill(0)
      t.strictSame(Buffer.from(await read()), before)
    }
  })

  test('a password hash is found by user and version, the last one put', async (t, vault, other) => {
    t.equal(await vault.passwordHash('ann', 1), undefined)
    await vault.putPasswordHash('ann', 1, 'scrypt:one')
    await vault.putPasswordHash('ann', 2, 'scrypt:two')
    await vault.putPasswordHash('bob', 1, 'scrypt:bob')
    await vault.putPasswordHash('ann', 2, 'scrypt:two again')
    t.equal(await other.passwordHash('ann', 1), 'scrypt:one')
    t.equal(await other.passwordHash('ann', 2), 'scrypt:two again')
    t.equal(await other.passwordHash('ann', 3), undefined)
  })

  test('password hashes are forgotten one by one, or all of a user', async (t, vault, other) => {
    for (const version of [1, 2, 12]) await vault.putPasswordHash('ann', version, `scrypt:${version}`)
    await vault.putPasswordHash('annabel', 1, 'scrypt:annabel')
    await vault.dropPasswordHashes('ann', 1)
    await vault.dropPasswordHashes('ann', 7)
    t.strictSame([await other.passwordHash('ann', 1), await other.passwordHash('ann', 12)], [undefined, 'scrypt:12'])
    await vault.dropPasswordHashes('ann')
    t.strictSame([await other.passwordHash('ann', 2), await other.passwordHash('ann', 12)], [undefined, undefined])
    t.equal(await other.passwordHash('annabel', 1), 'scrypt:annabel')
  })

  test('asking whether a secret is there makes none', async (t, vault, other) => {
    t.equal(await vault.hasSecret('one'), false)
    t.equal(await other.hasSecret('one'), false)
    await vault.secret('one')
    t.equal(await other.hasSecret('one'), true)
    t.equal(await vault.hasSecret('two'), false)
  })

  test('secrets are 32 bytes, one for each name, and no keys', async (t, vault) => {
    const [one, two, key] = [await vault.secret('one'), await vault.secret('two'), await vault.makeKey('one')]
    t.equal(one.length, 32)
    t.equal(new Set([one, two, key].map((bytes) => Buffer.from(bytes).toString('hex'))).size, 3)
  })
}
