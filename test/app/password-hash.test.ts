import t from 'tap'
import { hashPassword, verifyPassword } from '../../src/app/password-hash.ts'

t.test('a password fits its own hash and no other one does, however its letters are composed', async (t) => {
  const hash = await hashPassword('Größe 42!')
  t.match(hash, /^scrypt\$[\w-]{22}\$[\w-]{43}$/)
  t.ok(await verifyPassword('Größe 42!', hash))
  t.ok(await verifyPassword('Gro\u0308ße 42!', hash))
  t.notOk(await verifyPassword('größe 42!', hash))
  t.notOk(await verifyPassword('', hash))
})

t.test('the same password has another hash each time', async (t) => {
  t.not(await hashPassword('the same'), await hashPassword('the same'))
})

t.test('nothing fits where nothing is stored, or what is stored is garbled', async (t) => {
  for (const stored of [undefined, '', 'scrypt$AAAA$AAAA']) t.notOk(await verifyPassword('', stored), stored ?? 'nothing')
})
