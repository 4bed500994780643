import t from 'tap'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createSystemClock } from '../../src/adapters/system/clock.ts'
import { isJobRecord, isStartReply, subjects, type JobRecord, type JobSpec, type RecordReply } from '../../src/app/streaming/protocol.ts'
import { createTranscodeAgent } from '../../transcode-agent/agent.ts'
import { MAX_BODY_BYTES } from '../../src/ports/bus.ts'
import { programs } from '../films.ts'
import { clip } from '../streaming/clips.ts'
import { segmentTable } from '../streaming/segment-table.ts'
import { hasProc, processesWith, untilProcesses } from './processes.ts'

interface Received {
  readonly record: JobRecord
  readonly body: Uint8Array | undefined
}

/** An owner of renditions that writes down what it gets, beside an agent. */
async function openOwner({ slots = 2, ffmpegPath }: { readonly slots?: number; readonly ffmpegPath?: string } = {}) {
  const clock = createSystemClock()
  const bus = createLocalBus({ clock })
  const received: Received[] = []
  let answer: () => RecordReply = () => ({ type: 'go', creditMs: 1e6 })
  const agent = createTranscodeAgent({ bus, clock, agentId: 'one', ffmpegPath: ffmpegPath ?? (await programs).ffmpeg, slots })
  const inbox = bus.respond('stream.owner.*', async ({ head, body }) => {
    if (isJobRecord(head) && head.type !== 'beat') received.push({ record: head, body })
    return { head: answer() }
  })
  const until = async (holds: () => boolean) => {
    for (let waitedMs = 0; waitedMs < 10_000 && !holds(); waitedMs += 10) await clock.sleep(10)
    if (!holds()) throw new Error(`Only ${JSON.stringify(received.map(({ record }) => record))}`)
  }
  return {
    bus,
    agent,
    received,
    until,
    inbox,
    answerWith: (reply: () => RecordReply) => void (answer = reply),
    segments: () => received.flatMap(({ record }) => (record.type === 'segment' ? [record.segment] : [])),
    ended: () => received.map(({ record }) => record).find((record) => record.type === 'ended'),
    async start(job: Partial<JobSpec>) {
      const spec = { ...JOB, source: filmAt(await clip('b-frames.mkv')), ...job } as const
      const { head } = await bus.request(subjects.start('one'), { head: spec }, { timeoutMs: 1_000 })
      return isStartReply(head) ? head.type : undefined
    },
    async close() {
      await agent.close()
      await bus.close()
    },
  }
}

function filmAt(path: string): JobSpec['source'] {
  return { fileId: 'film', path, sizeBytes: 0, modifiedAtMs: 0, token: '' }
}

const JOB: JobSpec = {
  jobId: 'job-1',
  rendition: 'film.v0',
  epoch: 3,
  source: filmAt('/'),
  stream: 0,
  output: { type: 'copy-video', cadence: null },
  grid: { type: 'listed', startsMs: [0, 4_900, 9_000, 13_100], endMs: 15_000 },
  zeroMs: 0,
  startSegment: 0,
  seekMs: null,
  inbox: 'stream.owner.job-1',
  creditMs: 1e6,
}

t.test('a job gives the init segment, each segment once in order, and says when the film has ended', async (t) => {
  const owner = await openOwner()
  t.equal(await owner.start({}), 'accepted')
  await owner.until(() => owner.ended() !== undefined)
  await owner.close()
  t.match(owner.received[0]?.record, { type: 'init', epoch: 3, codec: /^avc1\.[0-9a-f]{6}$/ })
  t.strictSame(owner.segments(), [0, 1, 2, 3])
  t.match(owner.ended(), { outcome: 'complete' })
  const shown = owner.received.flatMap(({ record, body }) => (record.type === 'segment' && body ? segmentTable(body).samples : []))
  t.equal(shown.length, 360, 'every picture')
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

const BIG = {
  type: 'encode-video',
  encoder: 'x264',
  width: 192,
  height: 108,
  maxBitrateBps: 20_000_000,
  level: '3.1',
  deinterlace: false,
  toneMap: null,
  framesPerSecond: null,
  cadence: null,
} as const

/** More than a pipe holds, so that ffmpeg is still there while nobody reads. */
const LARGE = { output: { ...BIG, width: 854, height: 480 }, grid: { type: 'even', stepMs: 2_000, count: 7, endMs: 15_000 } } as const

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

t.test('an owner that is told to stop, gone, or done with the epoch leaves no ffmpeg', { skip: !hasProc }, async (t) => {
  const path = await clip('open-gop.mkv')
  const source = filmAt(path)
  for (const end of ['stop order', 'stop answer', 'gone', 'agent closes'] as const) {
    const owner = await openOwner()
    owner.answerWith(() => ({ type: 'go', creditMs: 100 }))
    await owner.start({ source, ...LARGE, creditMs: 100 })
    await owner.until(() => owner.segments().length === 1)
    t.equal(processesWith(path).length, 1, `${end}: it waits`)
    if (end === 'stop order') owner.bus.publish(subjects.order('job-1'), { head: { type: 'stop', epoch: 3 } })
    if (end === 'stop answer') owner.answerWith(() => ({ type: 'stop' }))
    if (end === 'gone') owner.inbox.close()
    if (end === 'agent closes') await owner.agent.close()
    // Who is gone is noticed at the next beat.
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
  ['a path with NUL', { source: filmAt('/films/a\0b') }],
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

t.test('a film that is not there, and an ffmpeg that is not there, are told with a reason', async (t) => {
  const owner = await openOwner()
  await owner.start({ source: filmAt('/no/such/film.mkv') })
  await owner.until(() => owner.ended() !== undefined)
  t.match(owner.ended(), { outcome: 'failed', reason: /No such file/ })
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
