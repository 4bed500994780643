import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { isAgentHello, subjects, type AgentHello } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { seekFor } from '../../../src/domain/streaming/seek.ts'
import { startProgram as startNatsProgram } from '../../fixtures/program.ts'
import { startProgram } from '../../system/cluster/program.ts'
import { startNewestNats } from '../../fakes/nats.ts'
import { clip } from '../../fixtures/clips.ts'
import { EVERY_CODEC } from '../streaming/capable-player.ts'
import { openEngineFixture, renditionNamed } from '../engine-fixture.ts'
import { openPlay } from './play.ts'

t.setTimeout(200_000)
const awake = setInterval(() => undefined, 1_000)
const server = await startNewestNats()
t.teardown(async () => {
  clearInterval(awake)
  await server?.stop()
})

/** Two agents as processes; one of them has made segments for a viewer as far ahead as it may, and waits for credit. */
async function openShow(t: Test, url: string) {
  const path = await clip('open-gop.mkv')
  const fixture = await openEngineFixture(t)
  const { plan, rendition } = await renditionNamed(
    fixture,
    { ...(await fixture.source(path)), options: { capabilities: EVERY_CODEC } },
    'original',
  )
  await fixture.close()
  const folder = mkdtempSync(join(tmpdir(), 'marquee-agents-'))
  const agents = ['agent 1', 'agent 2'].map((name) =>
    startProgram({ name, file: 'transcode-agent/main.ts', env: { MARQUEE_BUS: url }, folder: join(folder, name) }),
  )
  t.teardown(async () => {
    await Promise.all(agents.map((agent) => agent.kill()))
    rmSync(folder, { recursive: true })
  })
  const { bus } = startNatsProgram(t, url)
  const hellos = new Map<string, AgentHello>()
  bus.subscribe(subjects.hello, ({ head }) => void (isAgentHello(head) && hellos.set(head.agentId, head)))
  const names = await Promise.all(agents.map(async (agent) => (await agent.printed(/agent (\S+) is running/))[1] ?? ''))
  const play = openPlay(t, bus, { path, plan, rendition, seekFor: (segment) => seekFor(plan, rendition, segment) })
  await play.segment(0)
  const isAtWork = (name: string) => (hellos.get(name)?.free ?? 0) < (hellos.get(name)?.slots ?? 0)
  for (let waited = 0; waited < 100 && !names.some(isAtWork); waited++) await sleep(50)
  const index = names.findIndex(isAtWork)
  const atWork = agents[index]
  if (!atWork) throw new Error('Nobody is at work')
  return { play, atWork, isAtWork: () => isAtWork(names[index] ?? '') }
}

const HITS = [
  ['is killed', 'kill'],
  ['is held', 'stop'],
  ['is told to stop', 'end'],
] as const
for (const [what, hit] of HITS) {
  t.test(`given two agents as programs, when the one at work ${what}, the other goes on`, { skip: !server }, async (t) => {
    const { play, atWork, isAtWork } = await openShow(t, `${server?.url}/${hit}`)
    const hitAt = performance.now()
    const seconds = () => ((performance.now() - hitAt) / 1000).toFixed(2)
    const ended = hit === 'end' ? atWork.end('SIGTERM').then((code) => `ended with ${code} after ${seconds()} s`) : Promise.resolve('')
    if (hit === 'kill') await atWork.kill()
    if (hit === 'stop') atWork.stop()
    // The last one, which was not made.
    await play.segment(2)
    t.comment(`the next segment came after ${seconds()} s`)
    t.strictSame(play.problems, [])
    t.match(await ended, hit === 'end' ? /^ended with 0 / : '')
    t.comment(await ended)
    if (hit !== 'stop') return
    atWork.cont()
    for (let waited = 0; waited < 150 && isAtWork(); waited++) await sleep(100)
    t.equal(isAtWork(), false, 'the one that was held drops its job when it goes on')
  })
}
