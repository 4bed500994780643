/** An erasure whose process ends at any step: the next process finishes it, with or without another request. */
import t, { type Test } from 'tap'
import { erasureOf } from '../../../src/domain/accounts/erasure.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { Caller } from '../../../src/app/access/caller.ts'
import type { UserId } from '../../../src/vocabulary/id.ts'
import { createMortality, type Mortality } from '../../fixtures/mortal-ports.ts'
import {
  allowed,
  createCluster,
  eventsIn,
  opened,
  openNodeFixture,
  ORIGIN,
  type NodeFixture,
  type Cluster,
} from '../../fixtures/node-fixture.ts'

const AUTHOR = { actor: 'cli', command: 'test' }
const PASSWORD = 'correct horse'
/** More calls than an erasure makes: one that never ends is an error. */
const CALLS_MAX = 500

interface Erasing {
  readonly node: NodeFixture
  readonly person: { readonly userId: UserId; readonly email: string }
  /** Two of them, so that one can be erased. */
  readonly admins: readonly Caller[]
}

async function account(node: NodeFixture, email: string, role: 'admin' | 'user') {
  const { userId, position } = allowed(await node.accounts.register({ email, name: 'Somebody', password: PASSWORD, role }, AUTHOR))
  await node.readYourWrites.waitFor(position)
  return { userId, email }
}

async function setUp(t: Test, cluster: Cluster, mortality: Mortality, role: 'admin' | 'user'): Promise<Erasing> {
  const node = await openNodeFixture(t, { cluster, wrap: mortality.wrap })
  const admin = await account(node, 'admin@example.org', 'admin')
  const person = await account(node, 'ann@example.org', role)
  const admins = await Promise.all([admin, person].map(async ({ userId }) => (await node.login(userId)).caller))
  return { node, person, admins }
}

/** The promise's result, while the time advances. */
async function comesTo(cluster: Cluster, promise: Promise<unknown>): Promise<unknown> {
  const results: unknown[] = []
  const settle = (result: unknown): void => void results.push(result)
  promise.then(settle, settle)
  for (let patience = 0; patience < 200 && results.length === 0; patience++) await cluster.clock.advance(50)
  return results[0]
}

const countOf = async ({ log }: Cluster, wanted: string): Promise<number> =>
  (await eventsIn(log)).filter(({ type }) => type === wanted).length

async function isOver(t: Test, node: NodeFixture, userId: UserId, when: string): Promise<void> {
  const { cluster } = node
  const receipt = await node.erasureReceipts.get(erasureOf(userId))
  t.match(receipt, { subject: userId, seq: Number }, `${when}: a receipt`)
  t.equal(await cluster.vault.key(userId), undefined, `${when}: no key`)
  t.equal(await cluster.vault.passwordHash(userId, 1), undefined, `${when}: no hash`)
  t.strictSame([await countOf(cluster, 'UserErased'), await countOf(cluster, 'KeyShredded')], [1, 1], `${when}: each event once`)
  const freed = (await eventsIn(cluster.log)).filter(
    ({ type, data }) => type === 'NameReleased' && data.userId === userId && data.kind === 'email',
  )
  t.equal(freed.length, 1, `${when}: the address is free`)
}

/** An erasure that ends before its nth call. False: it makes fewer. */
async function endsBefore(t: Test, call: number, role: 'admin' | 'user', who: (erasing: Erasing) => Caller | undefined): Promise<boolean> {
  const cluster = createCluster()
  const mortality = createMortality(() => first.node.leases.stall())
  const first = await setUp(t, cluster, mortality, role)
  const { userId, email } = first.person
  const caller = who(first)
  if (!caller) throw new Error('Nobody is there to erase')
  mortality.endBefore(call)
  const answer = await comesTo(cluster, first.node.users.erase(caller, userId, ORIGIN))
  if (!mortality.hasEnded()) {
    mortality.endBefore(Number.POSITIVE_INFINITY)
    t.equal(answer, userId)
    await isOver(t, first.node, userId, 'without an end')
    return false
  }

  const next = await openNodeFixture(t, { cluster, node: 'two' })
  await cluster.clock.advance(60_000)
  await opened(next)
  await next.adminSeats.recover(next.access.users.keys() as Iterable<UserId>)
  const when = `ended before call ${call}`
  if ((await countOf(cluster, 'UserErased')) > 0) {
    for (let patience = 0; patience < 60 && (await countOf(cluster, 'KeyShredded')) === 0; patience++) await cluster.clock.advance(1000)
    await next.seen()
    await isOver(t, next, userId, `${when}, nobody asks again`)
  }
  const [admin] = first.admins
  if (!admin) throw new Error('There is no administrator')
  t.equal(await comesTo(cluster, next.users.erase(admin, userId, ORIGIN)), userId, `${when}: the repeat is answered as the first one`)
  await isOver(t, next, userId, `${when}, repeated`)
  t.notOk(
    isRefusal(await next.accounts.register({ email, name: 'N', password: PASSWORD, role: 'user' }, AUTHOR)),
    `${when}: somebody else gets the address`,
  )
  await next.stop()
  return true
}

for (const [title, role, who] of [
  ['an administrator erases a user', 'user', ({ admins }) => admins[0]],
  ['an administrator erases another one', 'admin', ({ admins }) => admins[0]],
  ['people erase themselves', 'user', ({ admins }) => admins[1]],
] as const satisfies readonly (readonly [string, 'admin' | 'user', (erasing: Erasing) => Caller | undefined])[]) {
  t.test(`${title}: the erasure completes once, regardless of the call before which the process ends`, async (t) => {
    let call = 1
    while (call < CALLS_MAX && (await endsBefore(t, call, role, who))) call++
    t.ok(call > 10 && call < CALLS_MAX, `${call - 1} calls`)
  })
}
