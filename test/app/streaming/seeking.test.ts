import t from 'tap'
import { audioOf, openStage } from '../../fixtures/scripted-agent.ts'

t.test('a viewer who goes on a little is waited for, one who jumps gets a run of their own and the old one ends', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  const first = stage.newest()
  await first.segments(0, 1)
  const near = stage.ask(3)
  await stage.clock.advance(50)
  t.equal(stage.jobs.length, 1, 'two segments ahead')
  near.abort()
  stage.ask(200)
  await stage.clock.advance(200)
  t.strictSame([stage.jobs.length, stage.newest().spec.startSegment, first.stopped], [2, 200, true])
})

t.test('a paused run goes on for a viewer whom it will reach, also past many short segments', async (t) => {
  // Five seconds of a copy are three segments of a rung.
  const startsMs = Array.from({ length: 60 }, (_, segment) => (segment * 5_000) / 3)
  const stage = openStage({ rendition: { ...audioOf(1), grid: { type: 'listed', startsMs, endMs: 100_000 } } })
  stage.ask(0)
  await stage.clock.advance(50)
  const run = stage.newest()
  t.match(await run.segments(0, 5), { type: 'go', creditMs: 10_000 }, 'ten seconds ahead it is paused')
  const far = stage.ask(15)
  await stage.clock.advance(400)
  t.equal(stage.jobs.length, 1)
  t.match(run.orders.at(-1), { type: 'credit', creditMs: 18_000 })
  await run.segments(6, 15)
  t.equal(far.result, 'segment 15')
})

t.test('a run that comes to segments which are ready goes on for a request beyond them', async (t) => {
  const stage = openStage()
  stage.ask(3, 'ben')
  await stage.clock.advance(50)
  await stage.newest().segments(3, 5)
  stage.actor.leave('ben')
  await stage.clock.advance(2_000)
  stage.ask(0)
  await stage.clock.advance(500)
  const run = stage.newest()
  await run.segments(0, 1)
  const far = stage.ask(6)
  await stage.clock.advance(50)
  t.match(await run.segment(2), { type: 'go' })
  t.strictSame([stage.jobs.length, run.spec.startSegment], [2, 0])
  await run.segments(3, 6)
  t.equal(far.result, 'segment 6')
})

t.test('a request that a run is too slow for gets a run of its own, although nobody asks again', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  const slow = stage.newest()
  await slow.segments(0, 3)
  const far = stage.ask(8)
  await stage.clock.advance(500)
  t.equal(stage.jobs.length, 1, 'by its pace until now it comes there sooner than a new one')
  await slow.say({ type: 'segment', segment: 4, part: 0, parts: 1, workMs: 5_000 }, Buffer.from('segment 4'))
  await stage.clock.advance(500)
  t.strictSame([stage.jobs.length, stage.newest().spec.startSegment], [2, 8])
  await stage.newest().segment(8)
  t.equal(far.result, 'segment 8')
})

t.test('two viewers far apart have a run each', async (t) => {
  const stage = openStage()
  stage.ask(0, 'ann')
  await stage.clock.advance(50)
  await stage.newest().segment(0)
  stage.ask(300, 'ben')
  await stage.clock.advance(200)
  t.strictSame(
    stage.jobs.map(({ spec, stopped }) => [spec.startSegment, stopped]),
    [
      [0, false],
      [300, false],
    ],
  )
})

for (const speed of ['slower', 'faster'])
  t.test(`twenty seeks in four seconds start four runs at most, where making a segment is ${speed} than the hand`, async (t) => {
    const stage = openStage()
    for (let step = 0; step < 20; step++) {
      const asked = stage.ask(20 + step * 25)
      await stage.clock.advance(100)
      const job = stage.jobs.at(-1)
      if (speed === 'faster' && job && !job.stopped) await job.segment(job.spec.startSegment)
      await stage.clock.advance(100)
      if (step < 19) asked.abort()
    }
    const last = stage.clock.monotonic()
    while (stage.newest().spec.startSegment !== 20 + 19 * 25) await stage.clock.advance(50)
    t.ok(stage.clock.monotonic() - last <= 300, 'the last one where the slider came to rest, soon')
    await stage.clock.advance(3_000)
    t.ok(stage.jobs.length <= 4, `${stage.jobs.length} runs`)
  })

t.test('a single seek in the middle of a film is answered at once', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  await stage.newest().segments(0, 3)
  await stage.clock.advance(5_000)
  stage.ask(300)
  await stage.clock.advance(0)
  t.equal(stage.newest().spec.startSegment, 300)
})

t.test('of two places asked for at a time the newer one is begun with', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  stage.ask(100)
  stage.ask(401)
  stage.ask(400)
  await stage.clock.advance(200)
  t.equal(stage.newest().spec.startSegment, 400)
})

t.test('a fifth viewer far away waits with a reason while all runs are waited for, and takes the place of one that is ahead', async (t) => {
  const stage = openStage()
  const viewers = ['ann', 'ben', 'cy', 'dee']
  for (const [place, viewer] of viewers.entries()) {
    stage.ask(place * 100, viewer)
    await stage.clock.advance(500)
    for (const job of stage.jobs) await job.say({ type: 'beat' })
  }
  t.equal(stage.jobs.length, 4)
  const late = stage.ask(500, 'eve')
  for (let passed = 0; passed < 3; passed++) {
    await stage.clock.advance(1_000)
    for (const job of stage.jobs) await job.say({ type: 'beat' })
  }
  t.equal(stage.jobs.length, 4)
  await stage.jobs[1]!.segment(100)
  await stage.clock.advance(600)
  t.strictSame([stage.jobs.length, stage.jobs[1]!.stopped, stage.newest().spec.startSegment], [5, true, 500])
  await stage.newest().segment(500)
  await stage.clock.settle()
  t.equal(late.result, 'segment 500')
})
