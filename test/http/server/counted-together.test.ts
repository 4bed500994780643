/** Limits per user or address are counted over all nodes: failed sign-ins, requests, event streams. */
import t from 'tap'
import { allowed, ORIGIN } from '../../fixtures/node-fixture.ts'
import { openTwoNodes } from './two-nodes.ts'

t.setTimeout(120_000)

const LIMIT = 50
const { one, two, cluster } = await openTwoNodes(t, { rateLimit: LIMIT })
/** The nodes in turn. */
const node = (n: number) => (n % 2 === 0 ? one : two)
const times = <Value>(count: number, value: Value): readonly Value[] => Array.from({ length: count }, () => value)

t.test('ten failed sign-ins lock an account for an address on all nodes; a success before clears them on all', async (t) => {
  const admin = await one.fixture.person({ role: 'admin' })
  const [email, password] = ['ann@example.org', 'the right one']
  const rights = { role: 'user', libraryAccess: 'all', libraryIds: [], maxConcurrentStreams: null } as const
  allowed(await one.fixture.users.create(admin.caller, { email, name: 'Ann', password, ...rights }, ORIGIN))
  const signIn = async (n: number, tried: string) =>
    (await node(n).ask('POST', '/api/auth/sign-in/email', { body: { email, password: tried } })).status
  for (let n = 0; n < 6; n++) t.equal(await signIn(n, 'a wrong one'), 401)
  t.equal(await signIn(1, password), 200)
  for (let n = 0; n < 10; n++) t.equal(await signIn(n, 'a wrong one'), 401)
  for (let n = 0; n < 2; n++) t.equal(await signIn(n, password), 429)
  await cluster.clock.advance(600_000)
  for (let n = 0; n < 2; n++) t.equal(await signIn(n, password), 200)
})

t.test('a user has one budget of requests on all nodes, and so has an address', async (t) => {
  await cluster.clock.advance(60_000)
  const { token } = await one.fixture.person()
  for (const [path, asked] of [
    ['/v1/users/me', { token }],
    ['/api/auth/get-session', {}],
  ] as const) {
    const statuses: number[] = []
    for (let n = 0; n < LIMIT + 4; n++) statuses.push((await node(n).ask('GET', path, asked)).status)
    t.strictSame(statuses, [...times(LIMIT, 200), ...times(4, 429)])
  }
})

t.test('a user has ten event streams over all nodes, the eleventh is 429 on each', async (t) => {
  const { token } = await one.fixture.person()
  const clients = await Promise.all(times(16, token).map((given, n) => node(n).events(given)))
  t.strictSame(
    clients.map(({ status }) => status).toSorted((a, b) => a - b),
    [...times(10, 200), ...times(6, 429)],
  )
  clients.find(({ status }) => status === 200)?.close()
  for (let tries = 0; (await two.events(token)).status !== 200; tries++) if (tries > 100) t.fail('no room')
  for (const n of [0, 1]) t.equal((await node(n).events(token)).status, 429)
})
