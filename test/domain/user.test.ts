import t from 'tap'
import { isEmail, normalizeEmail, register, user } from '../../src/domain/user.ts'
import type { Sealed } from '../../src/events/sealed.ts'
import { given } from '../given.ts'
import { named } from '../names.ts'

const account = {
  userId: named<'user'>('ann'),
  email: 'sealed:ann:AAAA' as Sealed,
  name: 'sealed:ann:BBBB' as Sealed,
  role: 'user',
  libraryAccess: 'all',
  libraryIds: [],
  maxConcurrentStreams: null,
  passwordVersion: 1,
} as const

t.test('a user is registered once', async (t) => {
  const registered = { type: 'UserRegistered', data: account } as const
  t.strictSame(given(user).when(register(account)), [registered])
  t.strictSame(given(user, registered).when(register(account)), [])
})

t.test('an e-mail address has 3 to 254 characters, one @, neither white space nor control characters', async (t) => {
  for (const email of ['a@b', 'admin@localhost', "o'brien+films@sub.example.org", 'jürgen@größe.de', `${'x'.repeat(252)}@b`]) {
    t.ok(isEmail(email), email)
  }
  const wrong = ['', 'a@', '@b', '@', 'ab', 'a@b@c', 'a b@c', 'a@b c', 'a@b\n', '\ta@b', 'a@\u0000b', 'a@b\u0085', 'a\u00a0@b', 'a@b\u2028']
  for (const email of [...wrong, `${'x'.repeat(253)}@b`]) t.notOk(isEmail(email), encodeURI(email))
})

t.test('two spellings of one address are one address', async (t) => {
  t.equal(normalizeEmail('  Ann@Example.ORG\n'), 'ann@example.org')
  t.ok(isEmail(normalizeEmail(' a@b ')))
})
