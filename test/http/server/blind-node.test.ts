/**
 * Tests a node whose log subscription stalls: it may miss revoked permissions, so it rejects all requests until it has caught up.
 * During an outage of the log for all nodes it does not.
 */
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { START } from '../../../src/events/position.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'
import { openNode } from './two-nodes.ts'

/** A log whose subscription and head one node can lose. */
function faulty(log: EventLog) {
  const fault = { isSilent: false, isAway: false, end: Promise.withResolvers<void>() }
  return {
    fault,
    heal: () => {
      fault.isSilent = fault.isAway = false
      fault.end.resolve()
    },
    log: {
      ...log,
      async head() {
        if (fault.isAway) throw new ServerUnavailable('EventStoreDB')
        return log.head()
      },
      async *follow(...[after, signal]: Parameters<EventLog['follow']>) {
        for await (const batch of log.follow(after, signal)) {
          if (fault.isSilent) await Promise.race([fault.end.promise, once(signal, 'abort').catch(() => {})])
          if (signal.aborted) return
          yield batch
        }
      },
    },
  }
}

/** A node, and another one on which things happen. */
async function setUp(t: Test) {
  const cluster = createCluster()
  const { log, fault, heal } = faulty(cluster.log)
  // It is first, so that it keeps the views.
  const other = await openNodeFixture(t, { cluster, node: 'other' })
  const servers = [{ name: 'EventStoreDB', check: async () => {} }]
  const fixture = await openNodeFixture(t, { cluster: { ...cluster, log }, node: 'faulty', servers })
  t.teardown(heal)
  const node = await openNode(t, { cluster, name: 'faulty', fixture })
  cluster.mediaFiles.put('/films/Metropolis (1927).mkv')
  await other.scan(await other.newLibrary('/films'))
  const movieId = (await other.movieNamed('Metropolis')).id
  const [admin, ann] = [await other.person({ role: 'admin' }), await other.person()]
  const { session } = allowed(await other.playback.start(ann.caller, { movieId }, ORIGIN))
  const stream = `/api/stream/${session.id}/original/init.mp4?token=${fixture.streamAccess.issue(session).token}`
  await cluster.clock.advance(1_000)
  const me = async ({ token }: { token: string }) => (await node.ask('GET', '/v1/users/me', { token })).status
  const disable = async () => allowed(await other.users.change(admin.caller, ann.caller.userId, { enabled: false }, ORIGIN))
  return { cluster, node, fixture, fault, heal, admin, ann, session, stream, me, disable }
}

t.test('a node that misses revocations refuses everybody, explains why, and recovers by itself', async (t) => {
  const { cluster, node, fixture, fault, heal, admin, ann, session, stream, me, disable } = await setUp(t)
  const events = await node.events(ann.token)
  await events.first('hello')
  const segment = node.get(stream.replace('init.mp4', 'seg-1.m4s'))
  while (!node.waiting.has(session.id)) await setImmediate()
  fault.isSilent = true
  await disable()
  await cluster.clock.advance(500)
  t.strictSame([await me(ann), await me(admin)], [200, 200], 'it cannot know yet')

  await cluster.clock.advance(9_500)
  t.strictSame([await me(ann), await me(admin)], [503, 503])
  t.equal((await node.ask('GET', stream)).status, 503)
  t.equal((await node.events(ann.token)).status, 503)
  t.equal((await node.get(`/api/events?token=${ann.token}`)).headers['retry-after'], '2')
  t.equal((await node.ask('POST', '/api/auth/sign-in/email', { body: { email: 'a@b', password: 'x' } })).status, 503)
  t.equal((await node.ask('GET', '/api/images/aaaaaaaaaaaaaaaaaaaaa')).status, 503)
  await events.ended
  t.equal((await segment).statusCode, 503)
  t.strictSame(await node.ask('GET', '/healthz'), { status: 200, body: '{"status":"ok"}' })
  t.strictSame(await node.ask('GET', '/readyz'), { status: 503, body: '{"error":"This node is out of date and is catching up"}' })
  t.match(fixture.problems.map(String), [/resubscribing/, /refuses requests/])

  heal()
  await cluster.clock.advance(2_000)
  t.strictSame([await me(ann), await me(admin)], [401, 200])
  t.equal((await node.ask('GET', '/readyz')).status, 200)
})

t.test('a follow that only begins again when it is given up is felt by nobody', async (t) => {
  const { cluster, fault, heal, admin, ann, fixture, me, disable } = await setUp(t)
  fault.isSilent = true
  await disable()
  fault.isSilent = false
  await cluster.clock.advance(4_500)
  t.strictSame([await me(ann), await me(admin)], [200, 200], 'the old one still stands still')
  await cluster.clock.advance(2_500)
  t.strictSame([await me(ann), await me(admin)], [401, 200])
  t.equal(fixture.problems.length, 1)
  heal()
})

t.test('while the log is away for everybody requests are answered and streams go on', async (t) => {
  const { cluster, node, fault, admin, ann, stream, me } = await setUp(t)
  const events = await node.events(ann.token)
  await events.first('hello')
  fault.isSilent = fault.isAway = true
  await cluster.clock.advance(60_000)
  t.strictSame([await me(ann), await me(admin)], [200, 200])
  t.equal((await node.ask('GET', stream)).status, 200)
  t.equal(await Promise.race([events.ended.then(() => 'ended'), setImmediate('open')]), 'open')
})

t.test('a node that alone does not reach the log knows by what others announce that it goes on', async (t) => {
  const { cluster, fault, heal, ann, me, disable } = await setUp(t)
  fault.isSilent = fault.isAway = true
  await disable()
  const position = await cluster.log.head()
  const beating = cluster.clock.every(1_000, () =>
    cluster.bus.publish('node.passed', { head: { node: 'third', position, now: cluster.clock.now() } }),
  )
  await cluster.clock.advance(11_000)
  t.equal(await me(ann), 503)
  heal()
  await cluster.clock.advance(3_000)
  t.equal(await me(ann), 401)
  beating()
})

t.test('a node warns of others whose clocks are off, and answers all the same', async (t) => {
  const { cluster, node } = await setUp(t)
  const head = { node: 'third', position: START }
  const stop = cluster.clock.every(1_000, () => cluster.bus.publish('node.passed', { head: { ...head, now: cluster.clock.now() - 2_500 } }))
  await cluster.clock.advance(5_000)
  t.strictSame(await node.ask('GET', '/readyz'), {
    status: 200,
    body: '{"status":"ready","warnings":["The clock of third is 2.5 s behind this node\'s"]}',
  })
  stop()
  cluster.bus.publish('node.passed', { head: { ...head, position: null } })
  await cluster.clock.settle()
  t.equal((await node.ask('GET', '/readyz')).body, '{"status":"ready"}')
})
