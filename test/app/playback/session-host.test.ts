import t from 'tap'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { createCommandHandler } from '../../../src/app/commands/command-handler.ts'
import { createSealer } from '../../../src/app/commands/sealer.ts'
import { createSessionHost } from '../../../src/app/playback/session-host.ts'
import { sessionSubject } from '../../../src/app/playback/session-protocol.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { derivedEventId } from '../../../src/events/derived-id.ts'
import { watchedStream } from '../../../src/events/streams.ts'
import { NoResponder } from '../../../src/ports/bus.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { iso } from '../../fixtures/given.ts'
import {
  author,
  beat,
  end,
  HOUR_MS,
  key,
  makeHost,
  makeSessionNodes,
  send,
  started,
  streamOf,
  eventLines,
} from '../../fixtures/session-nodes.ts'

t.test('a new session and its first actor are one append', async (t) => {
  const cluster = makeSessionNodes()
  const { host } = makeHost(cluster, 'one')
  t.match(await host.start(started, author), { position: await cluster.log.head() })
  t.strictSame(await eventLines(cluster), ['PlaybackStarted 0', 'PlaybackAdopted one'])
})

t.test('commands that come at once are carried out one after the other, in their order', async (t) => {
  const cluster = makeSessionNodes()
  const { host } = makeHost(cluster, 'one')
  await host.start(started, author)
  const positions = Array.from({ length: 30 }, (_, n) => (n + 1) * 1000)
  await Promise.all(positions.map((positionMs, n) => beat(host, positionMs, n)))
  t.strictSame(
    (await eventLines(cluster)).slice(2),
    positions.map((positionMs) => `PlaybackHeartbeat ${positionMs}`),
  )
})

t.test('a mailbox that is full refuses with a time to come again, and works on', async (t) => {
  const inner = createMemoryEventLog()
  const disk = Promise.withResolvers<void>()
  const append: EventLog['append'] = async (...args) => {
    if (args[1] !== 'absent') await disk.promise
    return inner.append(...args)
  }
  const cluster = makeSessionNodes({ log: { ...inner, append } })
  const { host } = makeHost(cluster, 'one')
  await host.start(started, author)
  const running = Promise.all(Array.from({ length: 50 }, (_, n) => beat(host, n)))
  await cluster.clock.settle()
  disk.resolve()
  const replies = await running
  const refused = replies.filter(isRefusal)
  t.equal(refused.length, 50 - 32)
  t.match(refused[0], { refusal: 'unavailable', retryAfterSeconds: 1 })
  t.notOk(isRefusal(await beat(host, 5)))
})

t.test('a command reaches the session’s actor from any node', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one').host, makeHost(cluster, 'two').host]
  await one.start(started, author)
  t.notOk(isRefusal(await beat(two, 5000)))
  t.strictSame(await eventLines(cluster), ['PlaybackStarted 0', 'PlaybackAdopted one', 'PlaybackHeartbeat 5000'])
})

t.test('a silent actor is passivated, and the next command activates the session on the node that it reaches', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one').host, makeHost(cluster, 'two').host]
  await one.start(started, author)
  await cluster.clock.advance(80_000)
  t.equal(cluster.table.held.size, 0, 'nobody holds its lease')
  t.notOk(isRefusal(await beat(two, 5000)))
  t.strictSame((await eventLines(cluster)).slice(1), ['PlaybackAdopted one', 'PlaybackAdopted two', 'PlaybackHeartbeat 5000'])
})

t.test('a host that closes gives its sessions away at once', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one').host, makeHost(cluster, 'two').host]
  await one.start(started, author)
  await one.close()
  t.notOk(isRefusal(await beat(two, 5000)))
})

t.test('two nodes that wake a session at once make one actor of it', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two, three] = [makeHost(cluster, 'one').host, makeHost(cluster, 'two').host, makeHost(cluster, 'three').host]
  await one.start(started, author)
  await one.close()
  const running = Promise.all([beat(two, 1000), beat(three, 2000), beat(two, 3000)])
  await cluster.clock.advance(1000)
  t.notOk((await running).some(isRefusal))
  t.equal((await eventLines(cluster)).filter((line) => line.startsWith('PlaybackAdopted')).length, 2)
})

t.test('when a node is cut off its sessions are adopted elsewhere within one lease time', async (t) => {
  const cluster = makeSessionNodes()
  const { host: one, leases } = makeHost(cluster, 'one')
  const { host: two } = makeHost({ ...cluster, bus: createLocalBus({ clock: cluster.clock }) }, 'two')
  await one.start(started, author)
  leases.stall()
  const early = beat(two, 5000)
  await cluster.clock.advance(2000)
  t.match(await early, { refusal: 'unavailable' }, 'the other one may still be at it')
  await cluster.clock.advance(13_000)
  t.notOk(isRefusal(await beat(two, 6000)))
  t.strictSame((await eventLines(cluster)).slice(2), ['PlaybackAdopted two', 'PlaybackHeartbeat 6000'])
})

t.test('an actor that was superseded without noticing stores nothing more; a caller is not informed, but served again', async (t) => {
  const cluster = makeSessionNodes()
  const { host: one } = makeHost(cluster, 'one')
  const elsewhere = { ...cluster, bus: createLocalBus({ clock: cluster.clock }), table: { held: new Map(), token: 100 } }
  const { host: two } = makeHost(elsewhere, 'two')
  await one.start(started, author)
  await beat(one, 1000)
  await beat(two, 2000)
  t.notOk(isRefusal(await beat(one, 3000)))
  t.strictSame((await eventLines(cluster)).slice(2), [
    'PlaybackHeartbeat 1000',
    'PlaybackAdopted two',
    'PlaybackHeartbeat 2000',
    'PlaybackAdopted one',
    'PlaybackHeartbeat 3000',
  ])
})

t.test('a message that comes to an actor while it closes is answered by the next one at once', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one').host, makeHost(cluster, 'two').host]
  await one.start(started, author)
  const late = beat(two, 5000)
  const closed = one.close()
  t.notOk(isRefusal(await late), 'without the clock having moved')
  await closed
  t.strictSame((await eventLines(cluster)).slice(2), ['PlaybackAdopted two', 'PlaybackHeartbeat 5000'])
})

t.test('a session ends once: the second caller gets "not found"', async (t) => {
  const cluster = makeSessionNodes()
  const { host } = makeHost(cluster, 'one')
  await host.start(started, author)
  const replies = await Promise.all([end(host), end(host), beat(host, 1000)])
  t.match(replies, [{ position: await cluster.log.head() }, { refusal: 'not-found' }, { refusal: 'not-found' }])
  await cluster.clock.settle()
  t.match(await end(host), { refusal: 'not-found' })
  t.strictSame((await eventLines(cluster)).slice(2), ['PlaybackEnded 0'])
  await cluster.clock.advance(80_000)
  t.equal(cluster.table.held.size, 0)
})

t.test('a session that does not exist is not adopted', async (t) => {
  const cluster = makeSessionNodes()
  const { host } = makeHost(cluster, 'one')
  t.match(await beat(host, 1000), { refusal: 'not-found' })
  t.equal(cluster.table.held.size, 0)
})

t.test('an adoption that the log cannot take frees the lease for the next try', async (t) => {
  let broken = true
  const inner = createMemoryEventLog()
  const append: EventLog['append'] = (...args) => (broken ? Promise.reject(new Error('The disk is full')) : inner.append(...args))
  const cluster = makeSessionNodes({ log: { ...inner, append } })
  const { host } = makeHost(cluster, 'one')
  await t.rejects(host.start(started, author), /full/)
  t.equal(cluster.table.held.size, 0)
  broken = false
  await host.start(started, author)
  await cluster.clock.advance(80_000)
  broken = true
  await t.rejects(beat(host, 1000), /full/)
  t.equal(cluster.table.held.size, 0)
  broken = false
  t.notOk(isRefusal(await beat(host, 1000)))
})

t.test('an idle session is recorded as ended at its last heartbeat plus 120 s, regardless of who notices and when', async (t) => {
  const cluster = makeSessionNodes()
  const { host } = makeHost(cluster, 'one')
  await host.start(started, author)
  await cluster.clock.advance(50_000)
  await beat(host, 50_000)
  cluster.idle.heard({ id: key.sessionId, beatAt: iso(cluster.clock.now()) })
  const overAt = iso(cluster.clock.now() + 120_000)
  await cluster.clock.advance(119_999)
  t.notOk(isRefusal(await send(host, { type: 'expire' })), 'not while it lives')
  await host.close()
  await cluster.clock.advance(HOUR_MS)
  const restarted = makeHost(cluster, 'two').host
  t.match(await beat(restarted, 60_000), { refusal: 'not-found' })
  await send(restarted, { type: 'expire' })
  t.match((await streamOf(cluster)).at(-1), { type: 'PlaybackExpired', data: { expiredAt: overAt, positionMs: 50_000 } })
  await send(restarted, { type: 'expire' })
  t.equal((await streamOf(cluster)).filter(({ type }) => type === 'PlaybackExpired').length, 1)
})

t.test('a film is completed once a session, from 90 % on', async (t) => {
  const cluster = makeSessionNodes()
  const { host } = makeHost(cluster, 'one')
  await host.start(started, author)
  const completions = () => streamOf(cluster, watchedStream(key.userId, key.movieId))
  await beat(host, 0.9 * HOUR_MS - 1)
  t.equal((await completions()).length, 0)
  for (const positionMs of [0.9 * HOUR_MS, 0.95 * HOUR_MS, 1000, HOUR_MS]) {
    t.match(await beat(host, positionMs), { position: await cluster.log.head() }, 'answered with where the last effect stands')
  }
  const [completed, ...more] = await completions()
  t.strictSame(more, [])
  t.match(completed, {
    type: 'MovieCompleted',
    id: derivedEventId(key.sessionId, 'MovieCompleted'),
    data: { ...key, completedAt: iso(cluster.clock.now()) },
    metadata: { causation: key.sessionId, actor: author.actor },
  })
})

t.test('seeking to the end completes nothing', async (t) => {
  const cluster = makeSessionNodes()
  const { host } = makeHost(cluster, 'one')
  await host.start(started, author)
  await send(host, { type: 'seek', positionMs: HOUR_MS })
  await end(host)
  t.equal((await streamOf(cluster, watchedStream(key.userId, key.movieId))).length, 0)
})

t.test('where the lease was lost while the session was being stored no actor stays that nobody would end', async (t) => {
  const cluster = makeSessionNodes()
  const commandHandler = createCommandHandler({
    ...cluster,
    ids: createTestIds({ series: 'f' }),
    sealer: createSealer(createMemoryVault()),
    node: 'attic',
  })
  const lapsed = { token: 1, lost: AbortSignal.abort(), release: async () => {} }
  const leases = { ...createMemoryLeases(cluster), acquire: async () => lapsed }
  const host = createSessionHost({ ...cluster, commandHandler, leases, node: 'attic' })
  t.notOk(isRefusal(await host.start(started, author)))
  const asking = cluster.bus.request(sessionSubject(key.sessionId, lapsed.token), { head: {} }, { timeoutMs: 1_000 })
  await t.rejects(asking, NoResponder)
})

t.test('a session that its node adopts again while it waits for the log goes on, under the newer lease', async (t) => {
  const inner = createMemoryEventLog()
  const answer = Promise.withResolvers<void>()
  let adoptions = 0
  const append: EventLog['append'] = async (...args) => {
    const appended = await inner.append(...args)
    if (args[2][0]?.type === 'PlaybackAdopted' && ++adoptions === 1) await answer.promise
    return appended
  }
  const cluster = makeSessionNodes({ log: { ...inner, append } })
  const one = makeHost(cluster, 'one').host
  await one.start(started, author)
  await one.close()
  const { host: two } = makeHost(cluster, 'two')
  const first = beat(two, 1000)
  await cluster.clock.settle()
  // Its lease is forgotten: the next command acquires another one.
  cluster.table.held.clear()
  t.notOk(isRefusal(await beat(two, 2000)))
  answer.resolve()
  await cluster.clock.advance(20_000)
  t.notOk(isRefusal(await first))
  t.notOk(isRefusal(await beat(two, 3000)))
  await two.close()
  t.equal(cluster.table.held.size, 0, 'nobody holds its lease')
})
