import t from 'tap'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { endExpiredSessions } from '../../../src/app/playback/expired-sessions.ts'
import type { Access } from '../../../src/app/access/access.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { SessionId } from '../../../src/vocabulary/id.ts'
import { playbackStream } from '../../../src/events/streams.ts'
import { ReplyTimeout } from '../../../src/ports/bus.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { iso } from '../../fixtures/given.ts'
import { session as document } from '../../fixtures/samples.ts'
import { named } from '../../fixtures/names.ts'
import {
  author,
  beat,
  end,
  makeHost,
  makeSessionNodes,
  send,
  started,
  streamOf,
  eventLines,
  withHeldAppends,
  type SessionNodes,
} from '../../fixtures/session-nodes.ts'

/** The result, and the time that it took by the clock. */
async function timed<Value>(
  { clock }: SessionNodes,
  asked: Promise<Value>,
): Promise<{ readonly ended: Value | Error; readonly tookMs: number }> {
  const from = clock.monotonic()
  const over = new AbortController()
  const ended = asked
    .catch((cause: Error) => cause)
    .then((value) => ({ ended: value, tookMs: clock.monotonic() - from }))
    .finally(() => over.abort())
  while (!over.signal.aborted) await clock.advance(25)
  return ended
}

t.test('of a node that died: 503 within a second until its lease has lapsed, never 404, then another node goes on', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one'), makeHost(cluster, 'two')]
  await one.host.start(started, author)
  t.notOk(isRefusal(await beat(two.host, 1000)))
  one.kill()
  const diedAt = cluster.clock.monotonic()
  for (let positionMs = 2000; ; positionMs += 1000) {
    const { ended, tookMs } = await timed(cluster, beat(two.host, positionMs))
    t.ok(tookMs <= 1000, `${tookMs} ms`)
    if (!isRefusal(ended)) break
    t.match(ended, { refusal: 'unavailable', retryAfterSeconds: 1 })
    await cluster.clock.advance(1000)
  }
  t.ok(cluster.clock.monotonic() - diedAt <= 17_000, 'within one lease time, and what its player waits between two tries')
  t.strictSame((await eventLines(cluster)).slice(2, 4), ['PlaybackHeartbeat 1000', 'PlaybackAdopted two'])
})

t.test(
  'of a node that is held the sessions are adopted elsewhere although it still listens; when it goes on it writes nothing',
  async (t) => {
    const cluster = makeSessionNodes()
    const [one, two, three] = [makeHost(cluster, 'one'), makeHost(cluster, 'two'), makeHost(cluster, 'three')]
    await one.host.start(started, author)
    for (const { host } of [two, three]) await beat(host, 1000)
    one.hold()
    const { ended, tookMs } = await timed(cluster, beat(two.host, 2000))
    t.type(ended, ReplyTimeout, 'it may have run')
    t.equal(tookMs, 3000)
    await cluster.clock.advance(12_000)
    t.type((await timed(cluster, beat(two.host, 3000))).ended, ReplyTimeout, 'nobody has noticed yet')
    t.match(await timed(cluster, beat(two.host, 4000)), { tookMs: 0, ended: { position: /./ } })
    const late = await timed(cluster, beat(three.host, 5000))
    t.type(late.ended, ReplyTimeout, 'this one knew the old actor only')
    t.match(await timed(cluster, beat(three.host, 6000)), { tookMs: 0, ended: { position: /./ } })
    one.resume()
    await cluster.clock.settle()
    t.match(await timed(cluster, beat(one.host, 7000)), { ended: { position: /./ } }, 'it asks the new actor')
    t.strictSame((await eventLines(cluster)).slice(4), [
      'PlaybackAdopted two',
      ...[4000, 6000, 7000].map((positionMs) => `PlaybackHeartbeat ${positionMs}`),
    ])
  },
)

t.test('a command whose reply is lost is stored once and not sent again; a repeated end returns that it has ended', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one'), makeHost(cluster, 'two')]
  await one.host.start(started, author)
  await beat(two.host, 1000)
  one.loseAnswers()
  for (const command of [
    { type: 'seek', positionMs: 2000 },
    { type: 'end', reason: 'client' },
  ] as const) {
    t.type((await timed(cluster, send(two.host, command))).ended, ReplyTimeout)
  }
  await one.host.close()
  t.match(await timed(cluster, end(two.host)), { ended: { refusal: 'not-found' } })
  t.strictSame((await eventLines(cluster)).slice(2), ['PlaybackHeartbeat 1000', 'PlaybackSeeked 2000', 'PlaybackEnded 2000'])
})

t.test('an end at a position is carried to the session’s node as one step', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one'), makeHost(cluster, 'two')]
  await one.host.start(started, author)
  await beat(two.host, 1000)
  t.notOk(isRefusal(await send(two.host, { type: 'end', reason: 'client', positionMs: 5000 })))
  t.strictSame((await eventLines(cluster)).slice(2), ['PlaybackHeartbeat 1000', 'PlaybackHeartbeat 5000', 'PlaybackEnded 5000'])
})

t.test('an actor that loses its lease in the middle of a command stores nothing over its successor, which does it once', async (t) => {
  const cluster = makeSessionNodes()
  const slow = withHeldAppends(cluster.log, (types) => types.includes('PlaybackSeeked'))
  const [one, two] = [makeHost({ ...cluster, log: slow.log }, 'one'), makeHost(cluster, 'two')]
  await one.host.start(started, author)
  const seeking = send(one.host, { type: 'seek', positionMs: 5000 })
  await cluster.clock.settle()
  one.leases.stall()
  await cluster.clock.advance(16_000)
  t.notOk(isRefusal(await beat(two.host, 2000)))
  slow.letGo()
  t.notOk(isRefusal((await timed(cluster, seeking)).ended))
  t.strictSame((await eventLines(cluster)).slice(2), ['PlaybackAdopted two', 'PlaybackHeartbeat 2000', 'PlaybackSeeked 5000'])
})

t.test('a node that is held while it adopts does not adopt over the head of the one that did meanwhile', async (t) => {
  const cluster = makeSessionNodes()
  const [one, three] = [makeHost(cluster, 'one'), makeHost(cluster, 'three')]
  await one.host.start(started, author)
  await one.host.close()
  const slow = withHeldAppends(cluster.log, (types) => types.includes('PlaybackAdopted'))
  const two = makeHost({ ...cluster, log: slow.log }, 'two')
  const beating = beat(two.host, 1000)
  await cluster.clock.settle()
  t.equal(slow.held(), 1)
  two.leases.stall()
  await cluster.clock.advance(16_000)
  t.notOk(isRefusal(await beat(three.host, 2000)))
  slow.letGo()
  t.notOk(isRefusal((await timed(cluster, beating)).ended), 'its caller is served by the other one')
  t.strictSame((await eventLines(cluster)).slice(2), ['PlaybackAdopted three', 'PlaybackHeartbeat 2000', 'PlaybackHeartbeat 1000'])
})

t.test('commands of one caller by turns through three nodes are stored in their order, by one actor', async (t) => {
  const cluster = makeSessionNodes()
  const hosts = ['one', 'two', 'three'].map((node) => makeHost(cluster, node).host)
  await hosts[0]?.start(started, author)
  const positions = Array.from({ length: 12 }, (_, n) => (n + 1) * 1000)
  for (const [n, positionMs] of positions.entries()) {
    const host = hosts[n % hosts.length]
    if (host) t.notOk(isRefusal((await timed(cluster, beat(host, positionMs, n))).ended))
  }
  t.strictSame(
    (await eventLines(cluster)).slice(2),
    positions.map((positionMs) => `PlaybackHeartbeat ${positionMs}`),
  )
})

t.test('a start that is repeated on another node, because its first node died, makes no second beginning', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one'), makeHost(cluster, 'two')]
  await one.host.start(started, author)
  one.kill()
  t.match(await two.host.start(started, author), { refusal: 'unavailable' })
  await cluster.clock.advance(16_000)
  t.match(await two.host.start(started, author), { position: /./ })
  t.notOk(isRefusal(await beat(two.host, 1000)))
  t.strictSame((await eventLines(cluster)).slice(1), ['PlaybackAdopted one', 'PlaybackAdopted two', 'PlaybackHeartbeat 1000'])
})

t.test('a node that is held while it repeats a start takes the session from nobody who adopted it meanwhile', async (t) => {
  const cluster = makeSessionNodes()
  const [one, three, four] = [makeHost(cluster, 'one'), makeHost(cluster, 'three'), makeHost(cluster, 'four')]
  await one.host.start(started, author)
  await one.host.close()
  const slow = withHeldAppends(cluster.log, (types) => types.includes('PlaybackAdopted'))
  const two = makeHost({ ...cluster, log: slow.log }, 'two')
  const repeating = two.host.start(started, author)
  await cluster.clock.settle()
  t.equal(slow.held(), 1)
  two.leases.stall()
  await cluster.clock.advance(16_000)
  t.notOk(isRefusal(await beat(three.host, 1000)))
  slow.letGo()
  t.match((await timed(cluster, repeating)).ended, { refusal: 'unavailable' }, 'it is repeated once more, and finds the session')
  t.match(await timed(cluster, beat(four.host, 2000)), { ended: { position: /./ } }, 'whose actor everybody can reach')
  t.strictSame((await eventLines(cluster)).slice(2), ['PlaybackAdopted three', 'PlaybackHeartbeat 1000', 'PlaybackHeartbeat 2000'])
})

t.test('a failure on the actor’s node reaches the caller on another one as soon as that node has given up', async (t) => {
  const inner = createMemoryEventLog()
  let isAway = false
  const append: EventLog['append'] = async (...asked) => {
    if (isAway) throw new ServerUnavailable('EventStoreDB')
    return inner.append(...asked)
  }
  const cluster = makeSessionNodes({ log: { ...inner, append } })
  const [one, two] = [makeHost(cluster, 'one'), makeHost(cluster, 'two')]
  await one.host.start(started, author)
  await beat(two.host, 1000)
  isAway = true
  t.match(await timed(cluster, beat(two.host, 2000)), { tookMs: 1500, ended: { code: 'engine-away' } })
  isAway = false
  t.notOk(isRefusal(await beat(two.host, 3000)))
})

t.test('nodes that are restarted one after the other, under load, refuse no command', async (t) => {
  const cluster = makeSessionNodes()
  const ids = Array.from({ length: 40 }, (_, n) => named<'session'>(`session${n}x`))
  let hosts = ['a1', 'b1', 'c1'].map((node) => makeHost(cluster, node).host)
  const of = (n: number) => hosts[n % hosts.length]
  for (const [n, sessionId] of ids.entries()) await of(n)?.start({ ...started, data: { ...started.data, sessionId } }, author)
  const command = (positionMs: number) => ({ command: { type: 'beat', beat: { positionMs } } as const, author })
  const answers: unknown[] = []
  let asked = 0
  for (const node of ['a2', 'b2', 'c2']) {
    const [leaving, ...others] = hosts
    const beats: Promise<unknown>[] = []
    const load = async (from: number) => {
      for (const [n, id] of ids.entries()) beats.push(of(n + from)?.send(id, command(++asked)) ?? Promise.reject(new Error('No host')))
      await cluster.clock.advance(5)
    }
    await load(0)
    hosts = others
    const closed = leaving?.close()
    await load(1)
    hosts = [...others, makeHost(cluster, node).host]
    await load(2)
    await cluster.clock.advance(2000)
    answers.push(...(await Promise.all(beats)))
    await closed
  }
  t.equal(answers.length, 3 * 3 * ids.length)
  t.strictSame(
    answers.filter((answer) => !Object.hasOwn(Object(answer), 'position')),
    [],
  )
  const stored = await Promise.all(ids.map((id) => streamOf(cluster, playbackStream(id))))
  t.equal(stored.flat().filter(({ type }) => type === 'PlaybackHeartbeat').length, asked, 'each is stored once')
})

t.test('sessions of a dead node, and those that nobody asks for, are closed once: at their last heartbeat plus 120 s', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two, three] = [makeHost(cluster, 'one'), makeHost(cluster, 'two'), makeHost(cluster, 'three')]
  const ids = ['alone', 'evening', 'night'].map((word) => named<'session'>(word))
  const beatAt = iso(cluster.clock.now())
  for (const sessionId of ids) await one.host.start({ ...started, data: { ...started.data, sessionId } }, author)
  const sessions = new Map<SessionId, typeof document>(ids.map((id) => [id, { ...document, id, beatAt }]))
  for (const id of ids) cluster.idle.heard({ id, beatAt })
  one.kill()
  const stop = new AbortController()
  const problems: unknown[] = []
  const sweeping = [two, three].map(({ host, leases }) =>
    endExpiredSessions({
      access: { sessions, idle: cluster.idle } as unknown as Access,
      clock: cluster.clock,
      host,
      leases,
      onError: (cause) => void problems.push(cause),
      signal: stop.signal,
    }),
  )
  await cluster.clock.advance(119_000)
  for (const id of ids) t.equal((await streamOf(cluster, playbackStream(id))).length, 2, 'not before')
  await cluster.clock.advance(30_000)
  for (const id of ids) {
    const ends = (await streamOf(cluster, playbackStream(id))).filter(
      ({ type }) => type !== 'PlaybackStarted' && type !== 'PlaybackAdopted',
    )
    t.match(ends, [{ type: 'PlaybackExpired', data: { expiredAt: iso(Date.parse(beatAt) + 120_000) } }])
    t.equal(ends.length, 1)
  }
  t.strictSame(problems, [])
  stop.abort()
  await Promise.all(sweeping)
  await cluster.clock.advance(90_000)
  t.equal(cluster.table.held.size, 0, 'and nobody keeps anything of them')
})
