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
  told,
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
  const town = makeSessionNodes()
  const [one, two] = [makeHost(town, 'one'), makeHost(town, 'two')]
  await one.host.start(started, author)
  t.notOk(isRefusal(await beat(two.host, 1000)))
  one.kill()
  const diedAt = town.clock.monotonic()
  for (let positionMs = 2000; ; positionMs += 1000) {
    const { ended, tookMs } = await timed(town, beat(two.host, positionMs))
    t.ok(tookMs <= 1000, `${tookMs} ms`)
    if (!isRefusal(ended)) break
    t.match(ended, { refusal: 'unavailable', retryAfterSeconds: 1 })
    await town.clock.advance(1000)
  }
  t.ok(town.clock.monotonic() - diedAt <= 17_000, 'within one lease time, and what its player waits between two tries')
  t.strictSame((await told(town)).slice(2, 4), ['PlaybackHeartbeat 1000', 'PlaybackAdopted two'])
})

t.test(
  'of a node that is held the sessions are adopted elsewhere although it still listens; when it goes on it writes nothing',
  async (t) => {
    const town = makeSessionNodes()
    const [one, two, three] = [makeHost(town, 'one'), makeHost(town, 'two'), makeHost(town, 'three')]
    await one.host.start(started, author)
    for (const { host } of [two, three]) await beat(host, 1000)
    one.hold()
    const { ended, tookMs } = await timed(town, beat(two.host, 2000))
    t.type(ended, ReplyTimeout, 'it may have run')
    t.equal(tookMs, 3000)
    await town.clock.advance(12_000)
    t.type((await timed(town, beat(two.host, 3000))).ended, ReplyTimeout, 'nobody has noticed yet')
    t.match(await timed(town, beat(two.host, 4000)), { tookMs: 0, ended: { position: /./ } })
    const late = await timed(town, beat(three.host, 5000))
    t.type(late.ended, ReplyTimeout, 'this one knew the old actor only')
    t.match(await timed(town, beat(three.host, 6000)), { tookMs: 0, ended: { position: /./ } })
    one.resume()
    await town.clock.settle()
    t.match(await timed(town, beat(one.host, 7000)), { ended: { position: /./ } }, 'it asks the new actor')
    t.strictSame((await told(town)).slice(4), [
      'PlaybackAdopted two',
      ...[4000, 6000, 7000].map((positionMs) => `PlaybackHeartbeat ${positionMs}`),
    ])
  },
)

t.test('a command whose answer is lost is stored once and not sent again; an end that is repeated is told that it has ended', async (t) => {
  const town = makeSessionNodes()
  const [one, two] = [makeHost(town, 'one'), makeHost(town, 'two')]
  await one.host.start(started, author)
  await beat(two.host, 1000)
  one.loseAnswers()
  for (const command of [
    { type: 'seek', positionMs: 2000 },
    { type: 'end', reason: 'client' },
  ] as const) {
    t.type((await timed(town, send(two.host, command))).ended, ReplyTimeout)
  }
  await one.host.close()
  t.match(await timed(town, end(two.host)), { ended: { refusal: 'not-found' } })
  t.strictSame((await told(town)).slice(2), ['PlaybackHeartbeat 1000', 'PlaybackSeeked 2000', 'PlaybackEnded 2000'])
})

t.test('an end at a position is carried to the session’s node as one step', async (t) => {
  const town = makeSessionNodes()
  const [one, two] = [makeHost(town, 'one'), makeHost(town, 'two')]
  await one.host.start(started, author)
  await beat(two.host, 1000)
  t.notOk(isRefusal(await send(two.host, { type: 'end', reason: 'client', positionMs: 5000 })))
  t.strictSame((await told(town)).slice(2), ['PlaybackHeartbeat 1000', 'PlaybackHeartbeat 5000', 'PlaybackEnded 5000'])
})

t.test('an actor that loses its lease in the middle of a command stores nothing over its successor, which does it once', async (t) => {
  const town = makeSessionNodes()
  const slow = withHeldAppends(town.log, (types) => types.includes('PlaybackSeeked'))
  const [one, two] = [makeHost({ ...town, log: slow.log }, 'one'), makeHost(town, 'two')]
  await one.host.start(started, author)
  const seeking = send(one.host, { type: 'seek', positionMs: 5000 })
  await town.clock.settle()
  one.leases.stall()
  await town.clock.advance(16_000)
  t.notOk(isRefusal(await beat(two.host, 2000)))
  slow.letGo()
  t.notOk(isRefusal((await timed(town, seeking)).ended))
  t.strictSame((await told(town)).slice(2), ['PlaybackAdopted two', 'PlaybackHeartbeat 2000', 'PlaybackSeeked 5000'])
})

t.test('a node that is held while it adopts does not adopt over the head of the one that did meanwhile', async (t) => {
  const town = makeSessionNodes()
  const [one, three] = [makeHost(town, 'one'), makeHost(town, 'three')]
  await one.host.start(started, author)
  await one.host.close()
  const slow = withHeldAppends(town.log, (types) => types.includes('PlaybackAdopted'))
  const two = makeHost({ ...town, log: slow.log }, 'two')
  const beating = beat(two.host, 1000)
  await town.clock.settle()
  t.equal(slow.held(), 1)
  two.leases.stall()
  await town.clock.advance(16_000)
  t.notOk(isRefusal(await beat(three.host, 2000)))
  slow.letGo()
  t.notOk(isRefusal((await timed(town, beating)).ended), 'its caller is served by the other one')
  t.strictSame((await told(town)).slice(2), ['PlaybackAdopted three', 'PlaybackHeartbeat 2000', 'PlaybackHeartbeat 1000'])
})

t.test('commands of one caller by turns through three nodes are stored in their order, by one actor', async (t) => {
  const town = makeSessionNodes()
  const hosts = ['one', 'two', 'three'].map((node) => makeHost(town, node).host)
  await hosts[0]?.start(started, author)
  const positions = Array.from({ length: 12 }, (_, n) => (n + 1) * 1000)
  for (const [n, positionMs] of positions.entries()) {
    const host = hosts[n % hosts.length]
    if (host) t.notOk(isRefusal((await timed(town, beat(host, positionMs, n))).ended))
  }
  t.strictSame(
    (await told(town)).slice(2),
    positions.map((positionMs) => `PlaybackHeartbeat ${positionMs}`),
  )
})

t.test('a start that is repeated on another node, because its first node died, makes no second beginning', async (t) => {
  const town = makeSessionNodes()
  const [one, two] = [makeHost(town, 'one'), makeHost(town, 'two')]
  await one.host.start(started, author)
  one.kill()
  t.match(await two.host.start(started, author), { refusal: 'unavailable' })
  await town.clock.advance(16_000)
  t.match(await two.host.start(started, author), { position: /./ })
  t.notOk(isRefusal(await beat(two.host, 1000)))
  t.strictSame((await told(town)).slice(1), ['PlaybackAdopted one', 'PlaybackAdopted two', 'PlaybackHeartbeat 1000'])
})

t.test('a node that is held while it repeats a start takes the session from nobody who adopted it meanwhile', async (t) => {
  const town = makeSessionNodes()
  const [one, three, four] = [makeHost(town, 'one'), makeHost(town, 'three'), makeHost(town, 'four')]
  await one.host.start(started, author)
  await one.host.close()
  const slow = withHeldAppends(town.log, (types) => types.includes('PlaybackAdopted'))
  const two = makeHost({ ...town, log: slow.log }, 'two')
  const repeating = two.host.start(started, author)
  await town.clock.settle()
  t.equal(slow.held(), 1)
  two.leases.stall()
  await town.clock.advance(16_000)
  t.notOk(isRefusal(await beat(three.host, 1000)))
  slow.letGo()
  t.match((await timed(town, repeating)).ended, { refusal: 'unavailable' }, 'it is repeated once more, and finds the session')
  t.match(await timed(town, beat(four.host, 2000)), { ended: { position: /./ } }, 'whose actor everybody can reach')
  t.strictSame((await told(town)).slice(2), ['PlaybackAdopted three', 'PlaybackHeartbeat 1000', 'PlaybackHeartbeat 2000'])
})

t.test('what fails on the actor’s node is told to the caller on another one as soon as that node has given up', async (t) => {
  const inner = createMemoryEventLog()
  let isAway = false
  const append: EventLog['append'] = async (...asked) => {
    if (isAway) throw new ServerUnavailable('EventStoreDB')
    return inner.append(...asked)
  }
  const town = makeSessionNodes({ log: { ...inner, append } })
  const [one, two] = [makeHost(town, 'one'), makeHost(town, 'two')]
  await one.host.start(started, author)
  await beat(two.host, 1000)
  isAway = true
  t.match(await timed(town, beat(two.host, 2000)), { tookMs: 1500, ended: { code: 'engine-away' } })
  isAway = false
  t.notOk(isRefusal(await beat(two.host, 3000)))
})

t.test('nodes that are restarted one after the other, under load, refuse no command', async (t) => {
  const town = makeSessionNodes()
  const ids = Array.from({ length: 40 }, (_, n) => named<'session'>(`session${n}x`))
  let hosts = ['a1', 'b1', 'c1'].map((node) => makeHost(town, node).host)
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
      await town.clock.advance(5)
    }
    await load(0)
    hosts = others
    const closed = leaving?.close()
    await load(1)
    hosts = [...others, makeHost(town, node).host]
    await load(2)
    await town.clock.advance(2000)
    answers.push(...(await Promise.all(beats)))
    await closed
  }
  t.equal(answers.length, 3 * 3 * ids.length)
  t.strictSame(
    answers.filter((answer) => !Object.hasOwn(Object(answer), 'position')),
    [],
  )
  const stored = await Promise.all(ids.map((id) => streamOf(town, playbackStream(id))))
  t.equal(stored.flat().filter(({ type }) => type === 'PlaybackHeartbeat').length, asked, 'each is stored once')
})

t.test('sessions of a dead node, and those that nobody asks for, are closed once: at their last heartbeat plus 120 s', async (t) => {
  const town = makeSessionNodes()
  const [one, two, three] = [makeHost(town, 'one'), makeHost(town, 'two'), makeHost(town, 'three')]
  const ids = ['alone', 'evening', 'night'].map((word) => named<'session'>(word))
  const beatAt = iso(town.clock.now())
  for (const sessionId of ids) await one.host.start({ ...started, data: { ...started.data, sessionId } }, author)
  const sessions = new Map<SessionId, typeof document>(ids.map((id) => [id, { ...document, id, beatAt }]))
  for (const id of ids) town.idle.heard({ id, beatAt })
  one.kill()
  const stop = new AbortController()
  const problems: unknown[] = []
  const sweeping = [two, three].map(({ host, leases }) =>
    endExpiredSessions({
      access: { sessions, idle: town.idle } as unknown as Access,
      clock: town.clock,
      host,
      leases,
      onError: (cause) => void problems.push(cause),
      signal: stop.signal,
    }),
  )
  await town.clock.advance(119_000)
  for (const id of ids) t.equal((await streamOf(town, playbackStream(id))).length, 2, 'not before')
  await town.clock.advance(30_000)
  for (const id of ids) {
    const ends = (await streamOf(town, playbackStream(id))).filter(({ type }) => type !== 'PlaybackStarted' && type !== 'PlaybackAdopted')
    t.match(ends, [{ type: 'PlaybackExpired', data: { expiredAt: iso(Date.parse(beatAt) + 120_000) } }])
    t.equal(ends.length, 1)
  }
  t.strictSame(problems, [])
  stop.abort()
  await Promise.all(sweeping)
  await town.clock.advance(90_000)
  t.equal(town.table.held.size, 0, 'and nobody keeps anything of them')
})
