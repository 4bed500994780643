/** Current agents beside older nodes, as during a rolling upgrade. */
import t from 'tap'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createAgentDirectory } from '../../../src/app/streaming/agents/agent-directory.ts'
import { plainHello, subjects, type AgentHello } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { ENCODED } from '../../fixtures/scripted-agent.ts'
import { openOwner } from '../owner.ts'

const FILM = { weight: 1, encoder: 'x264' } as const
const HELLO: AgentHello = {
  type: 'hello',
  agentId: 'one',
  version: '5.1',
  slots: 2,
  free: 2,
  load: 0,
  encoders: [
    { name: 'x264', framesPerSecond: 90 },
    { name: 'nvenc', framesPerSecond: 400 },
  ],
  toneMaps: ['zscale'],
  leaving: false,
}

t.test('nodes of before do not see an agent that has more than they know', async (t) => {
  const owner = await openOwner()
  const plain: JsonObject[] = []
  owner.bus.subscribe(subjects.plainHello, ({ head }) => void plain.push(head))
  owner.bus.publish(subjects.who, { head: {} })
  await owner.until(() => plain.length > 0)
  await owner.close()
  const known = ['agentId', 'encoders', 'free', 'leaving', 'load', 'slots', 'type', 'version']
  t.strictSame(Object.keys(plain[0] ?? {}).toSorted(), known, 'the members that they know, and no other')
  t.strictSame(plainHello(HELLO).encoders, [{ name: 'x264', framesPerSecond: 90 }])
})

t.test('what an agent says for nodes of before takes nothing away from what it says for those of today', async (t) => {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const directory = createAgentDirectory({ bus, clock })
  const hello: AgentHello = { ...HELLO, encoders: [{ name: 'nvenc', framesPerSecond: 400 }], toneMaps: [] }
  bus.publish(subjects.hello, { head: hello })
  bus.publish(subjects.plainHello, { head: plainHello(hello) })
  bus.publish(subjects.plainHello, { head: plainHello({ ...hello, agentId: 'old', encoders: null }) })
  await clock.settle()
  t.equal(directory.encoder(), 'nvenc')
  t.strictSame(await directory.candidates({ ...FILM, encoder: 'nvenc' }), ['one'])
  t.strictSame(await directory.candidates({ ...FILM, toneMap: 'zscale' }), ['old'], 'one of before has what nearly all have')
  directory.close()
})

t.test('an agent refuses HDR jobs of nodes of before', async (t) => {
  const owner = await openOwner()
  const job = (toneMap: string) => owner.ask({ output: { ...ENCODED, toneMap } as never, jobId: `job-${toneMap}` })
  t.match(await job('pq'), { type: 'accepted' })
  t.match(await job('hlg'), { type: 'accepted' })
  t.match(await job('other'), { type: 'refused' })
  await owner.close()
})
