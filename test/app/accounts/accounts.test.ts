import t, { type Test } from 'tap'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryScrypt } from '../../../src/adapters/memory/scrypt.ts'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { createAccounts, faultOf, type Accounts } from '../../../src/app/accounts/accounts.ts'
import { createAdminSeats } from '../../../src/app/accounts/admin-seats.ts'
import { createCommandHandler } from '../../../src/app/commands/command-handler.ts'
import { createNameClaims } from '../../../src/app/accounts/name-claims.ts'
import { createPasswords } from '../../../src/app/accounts/password-hash.ts'
import { createSealer } from '../../../src/app/commands/sealer.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { EventOf } from '../../../src/events/catalogue.ts'
import { START } from '../../../src/events/position.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Vault } from '../../../src/ports/vault.ts'
import { users } from '../../../projections/views/users.ts'
import { foldInto } from '../../fixtures/fold.ts'
import { allowed, CHEAP, eventsIn } from '../../fixtures/node-fixture.ts'

const AUTHOR = { actor: 'cli', command: 'test' }
const ann = { email: 'Ann@Example.org', name: '  Ann Größe ', password: 'correct horse', role: 'user' } as const

interface Cluster {
  readonly log: EventLog
  readonly vault: Vault
}

const makeSessionNodes = (): Cluster => ({ log: createMemoryEventLog(), vault: createMemoryVault() })
let nodes = 0
const passwords = createPasswords({ clock: createTestClock(), scrypt: createMemoryScrypt(), cost: CHEAP })
const verifyPassword = (password: string, hash: string | undefined) => passwords.verify(password, hash, null)

function makeAccounts({ log, vault }: Cluster, clock: Clock = createTestClock()): Accounts {
  const ids = createTestIds({ series: (nodes++ % 16).toString(16) })
  const sealer = createSealer(vault)
  const commandHandler = createCommandHandler({ log, clock, ids, sealer, node: 'one' })
  const names = createNameClaims({ commandHandler, clock, vault })
  const seats = createAdminSeats({ clock, commandHandler, leases: createMemoryLeases({ clock }), names })
  return createAccounts({ commandHandler, names, seats, vault, passwords, sealer, ids, clock })
}

async function registered(log: EventLog): Promise<readonly EventOf<'UserRegistered'>[]> {
  return (await eventsIn(log)).filter((event) => event.type === 'UserRegistered')
}

t.test('an account is registered with its name and address sealed and its password hashed', async (t) => {
  const cluster = makeSessionNodes()
  const accounts = makeAccounts(cluster)
  const made = allowed(await accounts.register(ann, AUTHOR))
  t.equal(await accounts.findByEmail(' ANN@example.org '), made.userId)
  t.equal(await accounts.findByEmail('ben@example.org'), undefined)
  const hash = await cluster.vault.passwordHash(made.userId, 1)
  t.equal(await verifyPassword('correct horse', hash), true)
  t.equal(await verifyPassword('correct horsf', hash), false)
  const text = JSON.stringify(await eventsIn(cluster.log))
  t.notMatch(text, /ann@example|Ann Größe|correct horse|scrypt/i)
  t.equal(made.position, await cluster.log.head())
})

async function opened({ log, vault }: Cluster) {
  const documents = new Map()
  for (const event of await eventsIn(log)) foldInto(documents, users, event)
  const [document] = documents.values()
  return makeAccounts({ log, vault }).open(document)
}

t.test('an account is opened with its address folded and its name trimmed, and without its password', async (t) => {
  const cluster = makeSessionNodes()
  await makeAccounts(cluster).register(ann, AUTHOR)
  const account = await opened(cluster)
  t.match(account, { email: 'ann@example.org', name: 'Ann Größe', role: 'user', enabled: true, libraryAccess: 'all', libraryIds: [] })
  t.notOk(Object.keys(account).some((name) => /password/i.test(name)))
})

t.test('what cannot be opened any more reads "erased user"', async (t) => {
  const cluster = makeSessionNodes()
  const made = allowed(await makeAccounts(cluster).register(ann, AUTHOR))
  await cluster.vault.destroyKey(made.userId)
  t.match(await opened(cluster), { email: 'erased user', name: 'erased user' })
})

t.test('a fault is named by its member, and nothing is claimed', async (t) => {
  const cluster = makeSessionNodes()
  const accounts = makeAccounts(cluster)
  const faults = [
    [{ email: 'ann' }, 'email'],
    [{ email: `${'x'.repeat(300)}@y` }, 'email'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ password: 'seven77' }, 'password'],
    [{ password: 'x'.repeat(129) }, 'password'],
  ] as const
  for (const [fault, path] of faults) t.match(await accounts.register({ ...ann, ...fault }, AUTHOR), { refusal: 'invalid', path })
  t.match(await accounts.registerFirstAdmin({ ...ann, password: 'short' }, AUTHOR), { refusal: 'invalid', path: 'password' })
  t.equal(await cluster.log.head(), START)
})

t.test('characters are counted as people count them, without the spaces around a name and an address', (t) => {
  for (const good of [
    { password: '😀'.repeat(8) },
    { password: '😀'.repeat(128) },
    { name: '😀'.repeat(200) },
    { name: ` N${' '.repeat(1_500)}` },
    { email: ` ${'e'.repeat(242)}@example.org ` },
  ])
    t.equal(faultOf(good), undefined)
  for (const bad of [
    { password: '😀'.repeat(7) },
    { password: '😀'.repeat(129) },
    { name: '😀'.repeat(201) },
    { email: `${'e'.repeat(243)}@example.org` },
  ])
    t.match(faultOf(bad), { refusal: 'invalid', path: Object.keys(bad)[0] })
  t.end()
})

t.test('an e-mail address belongs to one account, regardless of its spelling and of races for it', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeAccounts(cluster), makeAccounts(cluster)]
  const made = await Promise.all([one.register(ann, AUTHOR), two.register({ ...ann, email: ' ann@EXAMPLE.org' }, AUTHOR)])
  t.equal(made.filter((answer) => isRefusal(answer) && answer.refusal === 'conflict').length, 1)
  t.match(await one.register(ann, AUTHOR), { refusal: 'conflict' })
  t.equal((await registered(cluster.log)).length, 1)
})

t.test('an address whose registration broke off is free again after a minute', async (t) => {
  const { log, vault } = makeSessionNodes()
  const clock = createTestClock()
  const broken = { ...vault, putPasswordHash: () => Promise.reject(new Error('The disk is full')) }
  await t.rejects(makeAccounts({ log, vault: broken }, clock).register(ann, AUTHOR), /full/)
  const accounts = makeAccounts({ log, vault }, clock)
  t.match(await accounts.register(ann, AUTHOR), { refusal: 'conflict' }, 'somebody may still be at it')
  await clock.advance(60_000)
  t.match(await accounts.register(ann, AUTHOR), { refusal: 'conflict' })
  await clock.advance(1)
  const made = allowed(await accounts.register(ann, AUTHOR))
  t.equal(await accounts.findByEmail(ann.email), made.userId)
})

t.test('an address whose registration broke off days ago is free at once', async (t) => {
  const { log, vault } = makeSessionNodes()
  const broken = { ...vault, putPasswordHash: () => Promise.reject(new Error('The disk is full')) }
  await t.rejects(makeAccounts({ log, vault: broken }).register(ann, AUTHOR), /full/)
  const later = createTestClock({ startMs: createTestClock().now() + 2 * 86_400_000 })
  allowed(await makeAccounts({ log, vault }, later).register(ann, AUTHOR))
})

t.test('a node whose clock is ten minutes ahead takes no address that another node is registering', async (t) => {
  const { log, vault } = makeSessionNodes()
  const [written, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = {
    ...vault,
    putPasswordHash: async (...asked: Parameters<typeof vault.putPasswordHash>) => {
      begun.resolve()
      await written.promise
      return vault.putPasswordHash(...asked)
    },
  }
  const making = makeAccounts({ log, vault: slow }).register(ann, AUTHOR)
  await begun.promise
  const ahead = createTestClock({ startMs: createTestClock().now() + 600_000 })
  t.match(await makeAccounts({ log, vault }, ahead).register(ann, AUTHOR), { refusal: 'conflict' })
  written.resolve()
  const { userId } = allowed(await making)
  t.strictSame(
    (await registered(log)).map(({ data }) => data.userId),
    [userId],
  )
})

async function raceForFirstAdmin(t: Test, cluster: Cluster, racers: number) {
  const clock = createSystemClock()
  const passwords = Array.from({ length: racers }, (_, n) => `the password of racer ${n}`)
  const answers = await Promise.all(
    passwords.map((password) => makeAccounts(cluster, clock).registerFirstAdmin({ ...ann, password }, AUTHOR)),
  )
  const winners = passwords.flatMap((password, n) => {
    const answer = answers[n]
    return answer && !isRefusal(answer) ? [{ ...answer, password }] : []
  })
  t.equal(winners.length, 1, 'one makes it')
  t.equal(answers.filter((answer) => answer === undefined).length, racers - 1, 'and the others learn that somebody has')
  return winners[0]
}

t.test('one of N nodes that race for it creates the first admin, and this node prints its password', async (t) => {
  const cluster = makeSessionNodes()
  const winner = await raceForFirstAdmin(t, cluster, 4)
  const [admin, ...more] = await registered(cluster.log)
  t.strictSame(more, [])
  t.match(admin, { data: { role: 'admin', userId: winner?.userId } })
  t.equal(await verifyPassword(winner?.password ?? '', await cluster.vault.passwordHash(winner?.userId ?? '', 1)), true)
  t.equal(await makeAccounts(cluster).registerFirstAdmin(ann, AUTHOR), undefined, 'nor does a later start make another one')
})

t.test('a node that took the claim of a slow one takes no part once that one has made the first admin', async (t) => {
  const { log, vault } = makeSessionNodes()
  const [clock, ahead] = [createTestClock(), createTestClock()]
  ahead.setNow(ahead.now() + 2 * 86_400_000)
  const [written, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = {
    ...vault,
    putPasswordHash: async (...asked: Parameters<typeof vault.putPasswordHash>) => (
      begun.resolve(),
      await written.promise,
      vault.putPasswordHash(...asked)
    ),
  }
  const making = makeAccounts({ log, vault: slow }, clock).registerFirstAdmin(ann, AUTHOR)
  await begun.promise
  let names = 0
  const late = {
    ...vault,
    // The first key requested is for looking up the address, the second for the claim of the first admin, the third for that of the
    // address.
    secret: async (name: string) => {
      if (name === 'names' && ++names === 3) {
        written.resolve()
        await making
      }
      return vault.secret(name)
    },
  }
  t.equal(await makeAccounts({ log, vault: late }, ahead).registerFirstAdmin(ann, AUTHOR), undefined)
  t.strictSame(
    (await registered(log)).map(({ data }) => data.userId),
    [((await making) as { readonly userId: string }).userId],
  )
})

t.test('a first admin whose making broke off is made by the next start, a minute later at most', async (t) => {
  const { log, vault } = makeSessionNodes()
  const clock = createTestClock()
  const broken = { ...vault, putPasswordHash: () => Promise.reject(new Error('The disk is full')) }
  await t.rejects(makeAccounts({ log, vault: broken }, clock).registerFirstAdmin(ann, AUTHOR), /full/)
  const making = makeAccounts({ log, vault }, clock).registerFirstAdmin(ann, AUTHOR)
  await clock.advance(60_000)
  t.strictSame(await registered(log), [], 'as long as somebody may be at it')
  await clock.advance(1000)
  t.match(await making, { userId: (await registered(log))[0]?.data.userId })
  t.equal((await registered(log)).length, 1)
})
