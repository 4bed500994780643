import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryScrypt } from '../../../src/adapters/memory/scrypt.ts'
import { createPasswords, PASSWORD_COST } from '../../../src/app/accounts/password-hash.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { Scrypt, ScryptCost } from '../../../src/ports/scrypt.ts'
import { allowed, CHEAP } from '../../fixtures/node-fixture.ts'

const HOME = '192.0.2.1'
/** Made by an earlier version, whose hashes did not contain their parameters. */
const LEGACY = 'scrypt$AAAAAAAAAAAAAAAAAAAAAA$uvbydDBf_OYGHRlw01wFLoNQAvH05xzRuefP-HjXtFQ'

function make(scrypt: Scrypt = createMemoryScrypt(), cost: ScryptCost = CHEAP) {
  const clock = createTestClock()
  const passwords = createPasswords({ clock, scrypt, cost })
  const hash = async (password: string) => allowed(await passwords.hash(password, HOME))
  return { clock, passwords, hash, verify: (password: string, stored: string | undefined) => passwords.verify(password, stored, HOME) }
}

/** A scrypt that records its parameters. */
function recorded() {
  const costs: ScryptCost[] = []
  const real = createMemoryScrypt()
  const derive: Scrypt['derive'] = (input) => {
    costs.push(input.cost)
    return real.derive({ ...input, cost: CHEAP })
  }
  return { costs, scrypt: { ...real, derive } }
}

const work = (costs: readonly ScryptCost[]) => costs.reduce((sum, { logN, r, p }) => sum + 2 ** logN * r * p, 0)

t.test('a password fits its own hash and no other one does, however its letters are composed', async (t) => {
  const { hash: hashOf, verify } = make()
  const hash = await hashOf('Größe 42!')
  t.match(hash, /^\$scrypt\$ln=4,r=1,p=1\$[\w-]{22}\$[\w-]{43}$/)
  t.equal(await verify('Größe 42!', hash), true)
  t.equal(await verify('Gro\u0308ße 42!', hash), true)
  t.equal(await verify('größe 42!', hash), false)
  t.equal(await verify('', hash), false)
})

t.test('the same password has another hash each time', async (t) => {
  const { hash } = make()
  t.not(await hash('the same'), await hash('the same'))
})

t.test('nothing fits where nothing is stored, or what is stored is garbled', async (t) => {
  const { verify } = make()
  const text = `${'A'.repeat(22)}$${'A'.repeat(43)}`
  const garbled = [
    '',
    'scrypt$AAAA$AAAA',
    `$scrypt$ln=40,r=8,p=1$${text}`,
    `$scrypt$ln=4,r=0,p=1$${text}`,
    `$argon2id$ln=4,r=1,p=1$${text}`,
  ]
  for (const stored of [undefined, ...garbled]) t.equal(await verify('', stored), false, stored ?? 'nothing')
})

t.test('at full cost a hash is made with the parameters of today, which it names, and costs no less than OWASP asks for', async (t) => {
  const { hash: hashOf, verify, passwords } = make(createMemoryScrypt(), PASSWORD_COST)
  const hash = await hashOf('correct horse')
  t.match(hash, /^\$scrypt\$ln=15,r=8,p=3\$/)
  t.equal(await verify('correct horse', hash), true)
  t.notOk(passwords.isOutdated(hash))
})

t.test('a hash from before still fits, and is out of date', async (t) => {
  const { verify, passwords } = make()
  t.equal(await verify('correct horse', LEGACY), true)
  t.equal(await verify('wrong horse', LEGACY), false)
  t.ok(passwords.isOutdated(LEGACY))
  t.ok(passwords.isOutdated(await make(createMemoryScrypt(), { ...CHEAP, p: 2 }).hash('x')))
  t.notOk(passwords.isOutdated('garbled'))
})

t.test('an unknown account costs as much as a wrong password, also of a hash from before', async (t) => {
  const { costs, scrypt } = recorded()
  const { verify } = make(scrypt, PASSWORD_COST)
  const stored = `$scrypt$ln=15,r=8,p=3$${LEGACY.slice('scrypt$'.length)}`
  for (const one of [undefined, stored, LEGACY]) {
    costs.length = 0
    t.equal(await verify('wrong horse', one), false)
    t.equal(work(costs), 2 ** 15 * 8 * 3, one ?? 'nothing')
  }
})

t.test('sixty sign-ins from one address at once do not keep another household waiting', async (t) => {
  const { passwords } = make(endless())
  const flood = Array.from({ length: 60 }, () => passwords.verify('guess', undefined, '198.51.100.7'))
  const refused = await Promise.all(flood.slice(17))
  t.ok(refused.every((one) => isRefusal(one) && one.refusal === 'unavailable' && one.retryAfterSeconds === 5))

  const { clock, passwords: others } = make()
  const burst = Array.from({ length: 16 }, () => others.verify('guess', undefined, '198.51.100.7'))
  const order: string[] = []
  void burst.at(-1)?.then(() => order.push('flood'))
  const family = Array.from({ length: 4 }, () => others.verify('ours', undefined, HOME).then(() => order.push('family')))
  await clock.settle()
  await Promise.all(family)
  await Promise.all(burst)
  t.strictSame(order, ['family', 'family', 'family', 'family', 'flood'])
})

t.test('a request that waits too long to hash its password is asked to come back later', async (t) => {
  const { clock, passwords } = make(endless())
  void passwords.hash('one', HOME)
  const second = passwords.hash('two', HOME)
  await clock.advance(10_000)
  t.match(await second, { refusal: 'unavailable', retryAfterSeconds: 5 })
})

/** Never ends. */
function endless(): Scrypt {
  return { derive: () => Promise.withResolvers<Uint8Array>().promise, close: async () => {} }
}
