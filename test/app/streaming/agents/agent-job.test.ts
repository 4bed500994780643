/** The owner's side of a job at an agent: how long it keeps the job's attachment. */
import t from 'tap'
import { createLocalBus } from '../../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../../src/adapters/memory/clock.ts'
import { createAgentDirectory } from '../../../../src/app/streaming/agents/agent-directory.ts'
import { jobAttachmentOf } from '../../../../src/app/streaming/agents/job-attachment.ts'
import { subjects, type JobSpec } from '../../../../src/app/streaming/agents/agent-protocol.ts'
import { offerJob } from '../../../../src/app/streaming/agents/agent-job.ts'
import { evenGrid } from '../../../../src/domain/streaming/segment-grid.ts'
import { ENCODED } from '../../../fixtures/scripted-agent.ts'

const spec: JobSpec = {
  jobId: 'job',
  rendition: 'one',
  epoch: 1,
  source: { fileId: 'one', path: '/films/one.mkv', sizeBytes: 1, modifiedAtMs: 0, token: '' },
  stream: 0,
  output: ENCODED,
  grid: evenGrid(60_000),
  zeroMs: 0,
  startSegment: 0,
  seekMs: null,
  inbox: 'stream.node.job',
  creditMs: 10_000,
}

t.test('fonts of many megabytes are not held for as long as a film is watched', async (t) => {
  const clock = createTestClock()
  const bus = createLocalBus({ clock, onError: (onError) => t.fail(String(onError)) })
  const directory = createAgentDirectory({ bus, clock })
  const attachment = jobAttachmentOf([Buffer.from('text'), Buffer.from('font')])
  const events = { init: () => undefined, segment: () => undefined, missing: () => undefined, ended: () => undefined, creditMs: () => 0 }
  const job = offerJob({ bus, clock, directory, agentId: 'here', spec, attachment, events })
  t.teardown(async () => {
    job.close()
    directory.close()
    await bus.close()
  })
  const piece = async (at: number) => {
    const { body } = await bus.request(subjects.attachment('job'), { head: { type: 'piece', at } }, { timeoutMs: 1_000 })
    return body && Buffer.from(body).toString('hex')
  }
  const whole = Buffer.from(attachment.bytes).toString('hex')
  t.equal(await piece(0), whole)
  t.equal(await piece(4), whole.slice(8))
  t.equal((await piece(-1)) ?? '', '', 'not from before its start')
  await bus.request(spec.inbox, { head: { type: 'init', epoch: 1, codec: 'avc1.640028' }, body: Buffer.from('init') }, { timeoutMs: 1_000 })
  t.equal((await piece(0)) ?? '', '', 'it has begun, and needs them no more')
})
