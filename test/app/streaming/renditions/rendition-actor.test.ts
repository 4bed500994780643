import t from 'tap'
import { openStage } from '../../../fixtures/scripted-agent.ts'

t.test('a segment that nobody has made is made by a run that begins with it, and then kept', async (t) => {
  const stage = openStage()
  const asked = stage.ask(7)
  await stage.clock.advance(50)
  t.equal(stage.newest().spec.startSegment, 7)
  await stage.newest().segment(7)
  await stage.clock.settle()
  t.equal(asked.result, 'segment 7')
  const again = stage.ask(7, 'ben')
  await stage.clock.settle()
  t.equal(again.result, 'segment 7')
  t.equal(stage.jobs.length, 1)
})

t.test('all who ask for one segment wait for one run', async (t) => {
  const stage = openStage()
  const asked = ['ann', 'ben', 'cy'].map((viewer) => stage.ask(0, viewer))
  await stage.clock.advance(50)
  await stage.newest().segment(0)
  await stage.clock.settle()
  t.strictSame(
    asked.map(({ result }) => result),
    ['segment 0', 'segment 0', 'segment 0'],
  )
  t.equal(stage.jobs.length, 1)
})

t.test('numbers beyond the film are no segments', async (t) => {
  const stage = openStage()
  const asked = [stage.ask(600), stage.ask(-1)]
  await stage.clock.settle()
  t.strictSame(
    asked.map(({ result }) => result),
    ['no such segment', 'no such segment'],
  )
  t.equal(stage.jobs.length, 0)
})

t.test('when the client has gone its request ends, and half a second later its run', async (t) => {
  const stage = openStage()
  const asked = stage.ask(9)
  await stage.clock.advance(50)
  asked.abort()
  await stage.clock.advance(400)
  t.equal(asked.result, 'The client has gone')
  t.equal(stage.newest().stopped, false, 'it may come back')
  await stage.clock.advance(200)
  t.equal(stage.newest().stopped, true)
})

t.test('a run that nobody watches for a minute is stopped, and what it made is kept', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  await stage.newest().segments(0, 2)
  for (let passed = 0; passed < 59; passed += 5) {
    await stage.clock.advance(5_000)
    await stage.newest().say({ type: 'beat' })
    stage.actor.sweep()
    if (passed < 50) t.equal(stage.newest().stopped, false, `after ${passed + 5} s`)
  }
  await stage.clock.advance(5_000)
  stage.actor.sweep()
  t.equal(stage.newest().stopped, true)
  const asked = stage.ask(2)
  await stage.clock.settle()
  t.equal(asked.result, 'segment 2')
})

t.test('a run that failed is tried once more from what it owes; then the segment fails for a while with the reason', async (t) => {
  const stage = openStage()
  const asked = stage.ask(4)
  await stage.clock.advance(50)
  await stage.newest().segment(4)
  const next = stage.ask(5)
  await stage.newest().say({ type: 'ended', outcome: 'failed', reason: '[ffmpeg-failed] ffmpeg ended with SIGSEGV: /films/a.mkv' })
  await stage.clock.advance(1_000)
  t.equal(asked.result, 'segment 4')
  t.strictSame([stage.jobs.length, stage.newest().spec.startSegment, next.result], [2, 5, undefined])
  await stage.newest().say({ type: 'ended', outcome: 'failed', reason: '[ffmpeg-failed] ffmpeg ended with SIGSEGV: /films/a.mkv' })
  await stage.clock.settle()
  const words = 'The transcoder could not make this part of the film'
  t.equal(next.result, words)
  t.match(stage.reports, [/SIGSEGV/], 'the detail is for the operator')
  const again = stage.ask(5)
  await stage.clock.settle()
  t.equal(again.result, words, 'at once')
  await stage.clock.advance(31_000)
  stage.ask(5)
  await stage.clock.advance(3_000)
  t.ok(stage.jobs.length > 2, 'later it is tried again')
})

t.test('a retry that works is as if nothing had happened', async (t) => {
  const stage = openStage()
  const asked = stage.ask(4)
  await stage.clock.advance(50)
  await stage.newest().say({ type: 'ended', outcome: 'failed', reason: 'killed' })
  await stage.clock.advance(1_000)
  await stage.newest().segment(4)
  await stage.clock.settle()
  t.equal(asked.result, 'segment 4')
})

t.test('records of another epoch, and parts that do not fit together, are answered with stop', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  const job = stage.newest()
  t.strictSame(await job.say({ type: 'beat' }, undefined, job.spec.epoch + 1), { type: 'stop' })
  t.strictSame(await job.say({ type: 'segment', segment: 0, part: 1, parts: 2, workMs: 1 }, Buffer.from('b')), { type: 'stop' })
})

t.test('when the end of one segment and the beginning of the next get lost, what is left is never put together', async (t) => {
  const stage = openStage()
  const asked = [stage.ask(0), stage.ask(1)]
  await stage.clock.advance(50)
  const job = stage.newest()
  await job.say({ type: 'segment', segment: 0, part: 0, parts: 2, workMs: 1 }, Buffer.from('of the first'))
  t.strictSame(await job.say({ type: 'segment', segment: 1, part: 1, parts: 2, workMs: 1 }, Buffer.from('of the second')), { type: 'stop' })
  await stage.clock.advance(10)
  t.strictSame(
    asked.map(({ result }) => result),
    [undefined, undefined],
  )
  t.equal(stage.newest().spec.startSegment, 0, 'it is made again at once')
})

t.test('parts that got lost are no fault of the film, however often', async (t) => {
  const stage = openStage()
  const asked = stage.ask(0)
  for (let times = 1; times <= 3; times++) {
    await stage.clock.advance(1_000)
    await stage.newest().say({ type: 'segment', segment: 0, part: 1, parts: 2, workMs: 1 }, Buffer.from('end'))
  }
  await stage.clock.advance(1_000)
  await stage.newest().segment(0)
  await stage.clock.settle()
  t.strictSame([asked.result, stage.reports], ['segment 0', []])
})

t.test('segments that are not of the job are not taken from its agent', async (t) => {
  for (const segment of [19, 600]) {
    const stage = openStage()
    stage.ask(20)
    await stage.clock.advance(50)
    t.strictSame(await stage.newest().segment(segment, 'of somebody else'), { type: 'stop' })
    const asked = stage.ask(segment)
    await stage.clock.settle()
    t.not(asked.result, 'of somebody else')
  }
})

t.test('parts are put together in their order', async (t) => {
  const stage = openStage()
  const asked = stage.ask(0)
  await stage.clock.advance(50)
  await stage.newest().say({ type: 'segment', segment: 0, part: 0, parts: 2, workMs: 1 }, Buffer.from('one and '))
  t.equal(asked.result, undefined)
  await stage.newest().say({ type: 'segment', segment: 0, part: 1, parts: 2, workMs: 1 }, Buffer.from('other'))
  await stage.clock.settle()
  t.equal(asked.result, 'one and other')
})

t.test('segments that the film does not have are answered at once, before and after a request for them', async (t) => {
  const stage = openStage()
  const waiting = stage.ask(1)
  await stage.clock.advance(50)
  await stage.newest().say({ type: 'missing', from: 1, through: 599 })
  await stage.clock.settle()
  const later = stage.ask(50)
  await stage.clock.settle()
  t.strictSame([waiting.result, later.result], ['The film has nothing at this position', 'The film has nothing at this position'])
})

t.test('nobody waits longer than a player does', async (t) => {
  const stage = openStage()
  const asked = stage.ask(0)
  for (let passed = 0; passed < 8; passed++) {
    await stage.clock.advance(1_000)
    if (passed < 7) await stage.newest().say({ type: 'beat' })
  }
  t.equal(asked.result, 'It takes longer than a player waits')
})

t.test('a segment that takes 75 s is made once, although its player is refused and asks again all the time', async (t) => {
  const stage = openStage()
  let asked = stage.ask(4)
  for (let passed = 0; passed < 75; passed++) {
    await stage.clock.advance(1_000)
    await stage.newest().say({ type: 'beat' })
    if (asked.result === undefined) continue
    t.equal(asked.result, 'It takes longer than a player waits')
    // A connection is lost, too, and replaced within half a second.
    asked = stage.ask(4)
    asked.abort()
    await stage.clock.advance(passed % 2 === 0 ? 100 : 400)
    asked = stage.ask(4)
  }
  await stage.newest().segment(4)
  await stage.clock.settle()
  t.equal(asked.result, 'segment 4')
  t.strictSame([stage.jobs.length, stage.newest().stopped], [1, false])
})

t.test('while all transcoders are busy a request waits for room, then says why', async (t) => {
  const stage = openStage()
  stage.replies = [{ type: 'busy' }, { type: 'busy' }]
  const lucky = stage.ask(0)
  await stage.clock.advance(1_200)
  await stage.newest().segment(0)
  await stage.clock.settle()
  t.equal(lucky.result, 'segment 0')

  const full = openStage()
  full.replies = Array.from({ length: 40 }, () => ({ type: 'busy' }) as const)
  const asked = full.ask(0)
  await full.clock.advance(8_100)
  t.equal(asked.result, 'All transcoders are busy')
})

t.test('a held run elsewhere makes room at once', async (t) => {
  let given = 0
  const stage = openStage({ reclaim: () => given++ === 0 })
  stage.replies = [{ type: 'busy' }]
  stage.ask(0)
  await stage.clock.advance(50)
  t.strictSame([stage.jobs.length, given], [1, 1])
})

t.test('credit goes ten seconds ahead at first, further for those who watch, and never past a minute', async (t) => {
  const stage = openStage({ aheadBytes: () => 1e9 })
  stage.ask(0)
  await stage.clock.advance(50)
  t.equal(stage.newest().spec.creditMs, 8_000, 'a step at a time')
  t.strictSame(await stage.newest().segments(0, 4), { type: 'go', creditMs: 10_000 })
  for (let segment = 1; segment <= 40; segment++) {
    stage.ask(segment)
    await stage.newest().segment(segment + 4)
  }
  let answer: unknown
  for (let segment = 45; segment <= 75; segment++) answer = await stage.newest().segment(segment)
  t.strictSame(answer, { type: 'go', creditMs: 152_000 }, 'the run is held a little more than a minute ahead of segment 40')
})

t.test('a paused run is resumed when half of its lead is left', async (t) => {
  const stage = openStage({ aheadBytes: () => 1e9 })
  stage.ask(0)
  await stage.clock.advance(50)
  const job = stage.newest()
  await job.segments(0, 4)
  const credits = () => job.orders.filter(({ type }) => type === 'credit').length
  stage.ask(1)
  await stage.clock.settle()
  t.equal(credits(), 0, '8 s left of 14')
  stage.ask(2)
  await stage.clock.settle()
  t.equal(credits(), 1, '6 s left of 18')
})

t.test('no more bytes are made ahead than may be', async (t) => {
  const stage = openStage({ aheadBytes: () => 20 })
  stage.ask(0)
  await stage.clock.advance(50)
  await stage.newest().segments(0, 1)
  t.match(await stage.newest().segment(2), { type: 'go', creditMs: 10_000 }, '18 bytes ahead')
  t.match(await stage.newest().segment(3), { type: 'go', creditMs: 8_000 }, '27 bytes ahead: held before segment 4')
})

t.test('a viewer who comes near the end of what is ready has the rest made in time', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  await stage.newest().segments(0, 20)
  await stage.newest().say({ type: 'ended', outcome: 'failed', reason: 'killed' })
  stage.ask(5)
  await stage.clock.advance(1_000)
  t.equal(stage.jobs.length, 1, '16 segments are ready')
  stage.ask(12)
  await stage.clock.advance(1_000)
  t.strictSame([stage.jobs.length, stage.newest().spec.startSegment], [2, 21])
})

t.test('the init segment comes from any run, is the first one seen, and starts one where the viewer is', async (t) => {
  const stage = openStage()
  const ask = { viewer: 'ann', signal: new AbortController().signal }
  stage.actor.prewarm(30, 'ann')
  const init = stage.actor.init(ask)
  await stage.clock.advance(50)
  t.equal(stage.newest().spec.startSegment, 30)
  await stage.newest().say({ type: 'init', codec: 'avc1.640028' }, Buffer.from('init'))
  t.equal(Buffer.from((await init) as Uint8Array).toString(), 'init')
  t.equal(stage.actor.knownInit()?.codec, 'avc1.640028')
  await stage.newest().say({ type: 'init', codec: 'avc1.640029' }, Buffer.from('other'))
  t.equal(Buffer.from((await stage.actor.init(ask)) as Uint8Array).toString(), 'init')
})

t.test('a viewer whose session is over takes their run with them, but not that of others', async (t) => {
  const stage = openStage()
  stage.ask(0, 'ann')
  await stage.clock.advance(50)
  await stage.newest().segments(0, 2)
  stage.ask(2, 'ben')
  await stage.clock.settle()
  stage.actor.leave('ann')
  await stage.clock.settle()
  t.equal(stage.newest().stopped, false)
  stage.actor.leave('ben')
  await stage.clock.settle()
  t.equal(stage.newest().stopped, true)
})

t.test('closing stops the runs and answers those who wait', async (t) => {
  const stage = openStage()
  const asked = stage.ask(0)
  await stage.clock.advance(50)
  stage.actor.close()
  await stage.clock.settle()
  t.equal(asked.result, 'The server is stopping')
  t.equal(stage.newest().stopped, true)
})
