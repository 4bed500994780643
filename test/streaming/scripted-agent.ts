/** An agent without ffmpeg, whose every word the test decides. */
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock, type TestClock } from '../../src/adapters/memory/clock.ts'
import { createSystemIds } from '../../src/adapters/node/ids.ts'
import { createAgentDirectory } from '../../src/app/streaming/agents/agent-directory.ts'
import {
  isJobOrder,
  isJobQuestion,
  isJobSpec,
  subjects,
  type AgentHello,
  type JobOrder,
  type JobRecord,
  type JobSpec,
  type StartReply,
} from '../../src/app/streaming/agents/protocol.ts'
import { createRenditionActor, type ActorOptions } from '../../src/app/streaming/renditions/rendition-actor.ts'
import { createSegmentCache, type SegmentCache } from '../../src/app/streaming/segments/segment-cache.ts'
import { createViewers, nearTo } from '../../src/app/streaming/runs/viewers.ts'
import { isUnavailable, type Unavailable } from '../../src/app/streaming/segments/unavailable.ts'
import { evenGrid } from '../../src/domain/streaming/grid.ts'
import type { Rendition } from '../../src/domain/streaming/rendition.ts'
import type { Bus } from '../../src/ports/bus.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Content } from '../../transcode-agent/outbox.ts'

export class ScriptedJob {
  readonly spec: JobSpec
  readonly orders: JobOrder[] = []
  /** The agent knows nothing of it any more. */
  forgotten = false
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

/** The agent itself: says who it is, takes what it is given unless `replies` says otherwise, and does what its jobs are told. */
export interface ScriptedAgent {
  readonly jobs: ScriptedJob[]
  /** Answers to the next starts; `accepted` where there is none. */
  replies: StartReply[]
  /** As a process that is held: it neither answers nor says anything. */
  frozen: boolean
  newest(): ScriptedJob
  /** Says how it is now, and from now on. */
  say(changes: Partial<AgentHello>): void
  /** As a process that was killed. */
  die(): void
}

interface ScriptOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly agentId?: string
}

export function scriptAgent({ bus, clock, agentId = 'scripted' }: ScriptOptions): ScriptedAgent {
  const jobs: ScriptedJob[] = []
  let head: AgentHello = { type: 'hello', agentId, version: '', slots: 1, free: 1, load: 0, encoders: null, leaving: false }
  const hello = () => void (agent.frozen || bus.publish(subjects.hello, { head }))
  const agent: ScriptedAgent = {
    jobs,
    replies: [],
    frozen: false,
    newest: () => jobs.at(-1)!,
    say(changes) {
      head = { ...head, ...changes }
      hello()
    },
    die() {
      stopHello()
      for (const ear of ears) ear.close()
    },
  }
  const unfrozen = () => (agent.frozen ? new Promise<void>(() => {}) : Promise.resolve())
  const starts = bus.respond(subjects.start(agentId), async ({ head }) => {
    await unfrozen()
    const reply = agent.replies.shift() ?? ({ type: 'accepted' } as const)
    if (reply.type !== 'accepted' || !isJobSpec(head)) return { head: isJobSpec(head) ? reply : { type: 'refused', reason: 'No job' } }
    const job = new ScriptedJob(
      head,
      async (record, body) =>
        (await bus.request(subjectOf(head, record), { head: record, ...(body && { body }) }, { timeoutMs: 1_000 })).head,
    )
    bus.subscribe(subjects.order(head.jobId), ({ head: order }) => void (isJobOrder(order) && job.orders.push(order)))
    jobs.push(job)
    return { head: reply }
  })
  const questions = bus.respond(subjects.question(agentId), async ({ head }) => {
    await unfrozen()
    const job = jobs.find(({ spec }) => isJobQuestion(head) && spec.jobId === head.jobId)
    return { head: { type: 'answer', isRunning: job !== undefined && !job.stopped && !job.forgotten } }
  })
  const stopHello = clock.every(5_000, hello)
  const ears = [starts, questions, bus.subscribe(subjects.who, hello)]
  hello()
  return agent
}

/** What must not wait behind bytes goes by another way. */
const subjectOf = ({ inbox, jobId }: JobSpec, record: JobRecord): string =>
  record.type === 'beat' || (record.type === 'ended' && record.outcome === 'left') ? subjects.beat(jobId) : inbox

/** A sound of so many minutes in even segments of two seconds. */
export const soundOf = (minutes: number): Rendition => ({
  key: 'v0',
  name: '720p',
  stream: 0,
  bitrateBps: 1,
  peakBitrateBps: 1,
  codec: 'avc1.640028',
  output: { type: 'encode-audio', channels: 2, bitrateBps: 160_000, sampleRate: 48_000 },
  grid: evenGrid(minutes * 60_000),
})

/** Of a 720p rung. */
export const ENCODED = {
  type: 'encode-video',
  encoder: 'x264',
  width: 1280,
  height: 720,
  maxBitrateBps: 4_500_000,
  level: '3.1',
  deinterlace: false,
  toneMap: null,
  framesPerSecond: null,
  cadence: null,
} as const

export const PICTURES: Rendition = { ...soundOf(20), output: ENCODED }

export interface Stage extends ScriptedAgent {
  readonly bus: Bus
  readonly clock: TestClock
  readonly actor: ReturnType<typeof createRenditionActor>
  /** What was told to whoever keeps the server. */
  readonly reports: string[]
  /** A request of a viewer, watched. */
  ask(segment: number, viewer?: string): Asked
}

export interface Asked {
  readonly abort: () => void
  /** What it came to: a text, why not, or undefined while it waits. */
  result: string | undefined
}

/** Watches what a request comes to. */
export function watch(begin: (signal: AbortSignal) => Promise<Uint8Array | Unavailable | undefined>): Asked {
  const abort = new AbortController()
  const asked: Asked = { abort: () => abort.abort(new Error('The client has gone')), result: undefined }
  begin(abort.signal).then(
    (answer) =>
      (asked.result =
        answer === undefined ? 'no such segment' : isUnavailable(answer) ? answer.unavailable : Buffer.from(answer).toString()),
    (error: Error) => (asked.result = error.message),
  )
  return asked
}

export type StageOptions = Partial<ActorOptions> & { readonly minutes?: number; readonly cache?: SegmentCache }

export function openStage({
  minutes = 20,
  cache = createSegmentCache({ memoryBytes: 1_000_000 }),
  rendition = soundOf(minutes),
  ...options
}: StageOptions = {}): Stage {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const agent = scriptAgent({ bus, clock })
  const viewers = createViewers(clock)
  const reports: string[] = []
  const actor = createRenditionActor({
    bus,
    clock,
    ids: createSystemIds(),
    node: 'test',
    directory: createAgentDirectory({ bus, clock }),
    viewers,
    shelf: cache.open({ source: 'film', rendition: 'v0', cost: 0 }, () => nearTo(viewers, rendition.grid)),
    rendition,
    renditionId: 'film.v0',
    epoch: 1,
    source: { fileId: 'film', path: '/film.mkv', sizeBytes: 1, modifiedAtMs: 0 },
    signSource: (fileId, jobId) => `${fileId} for ${jobId}`,
    zeroMs: 0,
    seekFor: () => null,
    aheadBytes: () => 1_000,
    reclaim: () => false,
    report: (cause) => reports.push(cause.message),
    answerWithinMs: 8_000,
    ...options,
  })
  // The agent itself, not a copy of it: a test sets its replies.
  return Object.assign(agent, {
    bus,
    clock,
    actor,
    reports,
    ask: (segment: number, viewer = 'ann') => watch((signal) => actor.segment(segment, { viewer, signal })),
  })
}
