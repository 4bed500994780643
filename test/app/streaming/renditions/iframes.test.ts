/** I-frames for players that fast-forward and scrub, and their cost. */
import t from 'tap'
import { createTestClock } from '../../../../src/adapters/memory/clock.ts'
import { createIframes } from '../../../../src/app/streaming/renditions/iframes.ts'
import type { Ask } from '../../../../src/app/streaming/renditions/rendition-actor.ts'
import { busy, missing } from '../../../../src/app/streaming/segments/unavailable.ts'
import { writeSegment } from '../../../../transcode-agent/segment-writer.ts'
import { openHosts, type HostNode } from '../rendition-hosts.ts'
import { openStage, watch, type Asked, type ScriptedJob } from '../../../fixtures/scripted-agent.ts'

/** Two frames, the first of which contains its number. */
const segmentOf = (segment: number): Uint8Array =>
  writeSegment({
    segment,
    samples: [
      { dts: segment * 2000, pts: segment * 2000, sizeBytes: 10, key: true },
      { dts: segment * 2000 + 40, pts: segment * 2000 + 40, sizeBytes: 4, key: false },
    ],
    end: segment * 2000 + 2000,
    data: [Buffer.from(`still ${String(segment).padStart(4)}more`)],
  })
const give = (job: ScriptedJob, segment: number) => job.say({ type: 'segment', segment, part: 0, parts: 1, workMs: 20 }, segmentOf(segment))
const shown = ({ result }: Asked): string | undefined => result && /still +\d+$/.exec(result)?.[0].replaceAll(/ +/g, ' ')

function openShelf() {
  const clock = createTestClock()
  const kept = new Map<number, Uint8Array>()
  const asked: (Ask & { readonly segment: number })[] = []
  const answers = new Map<number, (answer: Uint8Array | undefined | ReturnType<typeof busy>) => void>()
  let returned = 0
  const iframes = createIframes({
    clock,
    renditionCache: {
      async get(segment, until) {
        if (kept.has(segment)) until?.(() => returned++)
        return kept.get(segment)
      },
    },
    answerWithinMs: 8_000,
    make: (segment, ask) => {
      asked.push({ ...ask, segment })
      return new Promise((resolve) => answers.set(segment, resolve))
    },
  })
  return {
    clock,
    kept,
    asked,
    returned: () => returned,
    answer: (segment: number, answer: Parameters<NonNullable<ReturnType<typeof answers.get>>>[0]) => answers.get(segment)?.(answer),
    ask: (segment: number) => watch((signal) => iframes.give(segment, { viewer: 'ann', signal })),
  }
}

t.test('what is kept is cut without asking anybody, and what was lent for it goes back', async (t) => {
  const { clock, kept, asked, returned, ask } = openShelf()
  kept.set(3, segmentOf(3))
  const got = ask(3)
  await clock.settle()
  t.equal(shown(got), 'still 3')
  t.equal(asked.length, 0)
  t.equal(returned(), 1)
})

t.test('a player that is dragged over a film has one made at a time, the newest first, and the rest turned away', async (t) => {
  const { clock, kept, asked, answer, ask } = openShelf()
  const all = Array.from({ length: 12 }, (_, segment) => ask(segment * 40))
  await clock.settle()
  t.match(asked, [{ segment: 0, still: true, viewer: 'ann' }])
  t.strictSame(
    all.map(({ result }) => result),
    [undefined, ...Array<string>(3).fill('Newer frames were asked for'), ...Array<undefined>(8).fill(undefined)],
  )
  all[11]!.abort()
  kept.set(400, segmentOf(400))
  answer(0, segmentOf(0))
  await clock.settle()
  t.equal(shown(all[0]!), 'still 0')
  t.equal(all[11]!.result, 'The client has gone')
  t.equal(shown(all[10]!), 'still 400', 'made meanwhile')
  t.equal(asked.at(-1)?.segment, 360)
  t.equal(asked.length, 2)
})

t.test('who has waited for a turn waits for the frame that much less', async (t) => {
  const { clock, asked, answer, ask } = openShelf()
  const [first, second, third] = [ask(0), ask(40), ask(80)]
  await clock.advance(3_000)
  answer(0, segmentOf(0))
  await clock.settle()
  t.match(asked, [{ withinMs: 8_000 }, { segment: 80, withinMs: 5_000 }])
  await clock.advance(5_000)
  answer(80, busy('It takes longer than a player waits'))
  await clock.settle()
  t.equal(shown(first), 'still 0')
  t.equal(third.result, 'It takes longer than a player waits')
  t.equal(second.result, 'Newer frames were asked for')
  t.equal(asked.length, 2)
})

t.test('what the film does not hold has no frame', async (t) => {
  const { clock, answer, ask } = openShelf()
  const [first, second] = [ask(0), ask(1)]
  await clock.settle()
  answer(0, missing('The film has nothing at this position'))
  await clock.settle()
  answer(1, undefined)
  await clock.settle()
  t.equal(first.result, 'The film has nothing at this position')
  t.equal(second.result, 'no such segment')
})

t.test('a still moves no viewer, and half a second after it its run is over', async (t) => {
  const stage = openStage()
  stage.ask(0)
  await stage.clock.advance(50)
  const [watched] = stage.jobs as [ScriptedJob]
  await watched.segments(0, 3)
  const still = watch((signal) => stage.actor.segment(300, { viewer: 'ann', signal, still: true }))
  await stage.clock.advance(1_000)
  const winding = stage.newest()
  t.equal(winding.spec.startSegment, 300)
  await winding.segment(300)
  await stage.clock.settle()
  t.equal(still.result, 'segment 300')
  t.equal(winding.stopped, false, 'the next one may be asked for')
  await stage.clock.advance(600)
  t.equal(winding.stopped, true)
  t.equal(watched.stopped, false)
  t.equal(stage.jobs.length, 2, 'nothing is made ahead of a still')
})

t.test('a run that is held comes to a still that lies within its reach', async (t) => {
  const stage = openStage()
  const ask = (segment: number) => watch((signal) => stage.actor.segment(segment, { viewer: 'ann', signal, still: true }))
  ask(0)
  await stage.clock.advance(50)
  const job = stage.newest()
  t.match(await job.segments(0, 4), { type: 'go', creditMs: 10_000 }, 'ten seconds ahead, and no more')
  const still = ask(6)
  await stage.clock.advance(50)
  t.equal(stage.jobs.length, 1)
  t.match(job.orders.at(-1), { type: 'credit', creditMs: 18_000 })
  await job.segments(5, 6)
  await stage.clock.settle()
  t.equal(still.result, 'segment 6')
})

t.test('a viewer who is where a still was asked for stays when that is given up', async (t) => {
  const stage = openStage()
  stage.ask(300)
  await stage.clock.advance(50)
  const still = watch((signal) => stage.actor.segment(300, { viewer: 'ann', signal, still: true }))
  await stage.clock.advance(50)
  still.abort()
  await stage.newest().segments(300, 302)
  await stage.clock.advance(2_000)
  t.equal(stage.newest().stopped, false)
})

t.test('a still of a rendition that another node owns comes from there, and leaves no viewer behind', async (t) => {
  const hosts = openHosts(2)
  const [owner, other] = hosts.nodes as [HostNode, HostNode]
  owner.ask(0, 'olga')
  await hosts.clock.advance(100)
  const [watched] = hosts.jobs as [ScriptedJob]
  await give(watched, 0)
  const still = watch((signal) => other.rendition.still(300, { viewer: 'ann', signal }))
  await hosts.clock.advance(1_000)
  const winding = hosts.newest()
  t.equal(winding.spec.startSegment, 300)
  await give(winding, 300)
  await hosts.clock.advance(100)
  t.equal(shown(still), 'still 300')
  t.ok(owner.rendition.actor() && !other.rendition.actor())
  await hosts.clock.advance(1_000)
  t.equal(winding.stopped, true)
  const again = watch((signal) => other.rendition.still(300, { viewer: 'ann', signal }))
  const beyond = watch((signal) => other.rendition.still(1e6, { viewer: 'ann', signal }))
  await hosts.clock.settle()
  t.equal(shown(again), 'still 300', 'kept')
  t.equal(beyond.result, 'no such segment')
  t.equal(hosts.jobs.length, 2)
  await hosts.close()
})
