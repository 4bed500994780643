/** Runs one job of an agent by itself, from any segment on: without engine, bus and cache, so that it starts quickly. */
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { needsOf, type JobSpec } from '../../src/app/streaming/agents/agent-protocol.ts'
import type { StreamPlan } from '../../src/domain/streaming/plan.ts'
import type { Rendition } from '../../src/domain/streaming/rendition.ts'
import { seekFor } from '../../src/domain/streaming/seek.ts'
import { createFilterProbe } from '../../transcode-agent/filter-probe.ts'
import { findOrphanGuard } from '../../src/ffmpeg/process.ts'
import { runJob } from '../../transcode-agent/job.ts'
import type { MediaInput } from '../../src/ffmpeg/inputs.ts'
import type { RecordSender } from '../../transcode-agent/record-sender.ts'
import { NO_CAPABILITIES } from '../../transcode-agent/work.ts'
import { programs } from '../fixtures/media-files.ts'

export interface RunOptions {
  readonly path: string
  /** Replaces that path. */
  readonly input?: MediaInput
  readonly plan: StreamPlan
  readonly rendition: Rendition
  readonly from: number
  /** Number of segments; default: all up to the film's end. */
  readonly count?: number
  /** Replaces the ffmpeg on the PATH. */
  readonly ffmpegPath?: string
}

export interface RunResult {
  readonly init: Uint8Array
  readonly segments: ReadonlyMap<number, Uint8Array>
  readonly missing: readonly number[]
}

/** @throws Error if the run did not complete */
export async function runFrom({
  path,
  input = { type: 'path', path },
  plan,
  rendition,
  from,
  count = Infinity,
  ffmpegPath,
}: RunOptions): Promise<RunResult> {
  const ffmpeg = ffmpegPath ?? (await programs).ffmpeg
  const abort = new AbortController()
  const taken = collect(from + count, abort)
  const spec: JobSpec = {
    jobId: 'test',
    epoch: 1,
    rendition: 'test',
    source: { fileId: 'test', path, sizeBytes: 0, modifiedAtMs: 0, token: '' },
    stream: rendition.stream,
    output: rendition.output,
    grid: rendition.grid,
    zeroMs: plan.zeroMs,
    startSegment: from,
    seekMs: seekFor(plan, rendition, from),
    inbox: 'test',
    creditMs: Infinity,
  }
  const { toneMap = null } = needsOf(rendition.output)
  // The answer takes an ffmpeg of its own.
  const capabilities = toneMap === null ? NO_CAPABILITIES : await createFilterProbe(ffmpeg)(toneMap)
  const job = { spec, input, program: ffmpeg, guard: findOrphanGuard(), capabilities, clock: createSystemClock() }
  try {
    await runJob({ ...job, sender: taken.sender, signal: abort.signal })
  } catch (error) {
    if (!abort.signal.aborted) throw error
  }
  return taken.result()
}

function collect(end: number, abort: AbortController) {
  let init: Uint8Array = new Uint8Array()
  const parts = new Map<number, Uint8Array[]>()
  const missing: number[] = []
  let next = 0
  const sender: RecordSender = {
    async send(content, body = new Uint8Array()) {
      if (content.type === 'init') init = body
      if (content.type === 'segment') parts.set(content.segment, [...(parts.get(content.segment) ?? []), body])
      if (content.type === 'segment' && content.part === content.parts - 1) next = content.segment + 1
      if (content.type === 'missing') for (let one = content.from; one <= content.through; one++) missing.push(one)
      if (content.type === 'missing') next = content.through + 1
      if (content.type === 'ended' && content.outcome === 'failed') throw new Error(content.reason)
      if (next >= end) abort.abort(new Error('Enough'))
    },
    credit: async () => undefined,
    grant: () => undefined,
    drained: async () => undefined,
    leave: async () => undefined,
    close: () => undefined,
  }
  const result = (): RunResult => ({ init, missing, segments: new Map([...parts].map(([n, all]) => [n, Buffer.concat(all)])) })
  return { sender, result }
}
