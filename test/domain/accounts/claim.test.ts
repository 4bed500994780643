import t from 'tap'
import { claim, claimName, releaseName } from '../../../src/domain/accounts/claim.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const [ann, ben] = [named<'user'>('ann'), named<'user'>('ben')]
const claimedBy = (userId: typeof ann) => ({ type: 'NameClaimed', data: { kind: 'email', userId } }) as const
const never = (): boolean => false

t.test('a free name is claimed', async (t) => {
  t.strictSame(given(claim).when(claimName('email', ann, never)), [claimedBy(ann)])
})

t.test('the holder may claim it again without effect', async (t) => {
  t.strictSame(given(claim, claimedBy(ann)).when(claimName('email', ann, never)), [])
})

t.test('a name that somebody holds is refused, in words that fit its kind', async (t) => {
  t.match(given(claim, claimedBy(ann)).when(claimName('email', ben, never)), { refusal: 'conflict', message: /e-mail/ })
  t.match(given(claim, claimedBy(ann)).when(claimName('first-admin', ben, never)), { refusal: 'conflict', message: /admin/ })
})

t.test('an abandoned name is released and claimed in one step, judged by its holder and the time of the claim', async (t) => {
  const { state, when } = given(claim, claimedBy(ann))
  const decide = claimName('email', ben, (holder) => holder.userId === ann && holder.at === '2026-01-02T12:00:00.000Z')
  t.strictSame(when(decide), [{ type: 'NameReleased', data: { kind: 'email', userId: ann } }, claimedBy(ben)])
  t.equal(state.holder?.userId, ann)
})

t.test('a released name is free', async (t) => {
  const released = { type: 'NameReleased', data: { kind: 'email', userId: ann } } as const
  t.strictSame(given(claim, claimedBy(ann), released).when(claimName('email', ben, never)), [claimedBy(ben)])
})

t.test('only its holder gives a name up', async (t) => {
  t.strictSame(given(claim, claimedBy(ann)).when(releaseName('email', ann)), [
    { type: 'NameReleased', data: { kind: 'email', userId: ann } },
  ])
  t.strictSame(given(claim, claimedBy(ann)).when(releaseName('email', ben)), [])
  t.strictSame(given(claim).when(releaseName('email', ann)), [])
})
