/**
 * Transcode agent: takes jobs over the bus and runs ffmpeg for them, within its slots. Knows nothing but the bus: the same code
 * runs inside the server and on a machine elsewhere.
 */
import type { Bus, Message } from '../src/ports/bus.ts'
import type { Clock } from '../src/ports/clock.ts'
import { HELLO_MS, isJobOrder, isJobSpec, subjects, weightOf, type JobSpec, type StartReply } from '../src/app/streaming/protocol.ts'
import { createCapabilities } from './capabilities.ts'
import { findGuard, type Guard } from './ffmpeg-process.ts'
import { runJob } from './job.ts'
import { createOutbox } from './outbox.ts'
import type { Capabilities } from './ffmpeg-arguments.ts'

export interface AgentOptions {
  readonly bus: Bus
  readonly clock: Clock
  /** Letters, digits, dots, dashes; unique among the agents of an installation. */
  readonly agentId: string
  readonly ffmpegPath: string
  /** Weighted: a 1080p transcode takes 2, a 720p one 1, a copy 0.1. */
  readonly slots: number
  readonly guard?: Guard
}

export interface TranscodeAgent {
  /** Kills what runs; settles when nothing is left. */
  close(): Promise<void>
}

interface Running {
  /** 0 once it is being stopped: the slot is free for the owner's next job, which may already be on its way. */
  weight: number
  readonly abort: AbortController
  readonly done: Promise<void>
}

interface State {
  readonly options: AgentOptions
  readonly guard: Guard
  readonly capabilities: () => Promise<Capabilities>
  readonly running: Map<string, Running>
  closed: boolean
}

const NO_CAPABILITIES: Capabilities = { zscale: false }
/** A killed ffmpeg is gone in milliseconds; a disk that does not answer may hold one for longer. */
const CLOSE_TIMEOUT_MS = 5_000

export function createTranscodeAgent(options: AgentOptions): TranscodeAgent {
  const { bus, clock, agentId, ffmpegPath } = options
  const state: State = {
    options,
    guard: options.guard ?? findGuard(),
    capabilities: createCapabilities(ffmpegPath),
    running: new Map(),
    closed: false,
  }
  const hello = (): void => bus.publish(subjects.hello, { head: { type: 'hello', agentId, slots: options.slots, free: freeSlots(state) } })
  const subscriptions = [
    bus.respond(subjects.start(agentId), async (message) => ({ head: start(state, message) })),
    bus.subscribe(subjects.who, hello),
  ]
  const stopHello = clock.every(HELLO_MS, hello)
  hello()

  return {
    async close() {
      state.closed = true
      stopHello()
      for (const subscription of subscriptions) subscription.close()
      const running = [...state.running.values()]
      for (const job of running) job.abort.abort(new Error('The agent is closing'))
      await Promise.race([Promise.all(running.map((job) => job.done)), clock.sleep(CLOSE_TIMEOUT_MS)])
    },
  }
}

function freeSlots({ options, running }: State): number {
  return options.slots - [...running.values()].reduce((sum, job) => sum + job.weight, 0)
}

/** A machine with less than one slot still does one job at a time. */
function start(state: State, { head }: Message): StartReply {
  if (!isJobSpec(head)) return { type: 'refused', reason: 'The job is not described as this agent knows it' }
  const weight = weightOf(head.output)
  const fits = weight <= freeSlots(state) + 1e-6 || freeSlots(state) === state.options.slots
  if (state.closed || !fits) return { type: 'busy' }
  const abort = new AbortController()
  const done = run(state, head, abort).finally(() => state.running.delete(head.jobId))
  state.running.set(head.jobId, { weight, abort, done })
  return { type: 'accepted' }
}

/** Never rejects: how the job ended is told to its owner, if there is one. */
async function run(state: State, spec: JobSpec, abort: AbortController): Promise<void> {
  const { bus, clock, ffmpegPath } = state.options
  const outbox = createOutbox({ bus, clock, inbox: spec.inbox, epoch: spec.epoch, creditMs: spec.creditMs, abort })
  const orders = bus.subscribe(subjects.order(spec.jobId), ({ head }) => {
    if (!isJobOrder(head) || head.epoch !== spec.epoch) return
    if (head.type === 'credit') outbox.grant(head.creditMs)
    else {
      const job = state.running.get(spec.jobId)
      if (job) job.weight = 0
      abort.abort(new Error('The owner stopped the job'))
    }
  })
  try {
    const toneMaps = spec.output.type === 'encode-video' && spec.output.toneMap !== null
    const capabilities = toneMaps ? await state.capabilities() : NO_CAPABILITIES
    await runJob({ spec, program: ffmpegPath, guard: state.guard, capabilities, outbox, clock, signal: abort.signal })
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'The job failed'
    if (!abort.signal.aborted) await outbox.send({ type: 'ended', outcome: 'failed', reason: reason.slice(0, 500) }).catch(() => undefined)
  } finally {
    await outbox.drained().catch(() => undefined)
    orders.close()
    outbox.close()
  }
}
