import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMediaFrames } from '../../../src/adapters/ffmpeg/video-frames.ts'
import { stampOf } from '../../../src/adapters/ffmpeg/file-reads.ts'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMediaReadClient } from '../../../src/app/media-reads/media-read-client.ts'
import {
  isRecordAnswer,
  readRequestIn,
  readSubjects,
  type ReadRecord,
  type ReadReply,
  type ReadRequest,
} from '../../../src/app/media-reads/media-read-protocol.ts'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { MediaReadLost, type MediaReadOrder } from '../../../src/ports/media-reads.ts'
import { NotPlayable } from '../../../src/ports/media.ts'

const ORDER = { read: { type: 'describe' }, priority: 'now', timeoutMs: 30_000 } as const
const SHOT = JSON.stringify({
  format: { format_name: 'matroska,webm', duration: '8.0', start_time: '0.0' },
  streams: [{ index: 0, codec_type: 'video', codec_name: 'h264', width: 320, height: 180, pix_fmt: 'yuv420p', avg_frame_rate: '24/1' }],
})
const END = { type: 'end', code: 0, signal: null, errors: '', firstErrors: '' } as const

function open(t: Test) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const path = join(t.testdir(), 'film.mkv')
  writeFileSync(path, 'a film')
  const told: string[] = []
  const sign = () => ({ fileId: 'film-by-path', token: 'token' })
  const onError = ({ message }: Error): void => void told.push(message)
  const asker = createMediaReadClient({ bus, clock, ids: createTestIds(), node: 'api', sign, stamp: (at) => stampOf(at), onError })
  t.teardown(() => bus.close())
  const order: MediaReadOrder = { ...ORDER, path }
  /** A fake agent that replies as the test says. */
  const agent = (reply: (request: ReadRequest) => ReadReply) =>
    bus.respond(readSubjects.request, async ({ head }) => {
      const request = readRequestIn(head)
      if (!request) throw new Error('Not a request')
      return { head: { ...reply(request) } }
    })
  const send = async ({ inbox }: ReadRequest, record: ReadRecord | JsonObject, body?: Uint8Array) => {
    const { head } = await bus.request(inbox, { head: { ...record }, ...(body ? { body } : {}) }, { timeoutMs: 1000 })
    return isRecordAnswer(head) ? head.type : 'nonsense'
  }
  return { clock, bus, path, told, asker, order, agent, send }
}

/** Advances the clock until the condition holds. */
async function until(clock: ReturnType<typeof createTestClock>, isSo: () => boolean): Promise<void> {
  for (let n = 0; n < 1000 && !isSo(); n++) {
    await clock.advance(100)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

const accepted: ReadReply = { type: 'accepted' }

t.test('a read waits for an agent, reports that once, and does not fail', async (t) => {
  const { clock, told, asker, order, agent, send } = open(t)
  const running = asker.start(order)
  let ended = false
  void running.exited.then(() => (ended = true))
  await until(clock, () => asker.waiting() !== undefined)
  t.match(asker.waiting(), /no transcode agent answers/)
  const until60 = clock.monotonic() + 60_000
  await until(clock, () => clock.monotonic() > until60 || ended)
  t.equal(ended, false)
  t.equal(told.length, 1)
  t.match(told[0], /MARQUEE_ROLES=agent/)
  agent((request) => {
    void send(request, { type: 'piece', at: 0 }, Buffer.from('{}')).then(() => send(request, END))
    return accepted
  })
  await until(clock, () => ended)
  const texts: string[] = []
  for await (const bytes of running.output) texts.push(String(Buffer.from(bytes)))
  t.strictSame(texts, ['{}'])
  t.match(await running.exited, { code: 0 })
  t.equal(asker.waiting(), undefined)
})

t.test('an agent that is busy, cannot open the film or is of another version is asked again', async (t) => {
  const { clock, told, asker, order, agent, send } = open(t)
  const replies: ReadReply[] = [{ type: 'busy' }, { type: 'unreachable', reason: 'not mounted' }, { type: 'refused', reason: 'unknown' }]
  const ids = new Set<string>()
  agent((request) => {
    ids.add(request.readId)
    const reply = replies.shift()
    if (!reply) void send(request, END)
    return reply ?? accepted
  })
  const running = asker.start(order)
  let ended = false
  void running.exited.then(() => (ended = true))
  await until(clock, () => ended)
  t.equal((await running.exited).code, 0)
  t.equal(ids.size, 4, 'what one agent may still send of an earlier request is void')
  t.strictSame(told, [], 'and what another agent takes soon is no line in the log')
})

t.test('a film that agents cannot read to its end again and again is reported once, with their reason', async (t) => {
  const { clock, path, told, asker, agent, send } = open(t)
  let isBroken = true
  let asked = 0
  agent((request) => {
    asked++
    if (isBroken) void send(request, { type: 'left', reason: 'The server broke off' })
    else void send(request, { type: 'piece', at: 0 }, Buffer.from(SHOT)).then(() => send(request, END))
    return accepted
  })
  const media = createMedia({ start: asker.start, clock, indexFolder: join(path, '..', 'index') })
  let found: unknown
  void media.probe(path, new AbortController().signal).then((description) => (found = description))
  await until(clock, () => asked === 1)
  t.equal(asker.waiting(), undefined, 'one agent that leaves is replaced')
  await until(clock, () => asked === 5)
  t.equal(asker.waiting(), 'The server broke off')
  t.equal(told.length, 1)
  t.match(told[0], /^Films wait to be read: The server broke off\. /)
  isBroken = false
  await until(clock, () => found !== undefined)
  t.equal(asker.waiting(), undefined)
})

t.test('the loss of a film that is not read again is forgotten', async (t) => {
  const { clock, asker, order, agent, send } = open(t)
  agent((request) => {
    void send(request, { type: 'left', reason: 'The server broke off' })
    return accepted
  })
  for (const _ of [1, 2]) {
    let failure: unknown
    asker.start(order).exited.catch((cause: unknown) => (failure = cause))
    await until(clock, () => failure !== undefined)
  }
  t.equal(asker.waiting(), 'The server broke off')
  await clock.advance(60_000)
  t.equal(asker.waiting(), undefined)
})

t.test('an agent that is killed while it reads is asked again elsewhere', async (t) => {
  const { clock, path, asker, agent, send } = open(t)
  let asked = 0
  agent((request) => {
    asked++
    const half = asked === 1
    const answer = async (): Promise<void> => {
      await send(request, { type: 'piece', at: 0 }, Buffer.from(half ? SHOT.slice(0, 50) : SHOT))
      if (!half) await send(request, END)
    }
    void answer()
    return accepted
  })
  const media = createMedia({ start: asker.start, clock, indexFolder: join(path, '..', 'index') })
  let found: unknown
  void media.probe(path, new AbortController().signal).then((description) => (found = description))
  await until(clock, () => found !== undefined)
  t.match(found, { container: 'matroska', durationMs: 8000 }, 'nothing of the first half is left')
  t.equal(asked, 2)
})

t.test('a film that ends one agent after the other is refused in the end', async (t) => {
  const { clock, path, asker, agent } = open(t)
  let asked = 0
  agent(() => {
    asked++
    return accepted
  })
  const media = createMedia({ start: asker.start, clock, indexFolder: join(path, '..', 'index') })
  let failure: unknown
  void media.probe(path, new AbortController().signal).catch((cause: unknown) => (failure = cause))
  await until(clock, () => failure !== undefined)
  t.match(failure, new NotPlayable('It makes the media reader crash'))
  t.equal(asked, 5)
})

t.test('frames go on where a lost agent was, and none comes twice', async (t) => {
  const { clock, path, asker, agent, send } = open(t)
  let asked = 0
  agent((request) => {
    asked++
    void send(request, asked === 1 ? { type: 'left', reason: 'The agent stops' } : END)
    return accepted
  })
  const track = { stream: 0, interlaced: false, hdr: null, colorTransfer: null, colorPrimaries: null, colorSpace: null } as never
  const mediaFile = { path, durationMs: 8000, bitrateBps: null, track, zeroMs: 0, width: 16, height: 16 }
  const frames = createMediaFrames({ start: asker.start, clock }).keyframes(mediaFile, new AbortController().signal)
  let count: number | undefined
  const read = async (): Promise<void> => {
    let seen = 0
    for await (const _ of frames) seen++
    count = seen
  }
  void read()
  await until(clock, () => count !== undefined)
  t.strictSame([count, asked], [0, 2])
})

t.test('who cannot wait hears so in time', async (t) => {
  const { clock, asker, order } = open(t)
  const running = asker.start({ ...order, patienceMs: 5_000 })
  let failure: unknown
  running.exited.catch((cause: unknown) => (failure = cause))
  await until(clock, () => failure !== undefined)
  t.ok(failure instanceof MediaReadLost && failure.of === 'patience')
  t.equal(asker.waiting(), undefined)
})

t.test('a killed read notifies its agent, and accepts nothing more', async (t) => {
  const { clock, bus, asker, order, agent, send } = open(t)
  let request: ReadRequest | undefined
  agent((asked) => {
    request = asked
    return accepted
  })
  const running = asker.start(order)
  await until(clock, () => request !== undefined)
  if (!request) throw new Error('Nobody asked')
  const orders: unknown[] = []
  bus.subscribe(readSubjects.order(request.readId), ({ head }) => void orders.push(head))
  running.kill()
  t.equal((await running.exited).code, null)
  await until(clock, () => orders.length > 0)
  t.strictSame(orders, [{ type: 'stop' }])
  await t.rejects(send(request, { type: 'beat', isRunning: true }), { code: 'no-responder' })
})

t.test('output that nobody reads makes the agent wait; pieces that come twice count once, nonsense ends it', async (t) => {
  const { clock, asker, order, agent, send } = open(t)
  let request: ReadRequest | undefined
  agent((asked) => {
    request ??= asked
    return accepted
  })
  const running = asker.start(order)
  await until(clock, () => request !== undefined)
  if (!request) throw new Error('Nobody asked')
  const piece = new Uint8Array(512 * 1024)
  const answers: string[] = []
  for (let at = 0; at < 9; at++) answers.push(await send(request, { type: 'piece', at }, piece))
  t.strictSame(answers, [...Array.from({ length: 8 }, () => 'go'), 'wait'])
  t.equal(await send(request, { type: 'piece', at: 0 }, piece), 'go', 'it has that one')
  const output = running.output[Symbol.asyncIterator]()
  await output.next()
  t.equal(await send(request, { type: 'piece', at: 8 }, piece), 'go', 'there is room again')
  t.equal(await send(request, { type: 'rm -rf' }), 'stop')
  await t.rejects(running.exited, { code: 'film-read-lost' })
})
