import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { patiently, waitForServers } from '../../src/wiring/wait-for-servers.ts'
import { ServerUnavailable, StorageTrouble } from '../../src/ports/server.ts'

t.test('a start says which server it waits for, why and for how long, and when each is back', async (t) => {
  const clock = createTestClock()
  const gone = new Set(['MARQUEE_READ_STORE', 'MARQUEE_VAULT'])
  const server = (setting: string) => ({
    name: 'MongoDB',
    setting,
    address: 'db:27017',
    check: async () => {
      if (gone.has(setting))
        throw new ServerUnavailable('MongoDB', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
    },
  })
  const [lines, answers]: [string[], (string | undefined)[]] = [[], []]
  const waiting = (reason: string | undefined) => void answers.push(reason)
  const report = (line: string) => void lines.push(line)
  const done = waitForServers([server('MARQUEE_READ_STORE'), server('MARQUEE_VAULT')], { clock, report, waiting })
  await clock.advance(10_000)
  gone.delete('MARQUEE_READ_STORE')
  await clock.advance(1000)
  gone.delete('MARQUEE_VAULT')
  await clock.advance(1000)
  await done
  const why = 'nothing listens there. Start the server, or correct the address'
  t.strictSame(lines, [
    `Waiting for MongoDB at db:27017 (MARQUEE_READ_STORE): ${why}.`,
    `Waiting for MongoDB at db:27017 (MARQUEE_VAULT): ${why}.`,
    `Waiting for MongoDB at db:27017 (MARQUEE_READ_STORE), for 10 s by now: ${why}.`,
    `Waiting for MongoDB at db:27017 (MARQUEE_VAULT), for 10 s by now: ${why}.`,
    'MongoDB at db:27017 (MARQUEE_READ_STORE) is back after 11 s.',
    'MongoDB at db:27017 (MARQUEE_VAULT) is back after 12 s.',
  ])
  t.match(answers[0], /MARQUEE_READ_STORE.*MARQUEE_VAULT/)
  t.equal(answers.at(-1), undefined)
})

t.test('a start does not wait for a damaged file to become whole', async (t) => {
  const clock = createTestClock()
  const damage = new StorageTrouble('damaged', 'vault.sqlite')
  const work = async () => {
    throw damage
  }
  await t.rejects(patiently({ clock, report: () => {} }, work), damage)
})
