import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { subjects, WINDOW_RECORDS } from '../../../src/app/streaming/agents/agent-protocol.ts'
import type { Prove } from '../../../transcode-agent/encoder-proof.ts'
import { ownClip } from '../../fixtures/clips.ts'
import { BIG, mediaAt, LARGE, openOwner } from '../owner.ts'
import { comesToRest, hasProc, processesWith, untilProcesses } from '../../fixtures/processes.ts'

t.test(
  'given an agent at work, when it is stopped, it ends after a whole segment, reports that, and leaves nothing',
  { skip: !hasProc },
  async (t) => {
    const path = await ownClip(t, 'b-frames.mkv')
    const owner = await openOwner()
    t.equal(await owner.start({ source: mediaAt(path), output: { ...BIG, width: 1920, height: 1080 }, grid: LARGE.grid }), 'accepted')
    await owner.until(() => owner.segments().length > 0)
    const startedAt = performance.now()
    await owner.agent.close()
    const seconds = (performance.now() - startedAt) / 1000
    t.comment(`left within ${seconds.toFixed(2)} s`)
    t.ok(seconds < 8)
    t.match(owner.ended(), { outcome: 'left' })
    t.strictSame(processesWith(path), [])
    const [last] = owner.received.flatMap(({ record }) => (record.type === 'segment' ? [record] : [])).slice(-1)
    t.equal(last && last.part + 1, last?.parts, 'the last segment is whole')
    t.equal(owner.hellos.at(-1)?.leaving, true)
    await owner.close()
  },
)

t.test('given an agent that waits for credit, when it is stopped, it leaves at once', { skip: !hasProc }, async (t) => {
  const path = await ownClip(t, 'open-gop.mkv')
  const owner = await openOwner()
  owner.answerWith(() => ({ type: 'go', creditMs: 100 }))
  await owner.start({ source: mediaAt(path), ...LARGE, creditMs: 100 })
  await owner.until(() => owner.segments().length === 1)
  await sleep(200)
  const closing = owner.agent.close()
  t.equal(await owner.start({ source: mediaAt(path), jobId: 'job-2', inbox: 'stream.owner.job-2' }), 'busy', 'and takes nothing more')
  await closing
  t.match(owner.ended(), { outcome: 'left' })
  t.strictSame(await untilProcesses(path, 0), [])
  await owner.close()
})

t.test('a newer owner of a rendition ends the jobs of the one before, whose orders are void from then on', async (t) => {
  const owner = await openOwner({ slots: 4 })
  owner.answerWith(() => ({ type: 'go', creditMs: 100 }))
  const job = (jobId: string, epoch: number, rendition = 'film.v0') =>
    owner.start({ ...LARGE, creditMs: 100, jobId, epoch, rendition, inbox: `stream.owner.${jobId}` })
  const isRunning = async (jobId: string) =>
    (await owner.bus.request(subjects.question('one'), { head: { type: 'question', jobId } }, { timeoutMs: 5_000 })).head['isRunning']
  t.equal(await job('old', 5), 'accepted')
  t.equal(await job('other-film', 1, 'film.v1'), 'accepted')
  t.equal(await isRunning('old'), true)
  t.equal(await job('new', 6), 'accepted')
  t.equal(await job('late', 5), 'superseded')
  t.equal(await job('again', 6), 'accepted')
  for (let waited = 0; waited < 200 && (await isRunning('old')) === true; waited++) await sleep(50)
  t.strictSame(await Promise.all(['old', 'other-film', 'new', 'late', 'again'].map(isRunning)), [false, true, true, false, true])
  await owner.close()
})

t.test('an order that comes twice is one job', async (t) => {
  const begun: string[] = []
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')), { once: true }))
  const owner = await openOwner({
    slots: 4,
    work: ({ spec, signal }) => {
      begun.push(spec.jobId)
      return untilAborted(signal)
    },
  })
  t.strictSame(await Promise.all([owner.start({}), owner.start({})]), ['accepted', 'accepted'])
  t.equal(await owner.start({}), 'accepted')
  t.strictSame(begun, ['job-1'])
  await owner.close()
})

t.test('over a bus that takes nothing, an agent holds a window of records and ffmpeg waits', { skip: !hasProc }, async (t) => {
  const path = await ownClip(t, 'b-frames.mkv')
  const owner = await openOwner({ waitsForAnswers: true })
  const { promise, resolve } = Promise.withResolvers<void>()
  owner.slowUntil(promise)
  const mediaFile = { ...LARGE, output: { ...BIG, width: 1920, height: 1080, maxBitrateBps: 100_000_000 } } as const
  await owner.start({ source: mediaAt(path), ...mediaFile, grid: { type: 'even', stepMs: 500, count: 30, endMs: 15_000 } })
  await owner.until(() => owner.received.length === WINDOW_RECORDS)
  // It fills its pipe first.
  t.ok(await comesToRest(processesWith(path)[0]?.pid ?? 0, 1_000), 'it reads and writes nothing for a second')
  t.equal(owner.received.length, WINDOW_RECORDS)
  resolve()
  await owner.until(() => owner.ended() !== undefined)
  t.strictSame(new Set(owner.segments()).size, 30)
  await owner.close()
})

t.test('an agent says what room it has as soon as that changes, and what it can do once it has tried', async (t) => {
  const tried: string[] = []
  const prove: Prove = async (encoder) => {
    tried.push(encoder)
    if (encoder !== 'x264') return { type: 'disproved', why: 'No such device' }
    return { type: 'proved', encoder: { name: encoder, framesPerSecond: 123 } }
  }
  const owner = await openOwner({ slots: 4, prove, version: '5.1.9' })
  await owner.until(() => owner.hellos.length > 0)
  t.match(owner.hellos[0], { agentId: 'one', version: '5.1.9', slots: 4, free: 4, encoders: null, leaving: false })
  t.ok((owner.hellos[0]?.load ?? -1) >= 0)
  owner.answerWith(() => ({ type: 'go', creditMs: 100 }))
  await owner.start({ ...LARGE, creditMs: 100 })
  await owner.until(() => owner.hellos.at(-1)?.free === 3)
  owner.answerWith(() => ({ type: 'stop' }))
  await owner.until(() => owner.hellos.at(-1)?.free === 4)
  await owner.until(() => owner.hellos.at(-1)?.encoders !== null)
  t.strictSame(owner.hellos.at(-1)?.encoders, [{ name: 'x264', framesPerSecond: 123 }])
  t.equal(tried[0], 'x264')
  t.equal(new Set(tried).size, tried.length, 'each once')
  await owner.close()
})

t.test('an agent whose ffmpeg cannot encode reports that once, refuses films, and still copies', async (t) => {
  const problems: string[] = []
  const prove: Prove = async () => ({ type: 'disproved', why: "Unknown encoder 'libx264'" })
  const owner = await openOwner({ prove, onError: (cause) => problems.push(String(cause)) })
  await owner.until(() => owner.hellos.at(-1)?.encoders?.length === 0)
  t.equal(await owner.start({ ...LARGE }), 'refused')
  t.equal(await owner.start({}), 'accepted')
  t.equal(problems.length, 1)
  t.match(problems[0], /cannot encode video.*Unknown encoder 'libx264'/)
  await owner.close()
})
