import t from 'tap'
import { subjects, type JobSpec } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { MAX_BODY_BYTES } from '../../../src/ports/bus.ts'
import { ownClip } from '../../fixtures/clips.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { BIG, mediaAt, JOB, LARGE, openOwner } from '../owner.ts'
import { hasProc, processesWith, untilProcesses } from '../../fixtures/processes.ts'

t.test('a job gives the init segment, each segment once in order, and says when the film has ended', async (t) => {
  const owner = await openOwner()
  t.equal(await owner.start({}), 'accepted')
  await owner.until(() => owner.ended() !== undefined)
  await owner.close()
  t.match(owner.received[0]?.record, { type: 'init', epoch: 3, codec: /^avc1\.[0-9a-f]{6}$/ })
  t.strictSame(owner.segments(), [0, 1, 2, 3])
  t.match(owner.ended(), { outcome: 'complete' })
  const shown = owner.received.flatMap(({ record, body }) => (record.type === 'segment' && body ? segmentTable(body).samples : []))
  t.equal(shown.length, 360, 'every frame')
})

t.test('segments travel in parts that a message takes', async (t) => {
  const owner = await openOwner()
  owner.answerWith(() => ({ type: 'go', creditMs: 100 }))
  await owner.start({ ...LARGE, grid: { type: 'even', stepMs: 8_000, count: 2, endMs: 15_000 }, creditMs: 100 })
  await owner.until(() => owner.received.some(({ record }) => record.type === 'segment' && record.part + 1 === record.parts))
  await owner.close()
  const parts = owner.received.filter(({ record }) => record.type === 'segment' && record.segment === 0)
  t.ok(parts.length > 1 && parts.every(({ body }) => body && body.byteLength <= MAX_BODY_BYTES), `${parts.length} parts`)
  t.strictSame(
    parts.map(({ record }) => record.type === 'segment' && [record.part, record.parts]),
    parts.map((_, part) => [part, parts.length]),
  )
  t.ok(segmentTable(Buffer.concat(parts.map(({ body }) => body!))).samples.length > 100)
})

t.test('without credit nothing more is made, and ffmpeg waits; with it the work goes on', { skip: !hasProc }, async (t) => {
  const owner = await openOwner()
  let creditMs = 4_901
  owner.answerWith(() => ({ type: 'go', creditMs }))
  await owner.start({ creditMs })
  await owner.until(() => owner.segments().length === 2)
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.strictSame(owner.segments(), [0, 1], 'the segments that begin before the credit')
  t.equal(owner.ended(), undefined)
  creditMs = 9_001
  owner.bus.publish(subjects.order('job-1'), { head: { type: 'credit', epoch: 2, creditMs } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.strictSame(owner.segments(), [0, 1], 'an order of another epoch is void')
  owner.bus.publish(subjects.order('job-1'), { head: { type: 'credit', epoch: 3, creditMs } })
  await owner.until(() => owner.segments().length === 3)
  t.strictSame(owner.segments(), [0, 1, 2])
  await owner.close()
})

t.test('an owner that stops, is gone, or is done with the epoch leaves no ffmpeg', { skip: !hasProc }, async (t) => {
  const path = await ownClip(t, 'open-gop.mkv')
  const source = mediaAt(path)
  for (const end of ['stop order', 'stop answer', 'gone'] as const) {
    const owner = await openOwner()
    owner.answerWith(() => ({ type: 'go', creditMs: 100 }))
    await owner.start({ source, ...LARGE, creditMs: 100 })
    await owner.until(() => owner.segments().length === 1)
    t.equal(processesWith(path).length, 1, `${end}: it waits`)
    if (end === 'stop order') owner.bus.publish(subjects.order('job-1'), { head: { type: 'stop', epoch: 3 } })
    if (end === 'stop answer') owner.answerWith(() => ({ type: 'stop' }))
    if (end === 'gone') owner.goAway()
    // A missing owner is noticed at the next heartbeat.
    t.strictSame(await untilProcesses(path, 0), [], end)
    t.equal(owner.ended(), undefined, 'nothing more is said')
    await owner.close()
  }
})

t.test('an agent takes what fits into its slots, and frees them at once', async (t) => {
  const owner = await openOwner({ slots: 1 })
  owner.answerWith(() => ({ type: 'go', creditMs: 100 }))
  const encode = { output: BIG, grid: { type: 'even', stepMs: 2_000, count: 7, endMs: 15_000 }, creditMs: 100 } as const
  t.equal(await owner.start({ ...encode }), 'accepted')
  t.equal(await owner.start({ ...encode, jobId: 'job-2', inbox: 'stream.owner.job-2' }), 'busy')
  owner.bus.publish(subjects.order('job-1'), { head: { type: 'stop', epoch: 3 } })
  t.equal(await owner.start({ ...encode, jobId: 'job-3', inbox: 'stream.owner.job-3' }), 'accepted')
  await owner.close()
})

const HOSTILE: readonly (readonly [string, Record<string, unknown>])[] = [
  ['arguments', { output: { ...BIG, extra: '-i /etc/passwd' } }],
  ['a text for a number', { output: { ...BIG, width: '1280:0,movie=/etc/passwd' } }],
  ['another encoder', { output: { ...BIG, encoder: 'libx265' } }],
  ['a level of its own', { output: { ...BIG, level: '4.0 -f null' } }],
  ['a URL as a path', { source: { type: 'url', path: 'http://169.254.169.254/' } }],
  ['a path with NUL', { source: mediaAt('/films/a\0b') }],
  ['a wild inbox', { inbox: 'stream.owner.>' }],
  ['no grid', { grid: undefined }],
  ['an endless grid', { grid: { type: 'even', stepMs: 1, count: 1e9, endMs: 1e9 } }],
]
t.test('a job that is not described exactly is refused', async (t) => {
  const owner = await openOwner()
  for (const [what, changes] of HOSTILE) {
    const head = { ...JOB, ...changes } as unknown as JobSpec
    const reply = await owner.bus.request(subjects.start('one'), { head }, { timeoutMs: 1_000 })
    t.match(reply.head, { type: 'refused' }, what)
  }
  await owner.close()
})

t.test('an absent film, and an absent ffmpeg, are reported with a reason', async (t) => {
  const owner = await openOwner()
  await owner.start({ source: mediaAt('/no/such/film.mkv') })
  await owner.until(() => owner.ended() !== undefined)
  t.match(owner.ended(), { outcome: 'failed', reason: /\[film-unreadable\].*No such file/ })
  await owner.close()

  const without = await openOwner({ ffmpegPath: '/no/such/ffmpeg' })
  await without.start({})
  await without.until(() => without.ended() !== undefined)
  t.match(without.ended(), { outcome: 'failed' })
  await without.close()
})

t.test('a job that begins after the end of a cut film says that there is nothing', async (t) => {
  const owner = await openOwner()
  await owner.start({
    startSegment: 6,
    seekMs: 60_000,
    grid: { type: 'listed', startsMs: [0, 4_900, 9_000, 13_100, 20_000, 30_000, 60_000, 70_000], endMs: 80_000 },
  })
  await owner.until(() => owner.ended() !== undefined)
  t.match(
    owner.received.map(({ record }) => record).find(({ type }) => type === 'missing'),
    { from: 6, through: 7 },
  )
  await owner.close()
})
