import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { readSubjects, type ReadRequest } from '../../src/app/media-reads/media-read-protocol.ts'
import type { JsonObject } from '../../src/events/envelope.ts'
import type { FfmpegProcess } from '../../src/ffmpeg/process.ts'
import type { Message } from '../../src/ports/bus.ts'
import { createMediaReader } from '../../transcode-agent/media-reader.ts'
import { isProbe, readArguments } from '../../transcode-agent/media-read-arguments.ts'
import { mediaAt } from '../../transcode-agent/open-media.ts'

const SOURCE = { fileId: 'film', path: '/films/film.mkv', sizeBytes: 1, modifiedAtMs: 0, token: 'token' }

/** A fake program that prints on demand, and ends on demand or when it is killed. */
function standIn() {
  const output = new PassThrough()
  const exited = Promise.withResolvers<Awaited<FfmpegProcess['exited']>>()
  const end = (code: number | null, signal: string | null = null): void => {
    output.end()
    exited.resolve({ code, signal, errors: 'last', firstErrors: 'first' })
  }
  const kill = (): void => {
    end(null, 'SIGKILL')
    output.destroy()
  }
  return { process: { pid: 1, output, exited: exited.promise, kill } satisfies FfmpegProcess, output, end }
}

function open(t: Test, width = 1) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const started: ReturnType<typeof standIn>[] = []
  const start = async () => {
    const made = standIn()
    started.push(made)
    return made.process
  }
  const lost = new AbortController()
  const openSource = async () => ({ ...mediaAt('/films/film.mkv'), lost: lost.signal })
  const reader = createMediaReader({ bus, clock, start, openSource, width, onError: (cause) => void t.fail(String(cause)) })
  const records: JsonObject[] = []
  const answer = { type: 'go' }
  const hear = async ({ head, body }: Message): Promise<Message> => {
    records.push(body ? { ...head, text: String(Buffer.from(body)) } : head)
    return { head: { ...answer } }
  }
  t.teardown(async () => {
    await reader.close()
    await bus.close()
  })
  /** Sends a request like a node that subscribes to the reply. */
  const ask = async (readId: string, more: Partial<ReadRequest> = {}) => {
    const inbox = readSubjects.inbox('api', readId)
    const subscriptions = [bus.respond(inbox, hear), bus.respond(readSubjects.beat(readId), hear)]
    const head = {
      type: 'read',
      readId,
      node: 'api',
      inbox,
      source: SOURCE,
      read: { type: 'describe' },
      priority: 'now',
      timeoutMs: 1000,
      ...more,
    }
    const { head: reply } = await bus.request(readSubjects.request, { head: head as unknown as JsonObject }, { timeoutMs: 5000 })
    return { reply, leave: () => subscriptions.forEach((one) => one.close()) }
  }
  const settle = async (isSo: () => boolean): Promise<void> => {
    for (let n = 0; n < 500 && !isSo(); n++) {
      await clock.advance(100)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  const without = (type: string) => records.filter((record) => record['type'] !== type)
  return { clock, bus, started, lost, reader, records, answer, ask, settle, without }
}

t.test('what the program prints comes in order, and then how it ended', async (t) => {
  const { started, ask, settle, without } = open(t)
  t.strictSame((await ask('read-one')).reply, { type: 'accepted' })
  await settle(() => started.length === 1)
  started[0]?.output.write('one')
  await settle(() => without('beat').length === 1)
  started[0]?.output.write('two')
  started[0]?.end(0)
  await settle(() => without('beat').length === 3)
  t.strictSame(without('beat'), [
    { type: 'piece', at: 0, text: 'one' },
    { type: 'piece', at: 1, text: 'two' },
    { type: 'end', code: 0, signal: null, errors: 'last', firstErrors: 'first' },
  ])
})

t.test('a program ends in time, when its node asks for it, when the node is gone, and when the agent stops', async (t) => {
  const { clock, bus, started, reader, records, ask, settle } = open(t, 4)
  for (const readId of ['read-late', 'read-stop', 'read-gone', 'read-left'])
    await ask(readId, { timeoutMs: readId === 'read-late' ? 1000 : 3_600_000 })
  const gone = await ask('read-away', { timeoutMs: 3_600_000 })
  await settle(() => started.length === 4)
  const ended = (at: number) => started[at]?.process.output.destroyed === true
  await clock.advance(1000)
  await settle(() => ended(0))
  t.ok(ended(0), 'in time')
  bus.publish(readSubjects.order('read-stop'), { head: { type: 'stop' } })
  await settle(() => ended(1))
  t.ok(ended(1), 'on demand')
  await settle(() => started.length === 5)
  gone.leave()
  await clock.advance(30_000)
  await settle(() => ended(4))
  t.ok(ended(4), 'with its node')
  t.notOk(ended(3))
  const closing = reader.close()
  await settle(() => ended(3))
  await closing
  t.ok(ended(3), 'with the agent')
  t.ok(
    records.some(({ type }) => type === 'left'),
    'which says that it leaves',
  )
})

t.test('reads beyond the room wait for their turn, those beyond the queue hear that it is busy', async (t) => {
  const { started, ask, settle } = open(t, 1)
  const replies: unknown[] = []
  for (let n = 0; n < 34; n++) replies.push((await ask(`read-${100 + n}`)).reply['type'])
  t.strictSame(replies, [...Array.from({ length: 33 }, () => 'accepted'), 'busy'])
  t.equal(started.length, 1)
  t.equal((await ask('read-idle', { priority: 'idle' })).reply['type'], 'accepted', 'work in the background has room of its own')
  await settle(() => started.length === 2)
  started[0]?.end(0)
  await settle(() => started.length === 3)
  t.equal(started.length, 3, 'the next one begins')
})

t.test('a film that cannot be fetched any further is left, not ended', async (t) => {
  const { started, lost, ask, settle, without } = open(t)
  await ask('read-lost')
  await settle(() => started.length === 1)
  lost.abort(new Error('The film is gone'))
  await settle(() => without('beat').length > 0)
  t.strictSame(without('beat'), [{ type: 'left', reason: 'The film is gone' }])
})

t.test('what is no read of a film is refused', async (t) => {
  const { ask, started } = open(t)
  const wrong = [
    { read: { type: 'arguments', args: ['-i', '/etc/passwd'] } },
    { read: { type: 'frame', atMs: '0 -i /etc/passwd' } },
    { read: { type: 'texts', tracks: [{ stream: '0:1', as: 'copy' }], readRate: null } },
    { read: { type: 'texts', tracks: [{ stream: 0, as: '/tmp/file' }], readRate: null } },
    { inbox: 'playback.session.1' },
    { timeoutMs: 1e300 },
    { priority: 'first' },
    { source: { ...SOURCE, path: 'a\0b' } },
  ]
  for (const more of wrong) t.equal((await ask('read-wrong', more as never)).reply['type'], 'refused', JSON.stringify(more))
  t.equal(started.length, 0)
})

t.test('every input is made where formats and protocols are named', async (t) => {
  const input = (options: readonly string[] = []) => [...options, 'INPUT']
  const look = async () => ({ needs: [], filters: [] })
  const reads = [{ type: 'describe' }, { type: 'cover' }, { type: 'frame', atMs: 1500 }, { type: 'video-packets' }] as const
  for (const read of reads) {
    const args = await readArguments(read, { input, look })
    t.equal(args.filter((one) => one === 'INPUT').length, 1, read.type)
    t.equal(isProbe(read), read.type === 'describe' || read.type === 'video-packets')
  }
})
