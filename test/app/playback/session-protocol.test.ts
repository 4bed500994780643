import t from 'tap'
import { sessionSubject, decodeReply, decodeRequest, FailedThere } from '../../../src/app/playback/session-protocol.ts'
import { decisionOf } from '../../../src/app/playback/session-dispatch.ts'
import { clampPosition, playback } from '../../../src/domain/playback/playback.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { toMs } from '../../../src/http/server/values-presenter.ts'
import type { Json, JsonObject } from '../../../src/events/envelope.ts'
import { author, beat, key, makeHost, makeSessionNodes, send, started, streamOf, eventLines } from '../../fixtures/session-nodes.ts'
import { named } from '../../fixtures/names.ts'

t.test('a position that no film has is refused through another node as on its own, and the position stays', async (t) => {
  const cluster = makeSessionNodes()
  const [one, two] = [makeHost(cluster, 'one').host, makeHost(cluster, 'two').host]
  await one.start(started, author)
  await beat(two, 1_000)
  const before = await eventLines(cluster)
  for (const { host, where } of [
    { host: one, where: 'here' },
    { host: two, where: 'elsewhere' },
  ]) {
    t.match(await beat(host, toMs(1e308)), { refusal: 'invalid', path: 'position' }, where)
    t.match(await send(host, { type: 'seek', positionMs: toMs(1e308) }), { refusal: 'invalid', path: 'position' }, where)
  }
  t.ok(isRefusal(await send(two, { type: 'seek', positionMs: Infinity })), 'what becomes null on the way')
  t.strictSame(await eventLines(cluster), before)
  for (const none of [NaN, Infinity, null as unknown as number]) t.ok(isRefusal(clampPosition(none, 1_000, 'seek')))
})

t.test('what is no command of a session is refused, and stores nothing', async (t) => {
  const cluster = makeSessionNodes()
  const { host } = makeHost(cluster, 'one')
  await host.start(started, author)
  const before = await eventLines(cluster)
  const commands: readonly Json[] = [
    { type: 'unknown' },
    { type: 'seek', positionMs: null },
    { type: 'beat', beat: { positionMs: '1' } },
    { type: 'beat', beat: { positionMs: 1, rate: 1e300 } },
    { type: 'reloadPlaylists', commandId: 'x', beforeMs: 0 },
    { type: 'switchEncoder', commandId: key.sessionId, encoder: 'flash' },
    { type: 'end', reason: 'because' },
    { type: 'command', order: { commandId: 'x', command: 'format-disk', message: null } },
    null,
  ]
  const heads: readonly JsonObject[] = [{}, { command: { type: 'expire' } }, ...commands.map((command) => ({ command, author }))]
  for (const head of heads) {
    t.equal(decodeRequest({ head }), undefined)
    const reply = await cluster.bus.request(sessionSubject(key.sessionId, 1), { head }, { timeoutMs: 1_000 })
    t.match(reply.head, { refusal: 'unavailable', retryAfterSeconds: 5 }, JSON.stringify(head))
  }
  t.strictSame(await eventLines(cluster), before)
  t.ok(isRefusal(decisionOf({ type: 'unknown' } as never, 0)(playback.initial)))
})

t.test('an answer that is none is not taken for a success', (t) => {
  for (const head of [{}, { position: 7 }, { position: '1' }, { refusal: 'perhaps', message: '' }, { moved: 'no' }]) {
    t.throws(() => decodeReply({ head }), FailedThere)
  }
  t.end()
})

t.test('orders about the stream reach the session on another node', async (t) => {
  const nodes = makeSessionNodes()
  const [one, two] = [makeHost(nodes, 'one').host, makeHost(nodes, 'two').host]
  await one.start(started, author)
  const beforeMs = nodes.clock.now()
  const [switching, reloading] = [named<'command'>('switch'), named<'command'>('reload')]
  await send(two, { type: 'switchEncoder', commandId: switching, encoder: 'nvenc', toneMapping: 'none' })
  await send(two, { type: 'reloadPlaylists', commandId: reloading, beforeMs })
  t.match((await streamOf(nodes)).slice(2), [
    { type: 'PlaybackEncoderChanged', data: { encoder: 'nvenc', toneMapping: 'none' } },
    { type: 'PlaybackCommandIssued', data: { commandId: switching, command: 'reload' } },
    { type: 'PlaybackCommandIssued', data: { commandId: reloading, command: 'reload' } },
  ])
})
