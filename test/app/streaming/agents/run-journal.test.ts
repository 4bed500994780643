import t from 'tap'
import { createLocalBus } from '../../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../../src/adapters/memory/clock.ts'
import { isJobSpec, subjects } from '../../../../src/app/streaming/agents/agent-protocol.ts'
import type { RunAssignment, RunEnding } from '../../../../src/app/streaming/agents/run-journal.ts'
import { openStage, scriptAgent } from '../../../fixtures/scripted-agent.ts'

/** A viewer at segment 3, a job that made it, and the journal of the run. */
async function openPlay() {
  const assigned: RunAssignment[] = []
  const ended: (readonly [jobId: string, ending: RunEnding])[] = []
  const journal = {
    assigned: (assignment: RunAssignment) => void assigned.push(assignment),
    ended: (jobId: string, ending: RunEnding) => void ended.push([jobId, ending]),
  }
  const stage = openStage({ journal })
  const asked = stage.ask(3)
  await stage.clock.advance(50)
  const job = stage.newest()
  await job.segment(3)
  return { stage, assigned, ended, job, jobId: job.spec.jobId, asked }
}

t.test('a job is written down with its agent when that has taken it, and that nobody needs more of it', async (t) => {
  const { stage, assigned, ended, jobId } = await openPlay()
  const job = { jobId, agentId: 'scripted', epoch: 1, fileId: 'film' }
  t.strictSame(assigned, [{ ...job, quality: '720p', method: 'encode', positionMs: 6_000 }])
  t.strictSame(ended, [])
  stage.actor.leave('ann')
  t.strictSame(ended, [[jobId, { end: 'unneeded', reason: '', positionMs: 8_000 }]])
})

t.test('a job whose agent is lost is written down as moved, and the one that goes on as another', async (t) => {
  const { stage, assigned, ended, jobId } = await openPlay()
  const other = scriptAgent({ ...stage, agentId: 'other' })
  stage.ask(4)
  stage.die()
  await stage.clock.advance(3_000)
  t.match(ended, [[jobId, { end: 'lost', positionMs: 8_000 }]])
  t.match(assigned.slice(1), [{ jobId: other.newest().spec.jobId, agentId: 'other', positionMs: 8_000 }])
})

t.test('a job that fails is written down with the reason', async (t) => {
  const { ended, job, jobId } = await openPlay()
  await job.say({ type: 'ended', outcome: 'failed', reason: 'ffmpeg ended with 1' })
  t.match(ended, [[jobId, { end: 'failed', reason: 'ffmpeg ended with 1', positionMs: 8_000 }]])
})

t.test('a job that has ended before its agent’s answer to the start arrives is written down with its end', async (t) => {
  const told: unknown[] = []
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  bus.respond(subjects.start('hasty'), async ({ head }) => {
    if (!isJobSpec(head)) throw new Error('No job')
    const record = { type: 'ended', epoch: head.epoch, outcome: 'left', reason: 'The transcoder is stopping' }
    await bus.request(subjects.beat(head.jobId), { head: record }, { timeoutMs: 1_000 })
    return { head: { type: 'accepted' } }
  })
  const has = {
    list: () => [],
    any: () => true,
    encodes: () => true,
    toneMaps: () => true,
    encoder: () => 'x264' as const,
    toneMapping: () => 'zscale' as const,
  }
  const directory = { ...has, candidates: async () => ['hasty'], gone() {}, silent() {}, close() {} }
  const journal = { assigned: () => void told.push('assigned'), ended: (_: string, { end }: RunEnding) => void told.push(end) }
  const stage = openStage({ clock, bus, directory, journal })
  stage.ask(0)
  await clock.settle()
  t.strictSame(told.slice(0, 2), ['assigned', 'lost'])
  stage.actor.close()
})
