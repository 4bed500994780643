import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { createCommandHandler } from '../../../src/app/commands/command-handler.ts'
import { createInstallation } from '../../../src/app/accounts/installation.ts'
import { createSealer } from '../../../src/app/commands/sealer.ts'

const silent = (): void => {}
const log = createMemoryEventLog()
let nodes = 1

/** A node with these secrets on the shared log. */
function node(vault = createMemoryVault()) {
  const commandHandler = createCommandHandler({
    log,
    clock: createTestClock(),
    ids: createTestIds({ series: String(nodes++) }),
    sealer: createSealer(vault),
    node: 'a',
  })
  return createInstallation({ access: { users: new Map() }, commandHandler, vault })
}

t.test('a node whose MARQUEE_SECRET is another one is refused, and a rotation is not', async (t) => {
  t.equal(await node().faultOfSecret('one', undefined), undefined)
  t.equal(await node().faultOfSecret('one', undefined), undefined)
  t.match(await node().faultOfSecret('two', undefined), /^MARQUEE_SECRET is not the secret of the other nodes\..*MARQUEE_PREVIOUS_SECRET/)
  t.equal(await node().faultOfSecret('two', 'one'), undefined)
  t.match(await node().faultOfSecret('one', undefined), /^MARQUEE_SECRET is not/)
  t.equal(await node().faultOfSecret('two', undefined), undefined)
  t.match(await node().faultOfSecret('three', 'one'), /^MARQUEE_SECRET is not/)
})

t.test('the log distinguishes its vault from every other one, and neither from none', async (t) => {
  const vault = createMemoryVault()
  t.equal(await node(vault).faultOfVault(silent), undefined)
  t.equal(await node(vault).faultOfVault(silent), undefined)
  const empty = createMemoryVault()
  t.match(await node(empty).faultOfVault(silent), /is missing or empty/)
  t.equal(await empty.hasSecret('names'), false, 'nothing was made in it')
  const other = createMemoryVault()
  await other.secret('names')
  t.match(await node(other).faultOfVault(silent), /is not the one that this event log was written with/)
})

t.test('the digests in the log reveal nothing about the secret', async (t) => {
  for await (const event of log.read('installation-1')) t.match(event.data['digest'], /^[0-9a-f]{64}$/)
})
