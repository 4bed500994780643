import t from 'tap'
import { changeAccount, changePassword, erase, isEmail, normalizeEmail, register, remove, user } from '../../../src/domain/accounts/user.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

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

const registered = { type: 'UserRegistered', data: account } as const
const { userId } = account
const removed = { type: 'UserRemoved', data: { userId } } as const
const NOT_FOUND = { refusal: 'not-found' }

t.test('a user is registered once', async (t) => {
  t.strictSame(given(user).when(register(account)), [registered])
  t.strictSame(given(user, registered).when(register(account)), [])
})

t.test('a change yields one event for each thing that differs afterwards, and none for what stays', async (t) => {
  const { when } = given(user, registered)
  const films = named<'library'>('films')
  t.strictSame(when(changeAccount(userId, {})), [])
  const same = { role: 'user', enabled: true, libraryAccess: 'all', libraryIds: [], maxConcurrentStreams: null } as const
  t.strictSame(when(changeAccount(userId, same)), [])
  const name = 'sealed:ann:CCCC' as Sealed
  const all = {
    name,
    email: name,
    role: 'admin',
    libraryAccess: 'selected',
    libraryIds: [films],
    maxConcurrentStreams: 2,
    enabled: false,
  } as const
  t.strictSame(when(changeAccount(userId, all)), [
    { type: 'UserProfileChanged', data: { userId, name } },
    { type: 'UserEmailChanged', data: { userId, email: name } },
    { type: 'UserRoleChanged', data: { userId, role: 'admin' } },
    { type: 'UserAccessChanged', data: { userId, libraryAccess: 'selected', libraryIds: [films] } },
    { type: 'UserStreamLimitChanged', data: { userId, maxConcurrentStreams: 2 } },
    { type: 'UserDisabled', data: { userId } },
  ])
})

t.test('grants in another order are the same grants', async (t) => {
  const [films, series] = [named<'library'>('films'), named<'library'>('series')]
  const granted = { type: 'UserAccessChanged', data: { userId, libraryAccess: 'selected', libraryIds: [films, series] } } as const
  t.strictSame(given(user, registered, granted).when(changeAccount(userId, { libraryIds: [series, films] })), [])
  t.match(given(user, registered, granted).when(changeAccount(userId, { libraryIds: [series] })), [{ data: { libraryIds: [series] } }])
})

t.test('a disabled account is enabled again by an event of its own', async (t) => {
  const disabled = { type: 'UserDisabled', data: { userId } } as const
  t.strictSame(given(user, registered, disabled).when(changeAccount(userId, { enabled: true })), [
    { type: 'UserEnabled', data: { userId } },
  ])
  t.strictSame(given(user, registered, disabled).when(changeAccount(userId, { enabled: false })), [])
})

t.test('a changed password names its hash, and says which logins end', async (t) => {
  const { when } = given(user, registered)
  const changed = (logins: 'kept' | 'ended', keptLoginId: string | null) => [
    { type: 'UserPasswordChanged', data: { userId, passwordVersion: 7, logins, keptLoginId } },
  ]
  t.strictSame(when(changePassword(userId, 7, 'none')), changed('kept', null))
  t.strictSame(when(changePassword(userId, 7, { except: null })), changed('ended', null))
  t.strictSame(when(changePassword(userId, 7, { except: named('phone') })), changed('ended', named('phone')))
})

t.test('a removed account is unknown to every command but erasure', async (t) => {
  const { when } = given(user, registered, removed)
  t.strictSame(given(user, registered).when(remove(userId)), [removed])
  t.match(when(remove(userId)), NOT_FOUND)
  t.match(when(changeAccount(userId, { role: 'admin' })), NOT_FOUND)
  t.match(when(changePassword(userId, 7, 'none')), NOT_FOUND)
  t.strictSame(when(register(account)), [], 'nor does it come back')
  t.strictSame(when(erase(userId)), [{ type: 'UserErased', data: { userId } }])
})

t.test(
  'erasing removes in the same step, happens once, and a repeat is no refusal: it may have to finish what a crash cut short',
  async (t) => {
    const erased = { type: 'UserErased', data: { userId } } as const
    t.strictSame(given(user, registered).when(erase(userId)), [removed, erased])
    t.strictSame(given(user, registered, removed, erased).when(erase(userId)), [])
    t.match(given(user).when(erase(userId)), NOT_FOUND)
  },
)

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
