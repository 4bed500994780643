import t from 'tap'
import { createMemorySegmentStore } from '../../../src/adapters/memory/segment-store.ts'
import { createSegmentCache } from '../../../src/app/streaming/segments/segment-cache.ts'
import { openStage, VIDEO } from '../../fixtures/scripted-agent.ts'

t.test('a run that comes to what is ready stops', async (t) => {
  const stage = openStage()
  stage.ask(10)
  await stage.clock.advance(50)
  await stage.newest().segments(10, 20)
  stage.ask(5)
  await stage.clock.advance(1_000)
  t.equal(stage.newest().spec.startSegment, 5)
  await stage.newest().segments(5, 8)
  t.equal(stage.newest().stopped, false)
  await stage.newest().segment(9)
  await stage.clock.settle()
  t.equal(stage.newest().stopped, true)
})

t.test('what was pushed out of memory is made again', async (t) => {
  const stage = openStage({ cache: createSegmentCache({ memoryBytes: 0 }) })
  stage.ask(0)
  await stage.clock.advance(50)
  await stage.newest().segments(0, 3)
  const asked = stage.ask(1)
  await stage.clock.advance(1_000)
  t.equal(stage.newest().spec.startSegment, 1)
  await stage.newest().segment(1, 'again')
  await stage.clock.settle()
  t.equal(asked.result, 'again')
})

t.test('what an earlier process made is given without a run, the init segment and its codec string too', async (t) => {
  const store = createMemorySegmentStore()
  const cache = () => createSegmentCache({ memoryBytes: 1_000, store })
  const before = openStage({ cache: cache() })
  before.ask(4)
  await before.clock.advance(50)
  await before.newest().say({ type: 'init', codec: 'mp4a.40.2' }, Buffer.from('init'))
  await before.newest().segments(4, 30)
  before.actor.close()

  const after = openStage({ cache: cache() })
  const init = await after.actor.init({ viewer: 'ann', signal: new AbortController().signal })
  t.equal(Buffer.from(init as Uint8Array).toString(), 'init')
  t.equal(after.actor.knownInit()?.codec, 'mp4a.40.2')
  const asked = [4, 5, 6].map((segment) => after.ask(segment))
  await after.clock.advance(50)
  t.strictSame(
    asked.map(({ result }) => result),
    ['segment 4', 'segment 5', 'segment 6'],
  )
  t.equal(after.jobs.length, 0)
  after.ask(25)
  await after.clock.advance(1_000)
  t.equal(after.newest().spec.startSegment, 31, 'and what comes after it is made in time')
})

t.test('video of another encoder than before does not go with what that one made: it is re-encoded', async (t) => {
  const store = createMemorySegmentStore()
  const stageWith = () => openStage({ cache: createSegmentCache({ memoryBytes: 1_000, store }), rendition: VIDEO })
  const before = stageWith()
  before.ask(0)
  await before.clock.advance(50)
  await before.newest().say({ type: 'init', codec: 'avc1.640028' }, Buffer.from('one encoder'))
  await before.newest().segments(0, 3)
  before.actor.close()

  const after = stageWith()
  after.ask(10)
  await after.clock.advance(50)
  await after.newest().say({ type: 'init', codec: 'avc1.640028' }, Buffer.from('another one'))
  await after.newest().segment(10)
  const init = await after.actor.init({ viewer: 'ann', signal: new AbortController().signal })
  t.equal(Buffer.from(init as Uint8Array).toString(), 'another one')
  const old = after.ask(2)
  await after.clock.advance(200)
  t.equal(old.result, undefined)
  t.equal(after.newest().spec.startSegment, 2)
})

t.test('a segment that cannot be made after a second attempt is reported to the operator', async (t) => {
  const stage = openStage()
  stage.ask(4)
  for (let attempt = 0; attempt < 2; attempt++) {
    await stage.clock.advance(500)
    await stage.newest().say({ type: 'ended', outcome: 'failed', reason: 'it fell over' })
  }
  await stage.clock.settle()
  t.strictSame(stage.reports, ['720p of /film.mkv, segment 4: it fell over'])
})

t.test('a film that is broken in several places is one warning, and the other segments are details', async (t) => {
  const stage = openStage()
  for (const segment of [4, 40]) {
    stage.ask(segment)
    for (let attempt = 0; attempt < 2; attempt++) {
      await stage.clock.advance(2_000)
      await stage.newest().say({ type: 'ended', outcome: 'failed', reason: '[ffmpeg-failed] Invalid data found' })
    }
    await stage.clock.advance(20_000)
  }
  t.strictSame(stage.reports, ['720p of /film.mkv, segment 4: [ffmpeg-failed] Invalid data found'])
  t.match(stage.details, [/segment 40: /])
})

t.test('a paused player loses its run after a minute, and gets one again where it goes on', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  const held = stage.newest()
  await held.segments(0, 5)
  t.equal(stage.actor.pausedSince() !== undefined, true)
  for (let passed = 0; passed < 65; passed += 5) {
    await stage.clock.advance(5_000)
    if (!held.stopped) await held.say({ type: 'beat' }).catch(() => undefined)
    stage.actor.sweep()
  }
  t.equal(held.stopped, true)
  const asked = stage.ask(1)
  await stage.clock.advance(1_000)
  t.equal(asked.result, 'segment 1')
  t.equal(stage.newest().spec.startSegment, 6, 'before what is ready has been played')
})
