/** Tests that every scrypt must pass; the values are those of RFC 7914, section 12. */
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryScrypt } from '../../src/adapters/memory/scrypt.ts'
import { createWorkerScrypt } from '../../src/adapters/node/scrypt.ts'

for (const [name, scrypt] of [
  ['memory', createMemoryScrypt()],
  ['worker', createWorkerScrypt({ clock: createTestClock() })],
] as const) {
  t.test(`${name}: derives what the standard says`, async (t) => {
    t.teardown(() => scrypt.close())
    const cost = { logN: 10, r: 8, p: 16 }
    const derived = await scrypt.derive({ password: 'password', salt: Buffer.from('NaCl'), cost, bytes: 64 })
    t.equal(
      Buffer.from(derived).toString('hex'),
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    )
    const more = { logN: 14, r: 8, p: 1 }
    const slow = await scrypt.derive({ password: 'pleaseletmein', salt: Buffer.from('SodiumChloride'), cost: more, bytes: 64 })
    t.match(Buffer.from(slow).toString('hex'), /^7023bdcb3afd7348461c06cd81fd38eb/)
  })

  t.test(`${name}: refuses what cannot be derived, and goes on`, async (t) => {
    const fresh = name === 'memory' ? scrypt : createWorkerScrypt({ clock: createTestClock() })
    t.teardown(() => fresh.close())
    const input = { password: 'x', salt: Buffer.from('salt'), bytes: 32 }
    await t.rejects(fresh.derive({ ...input, cost: { logN: 0, r: 8, p: 1 } }))
    t.equal((await fresh.derive({ ...input, cost: { logN: 4, r: 1, p: 1 } })).byteLength, 32)
  })
}
