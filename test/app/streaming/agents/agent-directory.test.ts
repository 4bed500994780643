import t from 'tap'
import { createLocalBus } from '../../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../../src/adapters/memory/clock.ts'
import { createAgentDirectory } from '../../../../src/app/streaming/agents/agent-directory.ts'
import { subjects } from '../../../../src/app/streaming/agents/agent-protocol.ts'

const FILM = { weight: 1, encoder: 'x264' } as const

function openRoom() {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const directory = createAgentDirectory({ bus, clock })
  const head = { type: 'hello', version: '5.1', slots: 2, free: 2, load: 0, encoders: null, leaving: false }
  const hello = async (agentId: string, changes = {}) => {
    bus.publish(subjects.hello, { head: { ...head, agentId, ...changes } })
    await clock.settle()
  }
  return { clock, bus, directory, hello }
}

t.test('an agent that says nothing for fifteen seconds is forgotten', async (t) => {
  const { clock, directory, hello } = openRoom()
  await hello('one')
  t.strictSame(await directory.candidates(FILM), ['one'])
  await clock.advance(14_000)
  t.equal(directory.any(), true)
  t.match(directory.list(), [{ agentId: 'one', slots: 2, free: 2 }])
  await clock.advance(2_000)
  t.equal(directory.any(), false)
  t.strictSame(directory.list(), [])
})

t.test('an agent that is gone is forgotten at once; one that gives no answer is asked last for half a minute', async (t) => {
  const { clock, directory, hello } = openRoom()
  await hello('a', { free: 2 })
  await hello('b', { free: 1 })
  directory.silent('a')
  t.strictSame(await directory.candidates(FILM), ['b', 'a'])
  await hello('a', { free: 2 })
  t.strictSame(await directory.candidates(FILM), ['b', 'a'], 'whatever it says of itself')
  await clock.advance(10_000)
  for (const agentId of ['a', 'b']) await hello(agentId, { free: agentId === 'a' ? 2 : 1 })
  await clock.advance(10_000)
  for (const agentId of ['a', 'b']) await hello(agentId, { free: agentId === 'a' ? 2 : 1 })
  await clock.advance(11_000)
  t.strictSame(await directory.candidates(FILM), ['a', 'b'])
  directory.gone('a')
  t.strictSame(await directory.candidates(FILM), ['b'])
})

t.test('one that leaves is none that is there', async (t) => {
  const { directory, hello } = openRoom()
  await hello('one', { leaving: true })
  t.equal(directory.any(), false)
})

t.test('a sender of other messages than an agent’s is not an agent', async (t) => {
  const { directory, hello } = openRoom()
  await hello('one', { slots: 'many' })
  await hello('two', { encoders: [{ name: 'rm -rf', framesPerSecond: 1 }] })
  await hello('three >', {})
  t.equal(directory.any(), false)
})
