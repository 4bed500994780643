import t from 'tap'
import {
  disableSecondFactor,
  enableSecondFactor,
  prepareSecondFactor,
  replaceRecoveryCodes,
  spendRecoveryCode,
} from '../../../src/domain/accounts/second-factor.ts'
import { user } from '../../../src/domain/accounts/user.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const userId = named<'user'>('ann')
const [first, second] = ['sealed:ann:AAAA' as Sealed, 'sealed:ann:BBBB' as Sealed]
const registered = {
  type: 'UserRegistered',
  data: {
    userId,
    email: first,
    name: first,
    role: 'user',
    libraryAccess: 'all',
    libraryIds: [],
    maxConcurrentStreams: null,
    passwordVersion: 1,
  },
} as const
const prepared = { type: 'SecondFactorPrepared', data: { userId, secret: first, recoveryCodes: ['aa', 'bb'] } } as const
const enabled = { type: 'SecondFactorEnabled', data: { userId } } as const
const disabled = { type: 'SecondFactorDisabled', data: { userId } } as const
const on = [registered, prepared, enabled] as const

t.test('only what was prepared can be turned on, by a code of the last secret', async (t) => {
  t.strictSame(given(user, registered, prepared).when(enableSecondFactor(userId, first)), [enabled])
  t.match(given(user, registered).when(enableSecondFactor(userId, undefined)), { refusal: 'conflict' })
  t.match(given(user, registered).when(enableSecondFactor(userId, first)), { refusal: 'conflict' })
  t.match(given(user, registered, prepared).when(enableSecondFactor(userId, second)), { refusal: 'conflict' })
  t.match(given(user, ...on).when(enableSecondFactor(userId, first)), { refusal: 'conflict' })
  t.match(given(user, ...on, disabled).when(enableSecondFactor(userId, first)), { refusal: 'conflict' })
  t.match(given(user).when(enableSecondFactor(userId, first)), { refusal: 'not-found' })
})

t.test('while it is on, no other one can be prepared', async (t) => {
  const { secret, recoveryCodes } = prepared.data
  t.strictSame(given(user, registered).when(prepareSecondFactor(userId, { secret, recoveryCodes })), [prepared])
  t.match(given(user, ...on).when(prepareSecondFactor(userId, { secret: second, recoveryCodes })), { refusal: 'conflict' })
  t.strictSame(given(user, ...on, disabled).when(prepareSecondFactor(userId, { secret, recoveryCodes })), [prepared])
})

t.test('a recovery code is spent once, and new ones void the old ones', async (t) => {
  const used = { type: 'RecoveryCodeUsed', data: { userId, recoveryCode: 'aa' } } as const
  const replaced = { type: 'RecoveryCodesReplaced', data: { userId, recoveryCodes: ['cc'] } } as const
  t.strictSame(given(user, ...on).when(spendRecoveryCode(userId, 'aa')), [used])
  t.match(given(user, ...on, used).when(spendRecoveryCode(userId, 'aa')), { refusal: 'invalid', path: 'code' })
  t.match(given(user, registered, prepared).when(spendRecoveryCode(userId, 'aa')), { refusal: 'invalid' }, 'not before it is on')
  t.strictSame(given(user, ...on).when(replaceRecoveryCodes(userId, ['cc'])), [replaced])
  t.match(given(user, registered, prepared).when(replaceRecoveryCodes(userId, ['cc'])), { refusal: 'conflict' })
  t.match(given(user, ...on, replaced).when(spendRecoveryCode(userId, 'bb')), { refusal: 'invalid' })
  t.match(given(user, ...on, replaced).when(spendRecoveryCode(userId, 'cc')), [{ type: 'RecoveryCodeUsed' }])
})

t.test('turning it off twice changes nothing, and an ended account has none', async (t) => {
  t.strictSame(given(user, ...on).when(disableSecondFactor(userId)), [disabled])
  t.strictSame(given(user, ...on, disabled).when(disableSecondFactor(userId)), [])
  const removed = { type: 'UserRemoved', data: { userId } } as const
  t.match(given(user, ...on, removed).when(spendRecoveryCode(userId, 'aa')), { refusal: 'invalid' })
})
