/**
 * The transcode agent takes jobs over the bus and runs ffmpeg for them, within its slots. It depends on nothing but the bus, so the same
 * code runs inside the server and on another machine.
 */
import { availableParallelism, loadavg } from 'node:os'
import { createLruCache, type LruCache } from '../src/concurrency/lru-cache.ts'
import { failureReason } from '../src/domain/streaming/job-failure.ts'
import { canEncode, canToneMap, hasRoom } from '../src/domain/streaming/placement.ts'
import type { Bus, Message } from '../src/ports/bus.ts'
import type { Clock } from '../src/ports/clock.ts'
import {
  isJobOrder,
  isJobQuestion,
  jobIn,
  needsOf,
  plainHello,
  subjects,
  type AgentHello,
  type JobAnswer,
  type JobSpec,
  type StartReply,
} from '../src/app/streaming/agents/agent-protocol.ts'
import { createEncoderRegistry, type EncoderRegistry } from './encoder-registry.ts'
import { createAnnouncements, type Announcements } from './announcements.ts'
import type { Prove } from './encoder-proof.ts'
import { findOrphanGuard, type OrphanGuard } from '../src/ffmpeg/process.ts'
import { createFontCheck } from './font-check.ts'
import { runJob } from './job.ts'
import { isUnreachable, openInPlace, type OpenMedia, type OpenSource } from './open-media.ts'
import { createRecordSender, type RecordSender } from './record-sender.ts'
import { openAttachment, sweepAttachments, type OpenAttachment } from './job-attachments.ts'
import { createToneMappers, type ToneMappers } from './tone-mappers.ts'
import { NO_CAPABILITIES } from './work.ts'
import type { Report } from '../src/ports/report.ts'

export interface AgentOptions {
  readonly bus: Bus
  readonly clock: Clock
  /** Letters, digits, dots, dashes; unique among the agents of an installation. */
  readonly agentId: string
  readonly ffmpegPath: string
  /** Version string of ffmpeg, as it prints it. */
  readonly version?: string
  /** Weighted: a 1080p transcode takes 2, a 720p one 1, a copy 0.1. */
  readonly slots: number
  readonly guard?: OrphanGuard
  /** Opens films; by default at their owner's paths. */
  readonly openSource?: OpenSource
  /** Tests encoders; without it the agent is assumed to have the software encoder. */
  readonly prove?: Prove | undefined
  readonly onError?: Report
  /** Prints messages that are no errors, such as the encoders of this machine. */
  readonly print?: (text: string) => void
  /** Called for each job that could not be finished here; `reason` may contain paths of this machine. */
  readonly jobFailed?: (job: JobSpec, reason: string) => void
  /** Runs a job; by default with ffmpeg. */
  readonly work?: typeof runJob
  /** Load of the machine: runnable processes per processor. */
  readonly load?: () => number
  /** Removes files that killed processes left on this machine; by default their attachments. Never rejects. */
  readonly sweep?: (nowMs: number) => Promise<void>
}

export interface TranscodeAgent {
  /** Weighted; more than all if one job needs more. */
  usedSlots(this: void): number
  /** Takes no more jobs, ends the running ones so that other agents can take them over, and settles when nothing is left. */
  close(): Promise<void>
}

interface Running {
  readonly spec: JobSpec
  /** 0 once the job is being stopped: its slot is free for the owner's next job, which may already be on its way. */
  weight: number
  readonly abort: AbortController
  readonly sender: RecordSender
  readonly done: Promise<void>
}

interface State {
  readonly options: AgentOptions
  readonly guard: OrphanGuard
  readonly encoderRegistry: EncoderRegistry
  readonly toneMappers: ToneMappers
  readonly hasFonts: () => Promise<boolean>
  readonly announcements: Announcements
  readonly running: Map<string, Running>
  /** The newest known owner of each rendition. */
  readonly epochs: LruCache<number>
  leaving: boolean
}

const REMEMBERED_RENDITIONS = 10_000
/** Most of the time the current segment has been sent by then. */
const LEAVE_MS = 2_000
/** Includes notifying the owner. A killed ffmpeg exits within milliseconds; a disk that does not answer may hold it for longer. */
const CLOSE_TIMEOUT_MS = 6_000

export function createTranscodeAgent(options: AgentOptions): TranscodeAgent {
  const { bus, clock, agentId, ffmpegPath, prove, sweep = sweepAttachments, onError = () => undefined, print = () => undefined } = options
  const running = new Map<string, Running>()
  const announcements = createAnnouncements(clock, () => announce(state))
  const isIdle = (): boolean => running.size === 0
  const encoderRegistry = createEncoderRegistry({ clock, ffmpegPath, prove, isIdle, changed: announcements.now, onError, print })
  const toneMappers = createToneMappers({ clock, ffmpegPath, triesAhead: prove !== undefined, isIdle, changed: announcements.now, onError })
  const epochs = createLruCache<number>(REMEMBERED_RENDITIONS)
  const guard = options.guard ?? findOrphanGuard()
  const hasFonts = createFontCheck({ ffmpegPath, guard, clock })
  const state: State = { options, guard, encoderRegistry, toneMappers, hasFonts, announcements, running, epochs, leaving: false }
  const subscriptions = [
    bus.respond(subjects.start(agentId), async (message) => ({ head: await start(state, message) })),
    bus.respond(subjects.question(agentId), async (message) => ({ head: answer(state, message) })),
    bus.subscribe(subjects.who, announcements.soon),
  ]
  announcements.now()
  void sweep(clock.now())

  return {
    usedSlots: () => usedSlots(running),
    async close() {
      state.leaving = true
      announcements.now()
      await leave(state)
      announcements.close()
      for (const subscription of subscriptions) subscription.close()
    },
  }
}

/** Job requests that arrive meanwhile are answered "running" or "busy". */
async function leave({ encoderRegistry, toneMappers, running, options: { clock } }: State): Promise<void> {
  const jobs = [...running.values()]
  const limit = new AbortController()
  for (const { sender } of jobs) void sender.leave(LEAVE_MS)
  const allDone = Promise.all([encoderRegistry.close(), toneMappers.close(), ...jobs.map(({ done }) => done)])
  const late = clock.sleep(CLOSE_TIMEOUT_MS, limit.signal).catch(() => undefined)
  await Promise.race([allDone, late])
  limit.abort()
  for (const { abort } of jobs) abort.abort(new Error('The agent is closing'))
}

function announce(state: State): void {
  const { bus } = state.options
  const hello = helloOf(state)
  bus.publish(subjects.hello, { head: hello })
  bus.publish(subjects.plainHello, { head: plainHello(hello) })
}

function helloOf({ options, encoderRegistry, toneMappers, running, leaving }: State): AgentHello {
  const { agentId, version = '', slots, load = machineLoad } = options
  return {
    type: 'hello',
    agentId,
    version,
    slots,
    free: freeSlots({ options, running }),
    load: load(),
    encoders: encoderRegistry.encoders(),
    toneMaps: toneMappers.believed(),
    leaving,
  }
}

const machineLoad = (): number => (loadavg()[0] ?? 0) / availableParallelism()

const usedSlots = (running: ReadonlyMap<string, Running>): number => [...running.values()].reduce((sum, { weight }) => sum + weight, 0)
const freeSlots = ({ options, running }: Pick<State, 'options' | 'running'>): number => options.slots - usedSlots(running)

function answer({ running }: State, { head }: Message): JobAnswer {
  return { type: 'answer', isRunning: isJobQuestion(head) && running.has(head.jobId) }
}

async function start(state: State, { head }: Message): Promise<StartReply> {
  const spec = jobIn(head)
  if (!spec) return { type: 'refused', reason: failureReason('job-unknown') }
  if (spec.epoch < (state.epochs.get(spec.rendition) ?? 0)) return { type: 'superseded' }
  // A duplicate delivery of the order.
  if (state.running.has(spec.jobId)) return { type: 'accepted' }
  state.epochs.put(spec.rendition, spec.epoch)
  endOlder(state, spec)
  const { options, encoderRegistry, toneMappers } = state
  const needs = needsOf(spec.output)
  if (!canEncode({ encoders: encoderRegistry.encoders() }, needs))
    return { type: 'refused', reason: failureReason('no-encoder', needs.encoder ?? '') }
  if (!canToneMap({ toneMaps: toneMappers.believed() }, needs)) return { type: 'refused', reason: failureReason('no-tone-mapping') }
  const { slots } = options
  if (state.leaving || !hasRoom({ slots, free: freeSlots(state) }, needs.weight)) return { type: 'busy' }
  encoderRegistry.interrupt()
  toneMappers.interrupt()
  return begin(state, spec, needs.weight)
}

/** Stops jobs of older epochs: their owners were superseded and may not know yet. */
function endOlder(state: State, { rendition, epoch }: JobSpec): void {
  for (const job of state.running.values()) {
    if (job.spec.rendition === rendition && job.spec.epoch < epoch) stop(state, job, 'Another owner has taken over')
  }
}

function stop({ announcements }: State, job: Running, reason: string): void {
  job.weight = 0
  job.abort.abort(new Error(reason))
  announcements.soon()
}

/** The slot is taken while the film is being opened. */
async function begin(state: State, spec: JobSpec, weight: number): Promise<StartReply> {
  const { running, announcements, options } = state
  const { bus, clock, openSource = openInPlace, jobFailed = () => undefined } = options
  const { jobId, inbox, epoch, creditMs } = spec
  const abort = new AbortController()
  const sender = reportingFailures(createRecordSender({ bus, clock, jobId, inbox, epoch, creditMs, abort }), (reason) =>
    jobFailed(spec, reason),
  )
  const orders = bus.subscribe(subjects.order(jobId), ({ head }) => {
    if (!isJobOrder(head) || head.epoch !== epoch) return
    if (head.type === 'credit') sender.grant(head.creditMs)
    else stop(state, job, 'The owner stopped the job')
  })
  const opening = openSource(spec.source)
  const working = opening.then((mediaFile) => (isUnreachable(mediaFile) ? undefined : run(state, { spec, sender, abort }, mediaFile)))
  const done = working.finally(() => {
    orders.close()
    sender.close()
    running.delete(jobId)
    announcements.soon()
  })
  const job: Running = { spec, weight, abort, sender, done }
  running.set(jobId, job)
  announcements.soon()
  const mediaFile = await opening
  return isUnreachable(mediaFile) ? { type: 'unreachable', reason: mediaFile.unreachable } : { type: 'accepted' }
}

/** Also reports each end but `complete` that is sent to the owner. */
const reportingFailures = (sender: RecordSender, failed: (reason: string) => void): RecordSender => ({
  ...sender,
  send(content, body) {
    if (content.type === 'ended' && content.outcome !== 'complete') failed(content.reason)
    return sender.send(content, body)
  },
})

class NoFonts extends Error {}

/** Never rejects: the job's owner, if there still is one, is notified of the outcome. */
async function run(state: State, { spec, sender, abort }: Pick<Running, 'spec' | 'sender' | 'abort'>, mediaFile: OpenMedia): Promise<void> {
  const { bus, clock, ffmpegPath, work = runJob } = state.options
  let attachment: OpenAttachment | undefined
  try {
    const { toneMap = null } = needsOf(spec.output)
    const capabilities = toneMap === null ? NO_CAPABILITIES : await state.toneMappers.capabilities(toneMap)
    if (!capabilities) return await sayLeft(sender, `This machine's ffmpeg cannot tone-map by ${toneMap}`)
    const signal = AbortSignal.any([abort.signal, mediaFile.lost])
    attachment = await openAttachment(bus, spec, signal)
    if (attachment?.count === 0 && !(await state.hasFonts())) throw new NoFonts()
    const { guard, encoderRegistry } = state
    const job = { spec, input: mediaFile.input, program: ffmpegPath, guard, capabilities, attachment, sender, clock, signal }
    await work({ ...job, encoderFailed: encoderRegistry.failed })
  } catch (error) {
    const reason = failureReason(error instanceof NoFonts ? 'no-fonts' : 'failed', error instanceof Error ? error.message : '')
    // If the film can no longer be fetched here, another agent may have it mounted.
    const outcome = mediaFile.lost.aborted ? 'left' : 'failed'
    if (!abort.signal.aborted) await sender.send({ type: 'ended', outcome, reason: reason.slice(0, 500) }).catch(() => undefined)
  } finally {
    mediaFile.close()
    await attachment?.remove().catch(() => undefined)
    await sender.drained().catch(() => undefined)
  }
}

/** Another agent may take it. */
const sayLeft = (sender: RecordSender, reason: string): Promise<void> =>
  sender.send({ type: 'ended', outcome: 'left', reason }).catch(() => undefined)
