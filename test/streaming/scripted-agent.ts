/** An agent without ffmpeg, whose every word the test decides. */
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock, type TestClock } from '../../src/adapters/memory/clock.ts'
import { createSystemIds } from '../../src/adapters/system/ids.ts'
import { createAgentDirectory } from '../../src/app/streaming/agent-directory.ts'
import {
  isJobOrder,
  isJobSpec,
  subjects,
  type JobOrder,
  type JobRecord,
  type JobSpec,
  type StartReply,
} from '../../src/app/streaming/protocol.ts'
import { createRenditionActor, type ActorOptions } from '../../src/app/streaming/rendition-actor.ts'
import { createSegmentCache } from '../../src/app/streaming/segment-cache.ts'
import { evenGrid } from '../../src/domain/streaming/grid.ts'
import type { Content } from '../../transcode-agent/outbox.ts'

export class ScriptedJob {
  readonly spec: JobSpec
  readonly orders: JobOrder[] = []
  readonly #send: (record: JobRecord, body?: Uint8Array) => Promise<unknown>
  constructor(spec: JobSpec, send: (record: JobRecord, body?: Uint8Array) => Promise<unknown>) {
    this.spec = spec
    this.#send = send
  }
  get stopped(): boolean {
    return this.orders.some((order) => order.type === 'stop')
  }
  /** The owner's answer, as it is. */
  say(content: Content, body?: Uint8Array, epoch = this.spec.epoch): Promise<unknown> {
    return this.#send({ ...content, epoch }, body)
  }
  segment(segment: number, text = `segment ${segment}`): Promise<unknown> {
    return this.say({ type: 'segment', segment, part: 0, parts: 1, workMs: 20 }, Buffer.from(text))
  }
  async segments(from: number, through: number): Promise<unknown> {
    let answer: unknown
    for (let segment = from; segment <= through; segment++) answer = await this.segment(segment)
    return answer
  }
}

export interface Stage {
  readonly clock: TestClock
  readonly jobs: ScriptedJob[]
  readonly actor: ReturnType<typeof createRenditionActor>
  replies: StartReply[]
  /** What was told to whoever keeps the server. */
  readonly reports: string[]
  /** A request of a viewer, watched. */
  ask(segment: number, viewer?: string): Asked
  newest(): ScriptedJob
}

export interface Asked {
  readonly abort: () => void
  /** What it came to: a text, why not, or undefined while it waits. */
  result: string | undefined
}

export function openStage(options: Partial<ActorOptions> & { readonly minutes?: number } = {}): Stage {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const jobs: ScriptedJob[] = []
  bus.respond(subjects.start('scripted'), async ({ head }) => {
    const reply = stage.replies.shift() ?? ({ type: 'accepted' } as const)
    if (reply.type !== 'accepted' || !isJobSpec(head)) return { head: isJobSpec(head) ? reply : { type: 'refused', reason: 'No job' } }
    const job = new ScriptedJob(
      head,
      async (record, body) => (await bus.request(head.inbox, { head: record, ...(body && { body }) }, { timeoutMs: 1_000 })).head,
    )
    bus.subscribe(subjects.order(head.jobId), ({ head: order }) => void (isJobOrder(order) && job.orders.push(order)))
    jobs.push(job)
    return { head: reply }
  })
  const hello = () => bus.publish(subjects.hello, { head: { type: 'hello', agentId: 'scripted', slots: 1, free: 1 } })
  bus.subscribe(subjects.who, hello)
  clock.every(5_000, hello)
  const actor = createRenditionActor({
    bus,
    clock,
    ids: createSystemIds(),
    node: 'test',
    directory: createAgentDirectory({ bus, clock }),
    cache: createSegmentCache({ memoryBytes: 1_000_000 }),
    place: { source: 'film', rendition: 'v0', cost: 0 },
    rendition: {
      key: 'v0',
      name: '720p',
      stream: 0,
      bitrateBps: 1,
      peakBitrateBps: 1,
      codec: 'avc1.640028',
      output: { type: 'encode-audio', channels: 2, bitrateBps: 160_000, sampleRate: 48_000 },
      grid: evenGrid((options.minutes ?? 20) * 60_000),
    },
    renditionId: 'film.v0',
    epoch: 1,
    source: { fileId: 'film', path: '/film.mkv', sizeBytes: 1, modifiedAtMs: 0 },
    signSource: (fileId, jobId) => `${fileId} for ${jobId}`,
    zeroMs: 0,
    seekFor: () => null,
    aheadBytes: () => 1_000,
    reclaim: () => false,
    report: (cause) => stage.reports.push(cause.message),
    answerWithinMs: 8_000,
    ...options,
  })
  const stage: Stage = {
    clock,
    jobs,
    actor,
    replies: [],
    reports: [],
    newest: () => jobs.at(-1)!,
    ask(segment, viewer = 'ann') {
      const abort = new AbortController()
      const asked: Asked = { abort: () => abort.abort(new Error('The client has gone')), result: undefined }
      actor.segment(segment, { viewer, signal: abort.signal }).then(
        (answer) =>
          (asked.result =
            answer === undefined ? 'no such segment' : 'unavailable' in answer ? answer.unavailable : Buffer.from(answer).toString()),
        (error: Error) => (asked.result = error.message),
      )
      return asked
    },
  }
  return stage
}
