import t, { type Test } from 'tap'
import { createSignUps, type SignUpMode } from '../../../src/app/accounts/sign-up.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const request = { name: 'Ann', email: 'ann@example.org', password: 'correct horse' }
const CLOSED = { refusal: 'forbidden' }

async function openFor(t: Test, mode: SignUpMode, setupToken?: string) {
  const node = await openNodeFixture(t)
  const signUps = createSignUps({ ...node, counters: node.cluster.counters, mode, setupToken })
  return { node, signUps }
}

const roles = ({ access }: NodeFixture) => [...access.users.values()].map(({ role }) => role)

t.test('it is off by default', async (t) => {
  const { signUps } = await openNodeFixture(t)
  t.strictSame(signUps.options(), { mode: 'off', needsSetupToken: false })
  t.match(signUps.closed(), CLOSED)
  t.match(await signUps.signUp(request, ORIGIN), CLOSED)
})

t.test('where it is open everybody becomes a user, signed in', async (t) => {
  const { node, signUps } = await openFor(t, 'open')
  const made = await signUps.signUp(request, ORIGIN)
  if (isRefusal(made)) throw new Error(made.message)
  t.match(made.account, { email: 'ann@example.org', name: 'Ann', role: 'user', libraryAccess: 'all' })
  t.equal(node.access.callerByToken(made.token)?.userId, made.account.id)
  t.match(await signUps.signUp(request, ORIGIN), { refusal: 'conflict' })
  t.match(await signUps.signUp({ ...request, email: 'ben' }, ORIGIN), { refusal: 'invalid', path: 'email' })
  t.match(await signUps.signUp({ ...request, email: 'ben@example.org', setupToken: 'x' }, ORIGIN), { account: { role: 'user' } })
})

t.test('of several who sign up first at the same time one becomes the admin, the others are refused', async (t) => {
  const { node, signUps } = await openFor(t, 'first')
  const emails = Array.from({ length: 4 }, (_, n) => `person${n}@example.org`)
  const answers = await Promise.all(emails.map((email) => signUps.signUp({ ...request, email }, ORIGIN)))
  t.equal(answers.filter((answer) => isRefusal(answer) && answer.refusal === 'forbidden').length, 3)
  t.strictSame(roles(node), ['admin'])
  t.match(signUps.closed(), CLOSED)
})

t.test('setup takeover: an account of whatever making closes the place of the first, and a wrong token takes nothing', async (t) => {
  const made = await openFor(t, 'first')
  await made.node.person({ role: 'admin' })
  t.match(await made.signUps.signUp(request, ORIGIN), CLOSED)
  const { node, signUps } = await openFor(t, 'first', 'the token of the operator')
  for (const setupToken of [undefined, '', 'the token of the operatos']) {
    t.match(await signUps.signUp({ ...request, ...(setupToken === undefined ? {} : { setupToken }) }, ORIGIN), CLOSED)
  }
  t.strictSame(roles(node), [])
  t.match(await signUps.signUp({ ...request, setupToken: 'the token of the operator' }, ORIGIN), { account: { role: 'admin' } })
})

t.test('before anybody has signed in it says who can sign up: the first one only while there is no account', async (t) => {
  t.strictSame((await openFor(t, 'open', 'unused')).signUps.options(), { mode: 'open', needsSetupToken: false })
  t.strictSame((await openFor(t, 'off', 'unused')).signUps.options(), { mode: 'off', needsSetupToken: false })
  t.strictSame((await openFor(t, 'first')).signUps.options(), { mode: 'first', needsSetupToken: false })
  const { signUps } = await openFor(t, 'first', 'right')
  t.strictSame(signUps.options(), { mode: 'first', needsSetupToken: true })
  await signUps.signUp({ ...request, setupToken: 'right' }, ORIGIN)
  t.strictSame(signUps.options(), { mode: 'off', needsSetupToken: false })
})

t.test('set-up tokens cannot be tried on and on', async (t) => {
  const { signUps } = await openFor(t, 'first', 'right')
  for (let n = 0; n < 10; n++) t.match(await signUps.signUp({ ...request, setupToken: 'wrong' }, ORIGIN), CLOSED)
  t.match(await signUps.signUp({ ...request, setupToken: 'right' }, ORIGIN), { refusal: 'too-many', retryAfterSeconds: 600 })
  t.match(await signUps.signUp({ ...request, setupToken: 'right' }, { ...ORIGIN, address: '192.0.2.9' }), { account: { role: 'admin' } })
})

t.test('of wrong set-up tokens at the same time no more than ten are compared', async (t) => {
  const { signUps } = await openFor(t, 'first', 'right')
  const answers = await Promise.all(Array.from({ length: 30 }, () => signUps.signUp({ ...request, setupToken: 'wrong' }, ORIGIN)))
  const kinds = answers.map((answer) => ('refusal' in answer ? answer.refusal : 'signed up'))
  t.equal(kinds.filter((kind) => kind === 'forbidden').length, 10)
  t.equal(kinds.filter((kind) => kind === 'too-many').length, 20)
})

t.test('an IPv6 household cannot try set-up tokens from one address after another', async (t) => {
  const { signUps } = await openFor(t, 'first', 'right')
  const from = (n: number) => ({ ...ORIGIN, address: `2001:db8:1:2::${n}`, network: '2001:db8:1:2::' })
  for (let n = 0; n < 10; n++) t.match(await signUps.signUp({ ...request, setupToken: 'wrong' }, from(n)), CLOSED)
  t.match(await signUps.signUp({ ...request, setupToken: 'right' }, from(10)), { refusal: 'too-many' })
})

t.test('one network cannot find out address after address who has an account', async (t) => {
  const { node, signUps } = await openFor(t, 'open')
  for (let n = 0; n < 20; n++) await signUps.signUp({ ...request, email: `ann${n % 2}@example.org` }, ORIGIN)
  t.match(await signUps.signUp(request, ORIGIN), { refusal: 'too-many', retryAfterSeconds: 3600 })
  t.match(await signUps.signUp(request, { ...ORIGIN, address: '192.0.2.9' }), { account: { role: 'user' } })
  await node.clock.advance(3_600_000)
  t.match(await signUps.signUp({ ...request, email: 'late@example.org' }, ORIGIN), { account: { role: 'user' } })
})
