import t from 'tap'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { isJobRecord, subjects, WINDOW_RECORDS, type JobRecord, type RecordReply } from '../../src/app/streaming/agents/agent-protocol.ts'
import { createRecordSender } from '../../transcode-agent/record-sender.ts'

/** An sender, and an owner who answers heartbeats at once, and records on demand. */
function openPost({ creditMs = 1e6 } = {}) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const said: (JobRecord & { readonly by: string })[] = []
  const held: (() => void)[] = []
  let isSlow = false
  let reply: RecordReply = { type: 'go', creditMs }
  const note = (by: string, head: object) => void (isJobRecord({ ...head }) && said.push({ ...(head as JobRecord), by }))
  const inbox = bus.respond('stream.owner.job', async ({ head }) => {
    note('bytes', head)
    if (isSlow) await new Promise<void>((release) => held.push(release))
    return { head: reply }
  })
  const beats = bus.respond(subjects.beat('job'), async ({ head }) => {
    note('control', head)
    return { head: reply }
  })
  const abort = new AbortController()
  const sender = createRecordSender({ bus, clock, jobId: 'job', inbox: 'stream.owner.job', epoch: 7, creditMs, abort })
  const segment = (segment: number, part = 0, parts = 1) =>
    sender.send({ type: 'segment', segment, part, parts, workMs: 1 }, Buffer.from('bytes')).catch(() => undefined)
  return {
    clock,
    sender,
    abort,
    said,
    segment,
    ends: [inbox, beats],
    beats: () => said.filter(({ type }) => type === 'beat').length,
    left: () => said.find((record) => record.type === 'ended'),
    ended: () => (abort.signal.reason instanceof Error ? abort.signal.reason.message : undefined),
    slow: () => void (isSlow = true),
    answerWith: (answer: RecordReply) => void (reply = answer),
    async release() {
      for (const release of held.splice(0)) release()
      await clock.settle()
    },
  }
}

t.test('the owner hears at once that the agent is there, and then every two seconds', async (t) => {
  const post = openPost()
  await post.clock.settle()
  t.equal(post.beats(), 1)
  await post.clock.advance(10_000)
  t.equal(post.beats(), 6)
})

t.test('beats go on while bytes are on a slow way, and the job goes on with them', async (t) => {
  const post = openPost()
  post.slow()
  for (let part = 0; part < WINDOW_RECORDS; part++) void post.segment(0, part, 20)
  await post.clock.advance(20_000)
  t.ok(post.beats() > 9)
  t.equal(post.ended(), undefined)
  await post.release()
  t.equal(post.ended(), undefined)
})

t.test('no more than a window of records is on its way', async (t) => {
  const post = openPost()
  post.slow()
  const job = async () => {
    for (let segment = 0; segment < 20; segment++) await post.segment(segment)
  }
  void job()
  await post.clock.settle()
  t.equal(post.said.filter(({ type }) => type === 'segment').length, WINDOW_RECORDS)
  await post.release()
  t.equal(post.said.filter(({ type }) => type === 'segment').length, 2 * WINDOW_RECORDS)
})

t.test('the answer to a beat carries credit', async (t) => {
  const post = openPost({ creditMs: 0 })
  let granted = false
  void post.sender.credit(5_000).then(() => (granted = true))
  post.answerWith({ type: 'go', creditMs: 6_000 })
  await post.clock.advance(100)
  t.equal(granted, true)
})

t.test('an owner that is gone, silent or wants no more ends the job', async (t) => {
  const gone = openPost()
  await gone.clock.settle()
  for (const end of gone.ends) end.close()
  await gone.clock.advance(2_000)
  t.equal(gone.ended(), 'The owner is gone')

  const stopped = openPost()
  await stopped.clock.settle()
  stopped.answerWith({ type: 'stop' })
  await stopped.clock.advance(2_000)
  t.equal(stopped.ended(), 'The owner wants no more of this job')
})

t.test('a job that waits for credit leaves at once', async (t) => {
  const post = openPost({ creditMs: 0 })
  void post.sender.credit(5_000).catch(() => undefined)
  await post.clock.settle()
  void post.sender.leave(2_000)
  await post.clock.settle()
  t.match(post.left(), { outcome: 'left', by: 'control', epoch: 7 })
  t.equal(post.ended(), 'The transcoder is stopping')
})

t.test('a job in the middle of a segment leaves once that is across, and begins no other', async (t) => {
  const post = openPost()
  post.slow()
  void post.segment(0, 0, 2)
  await post.clock.settle()
  void post.sender.leave(2_000)
  await post.clock.advance(500)
  void post.segment(0, 1, 2).then(() => post.segment(1))
  await post.clock.advance(500)
  t.equal(post.left(), undefined, 'its bytes are still on their way')
  await post.release()
  t.match(post.left(), { outcome: 'left' })
  t.strictSame(
    post.said.flatMap((record) => (record.type === 'segment' ? [[record.segment, record.part]] : [])),
    [
      [0, 0],
      [0, 1],
    ],
  )
})

t.test('a job whose segment takes longer leaves without it', async (t) => {
  const post = openPost()
  await post.clock.settle()
  void post.sender.leave(2_000)
  await post.clock.advance(1_900)
  t.equal(post.left(), undefined)
  await post.clock.advance(200)
  t.match(post.left(), { outcome: 'left' })
  t.equal(post.ended(), 'The transcoder is stopping')
})
