import t, { type Test } from 'tap'
import { projectorLease } from '../../../projections/projector/projector-lease.ts'
import { ReplyTimeout } from '../../../src/ports/bus.ts'
import { readSubjects } from '../../../src/app/media-reads/media-read-protocol.ts'
import { subjects } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { composeFile } from '../../repo/compose-file.ts'
import { overConfiguredNats } from '../../fakes/nats.ts'
import { connected, numbered, startProgram, type NatsProgram } from '../../fixtures/program.ts'
import { until } from '../../fixtures/until.ts'

const PASSWORDS = { api: 'api-word', projector: 'projector-word', agent: 'agent-word' }
type Role = keyof typeof PASSWORDS

const configuration = composeFile({
  NATS_API_PASSWORD: PASSWORDS.api,
  NATS_PROJECTOR_PASSWORD: PASSWORDS.projector,
  NATS_AGENT_PASSWORD: PASSWORDS.agent,
}).configs['nats']?.content

const QUICK = { timeoutMs: 500 }
const LONG = { timeoutMs: 10_000 }

await overConfiguredNats(t, configuration ?? '', (t, host) => {
  const start = async (t: Test, role: Role): Promise<NatsProgram> => {
    const program = startProgram(t, `nats://${role}:${PASSWORDS[role]}@${host}`)
    await connected([program])
    return program
  }
  const startAll = async (t: Test) => ({
    api: await start(t, 'api'),
    projector: await start(t, 'projector'),
    agent: await start(t, 'agent'),
  })
  const isRefused = ({ problems }: NatsProgram, subject: string) =>
    until(() => problems.some((one) => one instanceof Error && one.message.includes(subject) && one.message.includes('MARQUEE_BUS')))

  t.test('with the users of compose.yaml every role does its work', async (t) => {
    const { api, projector, agent } = await startAll(t)
    const heard: string[] = []
    const hear = (_: unknown, subject: string): void => void heard.push(subject)
    const answer = async () => numbered(1)
    const all = [
      api.bus.subscribe('>', hear),
      projector.bus.subscribe('projector.who', hear),
      agent.bus.subscribe(subjects.who, hear),
      agent.bus.subscribe(subjects.order('job'), hear),
      agent.bus.respond(subjects.start('a'), answer),
      agent.bus.respond(subjects.question('a'), answer),
      agent.bus.respond(readSubjects.request, answer),
      api.bus.respond(subjects.beat('job'), answer),
      api.bus.respond(subjects.attachment('job'), answer),
      api.bus.respond(subjects.inbox('node', 'job'), answer),
      api.bus.respond(readSubjects.inbox('node', 'read'), answer),
      api.bus.respond(readSubjects.beat('read'), answer),
      agent.bus.subscribe(readSubjects.order('read'), hear),
      api.bus.respond('playback.session.1', answer),
    ]
    await Promise.all(all.map(({ ready }) => ready))
    for (const subject of [subjects.who, subjects.order('job'), 'projector.who']) api.bus.publish(subject, numbered(1))
    for (const subject of [subjects.hello, subjects.plainHello]) agent.bus.publish(subject, numbered(1))
    projector.bus.publish('projector.passed', numbered(1))
    for (const subject of [subjects.start('a'), subjects.question('a'), readSubjects.request, 'playback.session.1'])
      t.strictSame(await api.bus.request(subject, numbered(0), LONG), numbered(1), subject)
    const records = [readSubjects.beat('read'), readSubjects.inbox('node', 'read')]
    for (const subject of [subjects.beat('job'), subjects.attachment('job'), subjects.inbox('node', 'job'), ...records])
      t.strictSame(await agent.bus.request(subject, numbered(0), LONG), numbered(1), subject)
    await until(() => heard.length === 9)
    for (const [program, key] of [
      [api, 'playback.session'],
      [projector, projectorLease('movies')],
    ] as const) {
      const lease = await program.leases.acquire(key, 15)
      t.ok(lease, key)
      t.equal(await program.leases.held(key), true)
      await lease?.release()
      t.equal(await program.leases.held(key), false)
      t.ok(await program.leases.acquire(key, 5), 'taken again')
    }
    for (const { problems } of [api, projector, agent]) t.strictSame(problems, [])
  })

  t.test("an agent's user can neither command sessions nor speak for others, and says which setting is at fault", async (t) => {
    const { api, agent } = await startAll(t)
    const seen: string[] = []
    const asked = ['playback.session.1', 'rendition.r.get', 'stream.node.parts', 'rendition-runs.give-up']
    const told = ['projector.passed', 'node.passed', 'scan.ended', 'stream.problems', subjects.who, subjects.order('job')]
    const work = async (_: unknown, subject: string) => {
      seen.push(subject)
      return numbered(1)
    }
    await Promise.all(asked.map((subject) => api.bus.respond(subject, work).ready))
    await api.bus.subscribe('>', (_, subject) => void seen.push(subject)).ready
    await Promise.all(asked.map((subject) => t.rejects(agent.bus.request(subject, numbered(1), QUICK), ReplyTimeout, subject)))
    for (const subject of told) agent.bus.publish(subject, numbered(1))
    await Promise.all([...asked, ...told].map((subject) => isRefused(agent, subject)))
    agent.bus.publish(subjects.hello, numbered(1))
    await until(() => seen.includes(subjects.hello))
    t.strictSame(seen, [subjects.hello], 'it stays connected, and nothing else came through')
  })

  t.test("an agent's user neither takes nor reads leases of sessions and views", async (t) => {
    const { api, projector, agent } = await startAll(t)
    t.ok(await projector.leases.acquire(projectorLease('users'), 60))
    for (const key of ['playback.other', projectorLease('users')]) {
      await t.rejects(agent.leases.acquire(key, 15))
      await t.rejects(agent.leases.held(key))
      const session = agent.connection.current()
      session?.send({ subject: `$KV.marquee-leases-15s.${key}`, payload: Buffer.from('mine') })
      await isRefused(agent, `$KV.marquee-leases-15s.${key}`)
    }
    t.equal(await api.leases.held('playback.other'), false)
    projector.connection.current()?.send({ subject: '$KV.marquee-leases-15s.playback.other', payload: Buffer.from('mine') })
    await isRefused(projector, '$KV.marquee-leases-15s.playback.other')
    t.equal(await api.leases.held('playback.other'), false, 'nor does a projector')
  })

  t.test('no role can listen to answers of another one, nor an agent to what API nodes say', async (t) => {
    const { agent, projector } = await startAll(t)
    const forbidden = ['_INBOX.>', '_INBOX.*.>', '_INBOX.api.>', '>', 'marquee.>', 'marquee.ask.playback.>', '$KV.>']
    for (const program of [agent, projector]) {
      for (const subject of forbidden) {
        const { promise, resolve } = Promise.withResolvers<string>()
        program.connection.current()?.listen(subject, { take: () => {}, refused: ({ message }) => resolve(message) })
        t.match(await promise, /MARQUEE_BUS/, subject)
      }
      await program.connection.engine.check()
    }
  })
})
