import t from 'tap'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { isStartReply } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import { seekFor } from '../../../src/domain/streaming/seek.ts'
import type { Bus } from '../../../src/ports/bus.ts'
import { createTranscodeAgent } from '../../../transcode-agent/agent.ts'
import { startProgram as startNatsProgram } from '../../fixtures/program.ts'
import { programs } from '../../fixtures/media-files.ts'
import { overNats } from '../../fakes/nats.ts'
import { clip } from '../../fixtures/clips.ts'
import { EVERY_CODEC } from '../streaming/capable-player.ts'
import { numbers, openEngineFixture, renditionNamed } from '../engine-fixture.ts'
import { openPlay } from './play.ts'

t.setTimeout(240_000)
const awake = setInterval(() => undefined, 1_000)
t.teardown(() => clearInterval(awake))

await overNats(t, (t, nats) => {
  t.test('given two agents, when the one at work loses its connection, the film goes on, byte for byte', async (t) => {
    const path = await clip('open-gop.mkv')
    const fixture = await openEngineFixture(t)
    const source = { ...(await fixture.source(path)), options: { capabilities: EVERY_CODEC } }
    const { plan, rendition, quality } = await renditionNamed(fixture, source, 'original')
    const order = numbers(segmentCount(rendition.grid))
    const undisturbed = await fixture.fetch(source, quality, order)
    await fixture.close()

    const url = nats.url()
    const { ffmpeg } = await programs
    const workers = new Set<string>()
    const agents = ['one', 'two'].map((agentId) => {
      const { bus, connection } = startNatsProgram(t, url)
      // Its announcement would miss a job that ends in a moment.
      const respond: Bus['respond'] = (subject, handler) =>
        bus.respond(subject, async (message, at) => {
          const reply = await handler(message, at)
          if (isStartReply(reply.head) && reply.head.type === 'accepted') workers.add(agentId)
          return reply
        })
      const agent = createTranscodeAgent({ bus: { ...bus, respond }, clock: createSystemClock(), agentId, ffmpegPath: ffmpeg, slots: 2 })
      t.teardown(() => agent.close())
      return { agentId, connection }
    })
    const { bus } = startNatsProgram(t, url)
    const play = openPlay(t, bus, { path, plan, rendition, seekFor: (segment) => seekFor(plan, rendition, segment) })
    const took = new Map<number, number>()
    const made = new Map<number, Buffer>()
    for (const segment of order) {
      // It waits for credit, ten seconds ahead: it has not made the last one.
      if (segment === 1) await agents.find(({ agentId }) => workers.has(agentId))?.connection.close()
      const askedAt = performance.now()
      made.set(segment, await play.segment(segment))
      took.set(segment, performance.now() - askedAt)
    }
    t.comment(`segments took ${[...took.values()].map((ms) => Math.round(ms)).join(', ')} ms`)
    t.equal(workers.size, 2)
    for (const segment of order) t.ok(made.get(segment)?.equals(undisturbed.get(segment) ?? Buffer.of()), `segment ${segment}`)
    t.strictSame(play.problems, [])
  })
})
