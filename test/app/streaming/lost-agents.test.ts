import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { StartReply } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { openStage, scriptAgent, type ScriptedAgent, type Stage } from '../../fixtures/scripted-agent.ts'

/** Two agents; the first has made segment 0 of a run for a viewer who waits for the next one. */
async function openPlay() {
  const stage = openStage()
  const other = scriptAgent({ ...stage, agentId: 'other' })
  other.say({ load: 5 })
  stage.ask(0)
  await stage.clock.advance(50)
  await stage.newest().segment(0)
  const asked = stage.ask(1)
  await stage.clock.settle()
  return { stage, other, asked }
}

/** Advances the time, while the agents' jobs send heartbeats. */
async function pass(stage: Stage, ms: number, beating: readonly ScriptedAgent[] = []): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await stage.clock.advance(500)
    for (const agent of beating) if (agent.jobs.length > 0) await agent.newest().say({ type: 'beat' })
  }
}

t.test('an agent that was killed is replaced within seconds, from the segment that is missing', async (t) => {
  const { stage, other, asked } = await openPlay()
  stage.die()
  await pass(stage, 2_500)
  t.equal(other.jobs.length, 1)
  t.equal(other.newest().spec.startSegment, 1)
  await other.newest().segment(1)
  await stage.clock.settle()
  t.equal(asked.result, 'segment 1')
  t.strictSame(stage.reports, [])
})

t.test('an agent that is held is replaced after six seconds, asked last from then on, and its late words are void', async (t) => {
  const { stage, other, asked } = await openPlay()
  const lost = stage.newest()
  stage.frozen = true
  await pass(stage, 5_500)
  t.equal(other.jobs.length, 0, 'it may be slow only')
  await pass(stage, 1_000)
  t.equal(other.newest().spec.startSegment, 1)
  stage.frozen = false
  t.equal(lost.stopped, true, 'which it hears when it goes on')
  await t.rejects(lost.segment(1, 'late'))
  await other.newest().segment(1, 'in time')
  await stage.clock.settle()
  t.equal(asked.result, 'in time')
  other.newest().forgotten = true
  await pass(stage, 3_000)
  stage.ask(2)
  await stage.clock.advance(500)
  t.strictSame([stage.jobs.length, other.jobs.length], [1, 2], 'the other one first, although its machine has more to do')
})

t.test('an agent that has lost the job gives it up at the first question', async (t) => {
  const { stage, other } = await openPlay()
  stage.newest().forgotten = true
  await pass(stage, 2_500)
  t.equal(stage.jobs.length + other.jobs.length, 2)
})

t.test('an agent that beats, or that says it has the job, is not replaced however long a segment takes', async (t) => {
  const { stage, other } = await openPlay()
  await pass(stage, 20_000, [stage])
  t.strictSame([stage.jobs.length, other.jobs.length], [1, 0])
  stage.ask(1)
  await pass(stage, 7_000)
  t.strictSame([stage.jobs.length, other.jobs.length, stage.newest().stopped], [1, 0, false])
})

t.test('an owner that stood still for eight seconds does not take its agent for silent', async (t) => {
  const clock = createTestClock()
  let stoodStillMs = 0
  const stage = openStage({ clock: { ...clock, monotonic: () => clock.monotonic() + stoodStillMs } })
  const asked = stage.ask(0)
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) await Promise.all([clock.advance(10), stage.clock.advance(10)])
  }
  await pass(100)
  const job = stage.newest()
  stoodStillMs = 8_000
  await pass(700)
  t.strictSame([stage.jobs.length, job.stopped], [1, false])
  await job.segment(0)
  await stage.clock.settle()
  t.equal(asked.result, 'segment 0')
})

t.test('an agent that leaves hands its job on at once', async (t) => {
  const { stage, other, asked } = await openPlay()
  stage.say({ leaving: true })
  await stage.newest().segment(1)
  stage.ask(2)
  await stage.newest().say({ type: 'ended', outcome: 'left', reason: 'The transcoder is stopping' })
  await stage.clock.advance(10)
  t.equal(asked.result, 'segment 1')
  t.strictSame([stage.jobs.length, other.newest().spec.startSegment], [1, 2])
})

t.test('agents that are lost are no failure of the film, unless one after another is', async (t) => {
  const stage = openStage({ answerWithinMs: 60_000 })
  const asked = stage.ask(4)
  const lose = () => stage.newest().say({ type: 'ended', outcome: 'left', reason: 'killed by its machine' })
  await stage.clock.advance(50)
  for (const jobs of [2, 3]) {
    await lose()
    await stage.clock.advance(10)
    t.equal(stage.jobs.length, jobs, 'at once')
  }
  for (let jobs = 4; jobs <= 8; jobs++) {
    await lose()
    await stage.clock.advance(2_500)
    t.equal(stage.jobs.length, jobs, 'after a while')
    t.equal(asked.result, undefined)
  }
  await lose()
  await stage.clock.settle()
  t.equal(asked.result, 'One transcoder after the other was lost while it made this part of the film')
  t.match(stage.reports, [/killed by its machine/], 'the detail is for the operator')
})

t.test('a late answer to a start is never taken for that of the next agent', async (t) => {
  const stage = openStage()
  const other = scriptAgent({ ...stage, agentId: 'other' })
  other.say({ load: 5 })
  await stage.clock.settle()
  stage.frozen = true
  stage.ask(0)
  await stage.clock.advance(600)
  t.equal(other.jobs.length, 1, 'half a second is enough where there is another')
  stage.frozen = false
  await stage.clock.advance(100)
  t.not(other.newest().spec.jobId, stage.jobs[0]?.spec.jobId)
})

t.test('the only agent may take two seconds to answer', async (t) => {
  const stage = openStage()
  await stage.clock.settle()
  stage.frozen = true
  stage.clock.after(1_500, () => (stage.frozen = false))
  stage.ask(0)
  await stage.clock.advance(5_000)
  t.equal(stage.jobs.length, 1)
})

t.test('a film that one agent cannot open is opened by the next; if none can, that is reported and it stays wanted', async (t) => {
  const closed = { type: 'unreachable', reason: 'No such file' } as const
  const stage = openStage()
  const other = scriptAgent({ ...stage, agentId: 'other' })
  stage.replies = [closed]
  stage.ask(0)
  await stage.clock.advance(50)
  t.strictSame([stage.jobs.length, other.jobs.length], [0, 1])

  const nowhere = openStage()
  nowhere.replies = Array.from({ length: 40 }, () => closed)
  const asked = nowhere.ask(0)
  await nowhere.clock.advance(8_100)
  t.equal(asked.result, 'No transcoder can open this film')
})

t.test('held runs of others are given up where slots are lacking, and for no other reason', async (t) => {
  const reclaimedFor = async (reply: StartReply | 'gone') => {
    let reclaimed = 0
    const stage = openStage({ reclaim: () => ++reclaimed > 100 })
    await stage.clock.settle()
    if (reply === 'gone') stage.die()
    else stage.replies = Array.from({ length: 40 }, () => reply)
    stage.ask(0)
    await stage.clock.advance(5_000)
    return reclaimed
  }
  t.ok((await reclaimedFor({ type: 'busy' })) > 3)
  t.equal(await reclaimedFor({ type: 'unreachable', reason: 'No such file' }), 0)
  t.equal(await reclaimedFor('gone'), 0)
})

t.test('a job that cannot even be sent is reported to the operator', async (t) => {
  const stage = openStage({
    seekFor() {
      throw new RangeError('No such segment in the index')
    },
  })
  const asked = stage.ask(0)
  await stage.clock.advance(8_100)
  t.equal(asked.result, 'The transcoders cannot be reached')
  t.strictSame(stage.reports, ['No such segment in the index'], 'once')
})

t.test('what one agent refuses is offered to the next', async (t) => {
  const stage = openStage()
  const other = scriptAgent({ ...stage, agentId: 'other' })
  stage.replies = [{ type: 'refused', reason: 'This transcoder cannot encode video' }]
  stage.ask(0)
  await stage.clock.advance(50)
  t.equal(other.jobs.length, 1)
})

t.test('an owner that an agent calls superseded starts nothing more and sends those who wait to the next one', async (t) => {
  let told = 0
  const stage = openStage({ superseded: () => told++ })
  stage.replies = [{ type: 'superseded' }]
  const asked = stage.ask(0)
  await stage.clock.advance(50)
  t.equal(asked.result, 'Another server has taken this film over')
  const later = stage.ask(5)
  await stage.clock.advance(3_000)
  t.equal(later.result, 'Another server has taken this film over')
  t.strictSame([stage.jobs.length, told, stage.reports], [0, 1, []], 'nothing of it is a problem')
})
