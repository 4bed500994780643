import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createMongoVault } from '../../../src/adapters/mongodb/vault.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { KeyDestroyed, type Vault } from '../../../src/ports/vault.ts'
import { overMongo, overOwnMongo } from '../../fakes/mongodb.ts'
import { connectNode, onNodes } from './nodes.ts'

const make = (connection: Parameters<typeof createMongoVault>[0]['connection']): Vault => createMongoVault({ connection })
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

t.test('nodes at the same time', async (t) => {
  await overMongo(t, async (t, mongo) => {
    t.test('a key has one maker, however many nodes ask', async (t) => {
      const vaults = onNodes(t, mongo.url(), { count: 3, make })
      for (let subject = 0; subject < 10; subject++) {
        const made = await Promise.all(vaults.flatMap((vault) => [vault.makeKey(`${subject}`), vault.makeKey(`${subject}`)]))
        t.equal(new Set(made.map(hex)).size, 1)
      }
    })

    t.test('a key that is created while it is destroyed is destroyed', async (t) => {
      const url = mongo.url()
      const vaults = onNodes(t, url, { count: 3, make })
      const destroyer = createMongoVault({ connection: connectNode(t, url) })
      for (let subject = 0; subject < 20; subject++) {
        const makers = vaults.flatMap((vault) => [vault.makeKey(`${subject}`), vault.makeKey(`${subject}`)])
        const settled = await Promise.allSettled([...makers.slice(0, 3), destroyer.destroyKey(`${subject}`), ...makers.slice(3)])
        const refusals = settled.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
        t.ok(refusals.every((reason) => reason instanceof KeyDestroyed))
        for (const vault of vaults) {
          t.equal(await vault.key(`${subject}`), undefined)
          await t.rejects(vault.makeKey(`${subject}`), KeyDestroyed)
        }
      }
    })

    t.test('of two hashes put at the same time one stands, of two versions both', async (t) => {
      const [one, other] = onNodes(t, mongo.url(), { count: 2, make })
      if (!one || !other) throw new Error('No nodes')
      for (let user = 0; user < 10; user++) {
        const puts = [
          one.putPasswordHash(`${user}`, 1, 'a'),
          other.putPasswordHash(`${user}`, 1, 'b'),
          other.putPasswordHash(`${user}`, 2, 'c'),
        ]
        await Promise.all(puts)
        t.match(await one.passwordHash(`${user}`, 1), /^[ab]$/)
        t.equal(await one.passwordHash(`${user}`, 2), 'c')
      }
    })

    t.test('the hashes of a user go, whatever the ids of others begin with', async (t) => {
      const [vault] = onNodes(t, mongo.url(), { count: 1, make })
      for (const user of ['ann', 'ann:1', 'ann;', 'anna']) await vault?.putPasswordHash(user, 1, user)
      await vault?.dropPasswordHashes('ann')
      t.equal(await vault?.passwordHash('ann', 1), undefined)
      for (const user of ['ann:1', 'ann;', 'anna']) t.equal(await vault?.passwordHash(user, 1), user)
    })
  })
})

t.test('what was acknowledged outlives a server that is killed at work', async (t) => {
  await overOwnMongo(t, async (t, mongo) => {
    const { server } = mongo
    const database = mongo.url()
    const vaults = onNodes(t, database, { count: 2, make })
    const made = new Map<string, string>()
    const destroyed = new Set<string>()
    const hashed = new Set<string>()
    const problems: unknown[] = []
    const over = new AbortController()

    async function work(vault: Vault, node: number): Promise<void> {
      for (let number = 0; !over.signal.aborted; number++) {
        const subject = `${node}-${number}`
        try {
          made.set(subject, hex(await vault.makeKey(subject)))
          await vault.putPasswordHash(subject, 1, `hash of ${subject}`)
          hashed.add(subject)
          if (number % 3 > 0) continue
          made.delete(subject)
          await vault.destroyKey(subject)
          destroyed.add(subject)
        } catch (error) {
          if (!(error instanceof ServerUnavailable)) problems.push(error)
        }
      }
    }

    const workers = vaults.map(work)
    for (let kills = 0; kills < 2; kills++) {
      await sleep(700)
      await server.kill()
      await sleep(100)
      await server.restart()
    }
    await sleep(1_000)
    while (made.size <= 20 || destroyed.size <= 10) await sleep(20)
    over.abort()
    await Promise.all(workers)

    const later = createMongoVault({ connection: connectNode(t, database) })
    t.strictSame(problems, [], 'nothing but being away is told')
    t.ok(made.size > 20 && destroyed.size > 10, `${made.size} keys, ${destroyed.size} destroyed`)
    for (const [subject, key] of made) {
      const found = await later.key(subject)
      if (!found || hex(found) !== key) t.fail(`the key of ${subject} is lost`)
    }
    for (const subject of destroyed) if (await later.key(subject)) t.fail(`the key of ${subject} is there again`)
    for (const subject of hashed) if (!(await later.passwordHash(subject, 1))) t.fail(`the hash of ${subject} is lost`)
  })
})
