/** An owner of renditions that records its messages, beside a real agent with a real ffmpeg. */
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import {
  isAgentHello,
  isJobRecord,
  isStartReply,
  subjects,
  type AgentHello,
  type JobRecord,
  type JobSpec,
  type RecordReply,
} from '../../src/app/streaming/agents/agent-protocol.ts'
import { createTranscodeAgent, type AgentOptions } from '../../transcode-agent/agent.ts'
import { programs } from '../fixtures/media-files.ts'
import { clip } from '../fixtures/clips.ts'
import { ENCODED } from '../fixtures/scripted-agent.ts'

interface Received {
  readonly record: JobRecord
  readonly body: Uint8Array | undefined
}

/** Idle timeout: the duration of a whole film depends on the machine. */
const IDLE_MS = 30_000

interface OwnerOptions extends Partial<AgentOptions> {
  /** Bus requests have no timeout. */
  readonly waitsForAnswers?: boolean
}

export async function openOwner({ slots = 2, ffmpegPath, waitsForAnswers = false, ...more }: OwnerOptions = {}) {
  const clock = createSystemClock()
  const bus = createLocalBus({ clock: waitsForAnswers ? { ...clock, after: () => () => undefined } : clock })
  const received: Received[] = []
  let answer: () => RecordReply = () => ({ type: 'go', creditMs: 1e6 })
  const hellos: AgentHello[] = []
  bus.subscribe(subjects.hello, ({ head }) => void (isAgentHello(head) && hellos.push(head)))
  const agent = createTranscodeAgent({ bus, clock, agentId: 'one', ffmpegPath: ffmpegPath ?? (await programs).ffmpeg, slots, ...more })
  let slow: Promise<void> | undefined
  const hear: Parameters<typeof bus.respond>[1] = async ({ head, body }) => {
    if (isJobRecord(head) && head.type !== 'beat') received.push({ record: head, body })
    if (body) await slow
    return { head: answer() }
  }
  const ears = [bus.respond('stream.owner.*', hear), bus.respond('job.*.beat', hear)]
  const until = async (holds: () => boolean) => {
    let seen = received.length
    for (let idleMs = 0; idleMs < IDLE_MS && !holds(); idleMs = received.length === seen ? idleMs + 10 : 0) {
      seen = received.length
      await clock.sleep(10)
    }
    if (!holds()) throw new Error(`Only ${JSON.stringify(received.map(({ record }) => record))}`)
  }
  /** The agent's reply to the job. */
  async function ask(job: Partial<JobSpec>) {
    const spec = { ...JOB, source: mediaAt(await clip('b-frames.mkv')), ...job } as const
    return (await bus.request(subjects.start('one'), { head: spec }, { timeoutMs: 5_000 })).head
  }
  return {
    bus,
    agent,
    received,
    hellos,
    until,
    goAway: () => ears.forEach((ear) => ear.close()),
    /** Bytes are not acknowledged until this has settled. */
    slowUntil: (settled: Promise<void>) => void (slow = settled),
    answerWith: (reply: () => RecordReply) => void (answer = reply),
    segments: () => received.flatMap(({ record }) => (record.type === 'segment' ? [record.segment] : [])),
    ended: () => received.map(({ record }) => record).find((record) => record.type === 'ended'),
    ask,
    async start(job: Partial<JobSpec>) {
      const reply = await ask(job)
      return isStartReply(reply) ? reply.type : undefined
    },
    async close() {
      await agent.close()
      await bus.close()
    },
  }
}

export function mediaAt(path: string): JobSpec['source'] {
  return { fileId: 'film', path, sizeBytes: 0, modifiedAtMs: 0, token: '' }
}

export const JOB: JobSpec = {
  jobId: 'job-1',
  rendition: 'film.v0',
  epoch: 3,
  source: mediaAt('/'),
  stream: 0,
  output: { type: 'copy-video', cadence: null },
  grid: { type: 'listed', startsMs: [0, 4_900, 9_000, 13_100], endMs: 15_000 },
  zeroMs: 0,
  startSegment: 0,
  seekMs: null,
  inbox: 'stream.owner.job-1',
  creditMs: 1e6,
}

export const BIG = { ...ENCODED, width: 192, height: 108, maxBitrateBps: 20_000_000 } as const

/** More than a pipe holds, so that ffmpeg keeps running while nobody reads. */
export const LARGE = {
  output: { ...BIG, width: 854, height: 480 },
  grid: { type: 'even', stepMs: 2_000, count: 7, endMs: 15_000 },
} as const
