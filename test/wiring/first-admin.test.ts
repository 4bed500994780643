/** The account that nobody has used yet. */
import t from 'tap'
import { isRefusal } from '../../src/domain/refusal.ts'
import { openNodeFixture } from '../fixtures/node-fixture.ts'
import { unusedAccount } from '../../src/wiring/first-admin.ts'

t.test('the only account is named until somebody has signed in as it', async (t) => {
  const node = await openNodeFixture(t)
  t.equal(await unusedAccount(node), undefined, 'there is none')
  const account = { email: 'admin@localhost', name: 'Administrator', password: 'a-known-password' }
  const made = await node.accounts.registerFirstAdmin(account, { actor: 'system', command: 'registerFirstAdmin' })
  if (made === undefined || isRefusal(made)) throw new Error('It was not made')
  await node.seen()
  t.equal(await unusedAccount(node), 'admin@localhost')
  await node.login(made.userId)
  await node.seen()
  t.equal(await unusedAccount(node), undefined)
})
