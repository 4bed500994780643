/** Sessions on several nodes whose messages and leases go over a real NATS. */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { createNatsLeases } from '../../../src/adapters/nats/leases.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'
import { createCommandHandler } from '../../../src/app/commands/command-handler.ts'
import { createIdleClock } from '../../../src/app/access/idle-clock.ts'
import { createSealer } from '../../../src/app/commands/sealer.ts'
import { createSessionHost, type SessionHost } from '../../../src/app/playback/session-host.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { SessionId } from '../../../src/vocabulary/id.ts'
import { playbackStream } from '../../../src/events/streams.ts'
import { ReplyTimeout, type Bus } from '../../../src/ports/bus.ts'
import type { Leases } from '../../../src/ports/leases.ts'
import { startProgram, type NatsProgram } from '../../fixtures/program.ts'
import { overNats, type NatsUnderTest } from '../../fakes/nats.ts'
import { author, beat, end, started, streamOf, eventLines } from '../../fixtures/session-nodes.ts'

t.setTimeout(180_000)

const LEASE_MS = 15_000
const SESSIONS = 24

function makeSessionNodes(t: Test, nats: NatsUnderTest) {
  const [clock, log, ids, url] = [createSystemClock(), createMemoryEventLog(), createSystemIds(), nats.url()]
  function makeHost(node: string, { program = startProgram(t, url), bus = program.bus, leases = program.leases }: Parts = {}) {
    const commandHandler = createCommandHandler({ log, clock, ids, sealer: createSealer(createMemoryVault()), node })
    const host = createSessionHost({ bus, clock, commandHandler, idle: createIdleClock({ clock, behindMs: () => 0 }), leases, node })
    t.teardown(() => host.close())
    return host
  }
  return { log, ids, url, makeHost }
}

interface Parts {
  readonly program?: NatsProgram
  readonly bus?: Bus
  readonly leases?: Leases
}

await overNats(t, (t, nats) => {
  t.test('a node that is held goes on listening for NATS: its session moves all the same when its lease has lapsed', async (t) => {
    const cluster = makeSessionNodes(t, nats)
    const program = startProgram(t, cluster.url)
    const gate = Promise.withResolvers<void>()
    let isHeld = false
    const answers: Promise<unknown>[] = []
    const respond: Bus['respond'] = (subject, handler) =>
      program.bus.respond(subject, (message, at) => {
        const answer = (isHeld ? gate.promise : Promise.resolve()).then(() => handler(message, at))
        answers.push(answer)
        return answer
      })
    // Its timers stand still, so it never renews.
    const leases = createNatsLeases({ ...program, clock: createTestClock(), name: 'node' })
    const held = cluster.makeHost('held', { program, bus: { ...program.bus, respond }, leases })
    const [two, three] = [cluster.makeHost('two'), cluster.makeHost('three')]
    t.notOk(isRefusal(await held.start(started, author)))
    for (const host of [two, three]) t.notOk(isRefusal(await beat(host, 1000)))
    isHeld = true
    await sleep(LEASE_MS + 1000)
    await t.rejects(beat(two, 2000), ReplyTimeout, 'it may have run')
    t.notOk(isRefusal(await beat(two, 3000)), 'the next one finds it')
    await t.rejects(beat(three, 4000), ReplyTimeout)
    t.notOk(isRefusal(await beat(three, 5000)))
    gate.resolve()
    isHeld = false
    await Promise.allSettled(answers)
    t.notOk(isRefusal(await beat(held, 6000)), 'the one that was held asks the new actor')
    t.strictSame((await eventLines(cluster)).slice(4), [
      'PlaybackAdopted two',
      ...[3000, 5000, 6000].map((positionMs) => `PlaybackHeartbeat ${positionMs}`),
    ])
    t.notOk(isRefusal(await end(three)))
  })

  t.test('nodes that are restarted one after the other, under load, refuse no command', async (t) => {
    const cluster = makeSessionNodes(t, nats)
    const sessions = Array.from({ length: SESSIONS }, () => cluster.ids.next<'session'>())
    let hosts: readonly SessionHost[] = ['a1', 'b1', 'c1'].map((node) => cluster.makeHost(node))
    const of = (n: number) => hosts[n % hosts.length]
    for (const [n, sessionId] of sessions.entries()) await of(n)?.start({ ...started, data: { ...started.data, sessionId } }, author)
    const stopping = new AbortController()
    const refused: unknown[] = []
    const sent = new Map<SessionId, number[]>(sessions.map((id) => [id, []]))

    async function play(id: SessionId, n: number): Promise<void> {
      for (let positionMs = 1; !stopping.signal.aborted; positionMs++) {
        const command = { type: 'beat', beat: { positionMs } } as const
        const answer = await of(n + positionMs)
          ?.send(id, { command, author })
          .catch((cause: unknown) => cause)
        if (Object.hasOwn(Object(answer), 'position')) sent.get(id)?.push(positionMs)
        else refused.push(answer)
        await sleep(20)
      }
    }

    const playing = sessions.map(play)
    for (const node of ['a2', 'b2', 'c2']) {
      await sleep(500)
      const [leaving, ...others] = hosts
      hosts = [...others, cluster.makeHost(node)]
      await leaving?.close()
    }
    await sleep(500)
    stopping.abort()
    await Promise.all(playing)
    t.strictSame(refused.slice(0, 3), [], `${[...sent.values()].flat().length} heartbeats`)
    for (const [id, positions] of sent) {
      const stored = (await streamOf(cluster, playbackStream(id))).flatMap(({ type, data }) =>
        type === 'PlaybackHeartbeat' ? [data.positionMs] : [],
      )
      t.strictSame(stored, positions, 'each is stored once, in its order')
    }
  })
})
