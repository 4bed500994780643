/**
 * Handles one job at one agent on the owner's side. Passes segments to the rendition, replies to every record with the agent's credit, and
 * detects when the agent is gone.
 */
import { omitUndefined } from '../../../vocabulary/omit-undefined.ts'
import { segmentCount } from '../../../domain/streaming/segment-grid.ts'
import { MAX_BODY_BYTES, type Bus, type Message } from '../../../ports/bus.ts'
import { NoResponder, ReplyTimeout } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { AgentDirectory } from './agent-directory.ts'
import {
  AGENT_SILENT_MS,
  isJobAnswer,
  isJobRecord,
  isPieceRequest,
  QUESTION_MS,
  subjects,
  type JobRecord,
  type JobSpec,
  type RecordReply,
} from './agent-protocol.ts'
import type { JobAttachment } from './job-attachment.ts'
import { createSegmentParts, type Joined, type Part } from './segment-assembly.ts'

/** `lost`: the agent is silent, gone or leaving, or a record was lost; the film is not the cause. */
export type AgentJobEnd = 'complete' | 'failed' | 'lost'

export interface AgentJobEvents {
  init(bytes: Uint8Array, codec: string): void
  segment(segment: number, bytes: Uint8Array, workMs: number): void
  missing(from: number, through: number): void
  /** Called once, as the last event. Not called if the job was stopped by `stop`. */
  ended(end: AgentJobEnd, reason: string): void
  /** How far the agent may go now. */
  creditMs(): number
}

export interface AgentJob {
  readonly agentId: string
  readonly jobId: string
  /** Sends the agent its credit, if that has grown. */
  grant(creditMs: number): void
  stop(): void
}

export interface AgentJobOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly directory: AgentDirectory
  readonly agentId: string
  readonly spec: JobSpec
  /** The content of the job's attachment. */
  readonly attachment?: JobAttachment | undefined
  readonly events: AgentJobEvents
}

/** A job that no agent has accepted yet. */
export interface OfferedJob {
  /** Settles when the agent's records can be received. */
  readonly ready: Promise<unknown>
  /** Whether the agent has sent anything about the job. */
  isHeard(): boolean
  /** The agent has accepted the job. */
  accepted(): AgentJob
  /** The agent has not accepted. If it starts the job anyway, its first message has no receiver, and it stops. */
  close(): void
}

/** A silent agent is replaced before the waiting clients time out. */
const WATCH_MS = 500
const QUESTION_TIMEOUT_MS = 1_500
const STOP: RecordReply = { type: 'stop' }
const SILENT = 'The transcoder is silent'

interface State extends Omit<AgentJobOptions, 'attachment'> {
  /** Kept only until the job has started: it may be large. */
  attachment: JobAttachment | undefined
  readonly join: (part: Part) => Joined
  heardAt: number
  lookedAt: number
  isHeard: boolean
  grantedMs: number
  isAsking: boolean
  over: boolean
  end: () => void
}

export function offerJob(options: AgentJobOptions): OfferedJob {
  const { bus, clock, spec, agentId } = options
  const state: State = {
    ...options,
    attachment: options.attachment,
    join: createSegmentParts(),
    heardAt: clock.monotonic(),
    lookedAt: clock.monotonic(),
    isHeard: false,
    grantedMs: spec.creditMs,
    isAsking: false,
    over: false,
    end: () => undefined,
  }
  const take = async (message: Message): Promise<Message> => ({ head: receive(state, message) })
  const hand = async ({ head }: Message): Promise<Message> => piece(state.attachment, head)
  const ears = [
    bus.respond(spec.inbox, take),
    bus.respond(subjects.beat(spec.jobId), take),
    ...(options.attachment ? [bus.respond(subjects.attachment(spec.jobId), hand)] : []),
  ]
  let stopWatch = (): void => undefined
  state.end = () => {
    state.over = true
    for (const ear of ears) ear.close()
    stopWatch()
  }
  return {
    ready: Promise.all(ears.map(({ ready }) => ready)),
    isHeard: () => state.isHeard,
    accepted() {
      state.heardAt = state.lookedAt = clock.monotonic()
      if (!state.over) stopWatch = clock.every(WATCH_MS, () => watch(state))
      return { agentId, jobId: spec.jobId, grant: (creditMs) => grant(state, creditMs), stop: () => stop(state) }
    },
    close: state.end,
  }
}

function piece(attachment: JobAttachment | undefined, head: Message['head']): Message {
  const at = isPieceRequest(head) ? head.at : Infinity
  const body = attachment?.bytes.subarray(at, at + MAX_BODY_BYTES)
  return { head: {}, ...omitUndefined({ body }) }
}

function receive(state: State, { head, body }: Message): RecordReply {
  if (state.over || !isJobRecord(head) || head.epoch !== state.spec.epoch) return STOP
  state.heardAt = state.clock.monotonic()
  state.isHeard = true
  const fault = take(state, head, body)
  if (fault !== undefined) fail(state, 'lost', fault)
  if (state.over) return STOP
  state.grantedMs = state.events.creditMs()
  return { type: 'go', creditMs: state.grantedMs }
}

/** Handles a record; returns the fault of it, if there is one. */
function take(state: State, record: JobRecord, body: Uint8Array | undefined): string | undefined {
  const { events, spec } = state
  if (record.type === 'segment' || record.type === 'missing') {
    const first = record.type === 'segment' ? record.segment : record.from
    if (first < spec.startSegment || first >= segmentCount(spec.grid)) return 'A segment that the job is not for'
  }
  if (record.type === 'segment') return takePart(state, record, body)
  if (record.type === 'init' && !body) return 'An init segment without bytes'
  if (record.type === 'init') state.attachment = undefined
  if (record.type === 'init' && body) events.init(body, record.codec)
  if (record.type === 'missing') events.missing(record.from, record.through)
  if (record.type === 'ended') {
    state.end()
    // It cannot continue now, so another agent is asked first.
    if (record.outcome === 'left') state.directory.silent(state.agentId)
    events.ended(record.outcome === 'left' ? 'lost' : record.outcome, record.reason)
  }
  return undefined
}

type SegmentRecord = Extract<JobRecord, { readonly type: 'segment' }>

/** If parts do not fit together, the job is repeated from the missing segment. */
function takePart({ join, events }: State, { segment, part, parts, workMs }: SegmentRecord, body?: Uint8Array): string | undefined {
  const joined = join({ segment, part, parts, body })
  if (joined && 'problem' in joined) return joined.problem
  if (joined) events.segment(segment, joined.bytes, workMs)
  return undefined
}

function watch(state: State): void {
  if (state.over) return
  const now = state.clock.monotonic()
  const lateMs = now - state.lookedAt - WATCH_MS
  state.lookedAt = now
  // Messages were not received while this process was paused.
  if (lateMs > WATCH_MS) state.heardAt = Math.min(now, state.heardAt + lateMs)
  const silentMs = now - state.heardAt
  if (silentMs > AGENT_SILENT_MS) {
    state.directory.silent(state.agentId)
    fail(state, 'lost', SILENT)
  } else if (silentMs > QUESTION_MS && !state.isAsking) void ask(state)
}

/** An agent that has lost the job, or was lost itself, is not waited for. */
async function ask(state: State): Promise<void> {
  const askedAt = state.clock.monotonic()
  state.isAsking = true
  const found = await answerOf(state)
  state.isAsking = false
  if (state.over || state.heardAt > askedAt) return
  // While this process cannot reach the bus, silence proves nothing about the agent.
  if (found === 'running' || found === 'bus-away') state.heardAt = state.clock.monotonic()
  if (found === 'gone') state.directory.gone(state.agentId)
  if (found === 'gone') fail(state, 'lost', 'The transcoder is gone')
  if (found === 'unknown') fail(state, 'lost', 'The transcoder has lost the job')
}

async function answerOf({ bus, agentId, spec }: State): Promise<'running' | 'unknown' | 'gone' | 'silent' | 'bus-away'> {
  try {
    const question = { head: { type: 'question', jobId: spec.jobId } }
    const { head } = await bus.request(subjects.question(agentId), question, { timeoutMs: QUESTION_TIMEOUT_MS })
    return isJobAnswer(head) && head.isRunning ? 'running' : 'unknown'
  } catch (error) {
    if (error instanceof NoResponder) return 'gone'
    return error instanceof ReplyTimeout ? 'silent' : 'bus-away'
  }
}

function fail(state: State, end: AgentJobEnd, reason: string): void {
  stop(state)
  state.events.ended(end, reason)
}

function grant(state: State, creditMs: number): void {
  if (state.over || creditMs <= state.grantedMs) return
  state.grantedMs = creditMs
  const { bus, spec } = state
  bus.publish(subjects.order(spec.jobId), { head: { type: 'credit', epoch: spec.epoch, creditMs } })
}

function stop(state: State): void {
  if (state.over) return
  state.end()
  const { bus, spec } = state
  bus.publish(subjects.order(spec.jobId), { head: { type: 'stop', epoch: spec.epoch } })
}
