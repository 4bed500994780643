import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { createCommandHandler } from '../../../src/app/commands/command-handler.ts'
import { createSealer } from '../../../src/app/commands/sealer.ts'
import { createTranscodeJournal } from '../../../src/app/streaming/transcode-journal.ts'
import { transcodeStream } from '../../../src/events/streams.ts'
import { assignTranscode, endTranscode, transcode } from '../../../src/domain/streaming/transcode.ts'
import { given } from '../../fixtures/given.ts'

const ids = createTestIds()
const jobId = ids.next<'job'>()
const fileId = ids.next<'file'>()
const requested = { type: 'TranscodeRequested', data: { jobId, fileId, quality: '720p', method: 'encode', positionMs: 0 } } as const
const assigned = { type: 'TranscodeAssigned', data: { jobId, agentId: 'attic', epoch: 7 } } as const
const stopped = { type: 'TranscodeStopped', data: { jobId, positionMs: 4_000, reason: 'complete' } } as const
const failed = { type: 'TranscodeFailed', data: { jobId, positionMs: 4_000, reason: 'gone' } } as const

t.test('a job is begun once, and ended once, in the way that is written first', async (t) => {
  t.strictSame(given(transcode).when(assignTranscode(requested, assigned)), [requested, assigned])
  t.strictSame(given(transcode, requested, assigned).when(assignTranscode(requested, assigned)), [])
  t.strictSame(given(transcode, requested, assigned).when(endTranscode(stopped)), [stopped])
  t.strictSame(given(transcode, requested, assigned, stopped).when(endTranscode(failed)), [])
  t.strictSame(given(transcode).when(endTranscode(failed)), [], 'what was never begun does not end')
})

function openJournal() {
  const clock = createTestClock()
  const log = createMemoryEventLog()
  const commandHandler = createCommandHandler({ log, clock, ids: createTestIds(), sealer: createSealer(createMemoryVault()), node: 'one' })
  const problems: unknown[] = []
  const written = async (): Promise<readonly string[]> => {
    const types: string[] = []
    for await (const { type } of log.read(transcodeStream(jobId), 0)) types.push(type)
    return types
  }
  return { problems, written, journal: createTranscodeJournal({ clock, commandHandler, onError: (cause) => problems.push(cause) }) }
}

const assignment = { ...requested.data, agentId: 'attic', epoch: 7 } as const

t.test('the journal writes a job in the order of what happened, without anybody waiting', async (t) => {
  const { journal, written, problems } = openJournal()
  journal.assigned(assignment)
  journal.ended(jobId, { end: 'complete', reason: '', positionMs: 4_000 })
  journal.ended(jobId, { end: 'failed', reason: 'gone', positionMs: 4_000 })
  await journal.settled()
  t.strictSame(await written(), ['TranscodeRequested', 'TranscodeAssigned', 'TranscodeStopped'])
  t.strictSame(problems, [])
})

t.test('an outage of the log costs entries, is reported as one problem, and buffers no more than a bound', async (t) => {
  const problems: unknown[] = []
  let asked = 0
  const away = async () => {
    asked++
    throw new Error('The log is away')
  }
  const journal = createTranscodeJournal({
    clock: createTestClock(),
    commandHandler: { execute: away },
    onError: (cause) => problems.push(cause),
  })
  const many = createTestIds()
  for (let n = 0; n < 2_000; n++) journal.assigned({ ...assignment, jobId: many.next<'job'>() })
  await new Promise((settle) => setImmediate(settle))
  t.equal(asked, 1_000)
  t.equal(problems.length, 1)
  journal.assigned(assignment)
  await new Promise((settle) => setImmediate(settle))
  t.equal(asked, 1_001, 'and it goes on afterwards')
})
