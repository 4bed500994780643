/**
 * Run: one job at one agent, as its owner sees it. Puts the parts of segments together and tells the rendition what came; answers
 * every record with how far the agent may go on.
 */
import { busy, missing, type Unavailable } from './unavailable.ts'
import type { Bus, Message } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AgentDirectory } from './agent-directory.ts'
import {
  AGENT_SILENT_MS,
  isJobRecord,
  isStartReply,
  subjects,
  type JobRecord,
  type JobSpec,
  type RecordReply,
  type StartReply,
} from './protocol.ts'

export interface RunEvents {
  init(bytes: Uint8Array, codec: string): void
  segment(segment: number, bytes: Uint8Array, workMs: number): void
  missing(from: number, through: number): void
  /** Once, and nothing after it. Not when the run was stopped by `stop`. */
  ended(outcome: 'complete' | 'failed', reason: string): void
  /** How far the agent may go on now. */
  creditMs(): number
}

export interface Run {
  /** Tells the agent how far it may go on, where that is further than it knows. */
  grant(creditMs: number): void
  stop(): void
}

export interface RunOptions {
  readonly bus: Bus
  readonly clock: Clock
  readonly directory: AgentDirectory
  readonly spec: JobSpec
  readonly events: RunEvents
}

const START_TIMEOUT_MS = 2_000
/** A silent agent is replaced before those who wait for it give up. */
const WATCH_MS = 500
const MAX_AGENTS_ASKED = 3
/** More than any segment has; a bound for what an agent may make its owner hold. */
const MAX_SEGMENT_BYTES = 512 * 1024 * 1024
const STOP: RecordReply = { type: 'stop' }

interface State extends RunOptions {
  readonly parts: Uint8Array[]
  heardAt: number
  grantedMs: number
  over: boolean
  end: () => void
}

/** Finds an agent that takes the job. */
export async function startRun(options: RunOptions): Promise<Run | Unavailable> {
  const { bus, clock, spec } = options
  const state: State = { ...options, parts: [], heardAt: clock.monotonic(), grantedMs: spec.creditMs, over: false, end: () => undefined }
  const inbox = bus.respond(spec.inbox, async (message) => ({ head: receive(state, message) }))
  const stopWatch = clock.every(WATCH_MS, () => watch(state))
  state.end = () => {
    state.over = true
    inbox.close()
    stopWatch()
  }
  await inbox.ready
  const unplaced = await place(state)
  if (unplaced) {
    state.end()
    return unplaced
  }
  state.heardAt = clock.monotonic()
  return { grant: (creditMs) => grant(state, creditMs), stop: () => stop(state) }
}

/** Why it was not placed, if it was not. */
async function place({ bus, directory, spec }: State): Promise<Unavailable | undefined> {
  const agents = await directory.candidates()
  if (agents.length === 0) return busy('No transcoder is there', 5)
  for (const agentId of agents.slice(0, MAX_AGENTS_ASKED)) {
    const reply = await ask(bus, agentId, spec)
    if (reply?.type === 'accepted') return undefined
    if (reply?.type === 'refused') return missing(reply.reason)
  }
  return busy('All transcoders are busy', 5)
}

async function ask(bus: Bus, agentId: string, spec: JobSpec): Promise<StartReply | undefined> {
  try {
    const { head } = await bus.request(subjects.start(agentId), { head: spec }, { timeoutMs: START_TIMEOUT_MS })
    return isStartReply(head) ? head : undefined
  } catch {
    // Gone or silent: should it have started all the same, its first record is answered with "stop".
    return undefined
  }
}

function receive(state: State, { head, body }: Message): RecordReply {
  if (state.over || !isJobRecord(head) || head.epoch !== state.spec.epoch) return STOP
  state.heardAt = state.clock.monotonic()
  const problem = take(state, head, body)
  if (problem !== undefined) fail(state, problem)
  if (state.over) return STOP
  state.grantedMs = state.events.creditMs()
  return { type: 'go', creditMs: state.grantedMs }
}

/** What is wrong with the record, if anything is. */
function take(state: State, record: JobRecord, body: Uint8Array | undefined): string | undefined {
  const { events } = state
  if (record.type === 'segment') return takePart(state, record, body)
  if (record.type === 'init' && !body) return 'An init segment without bytes'
  if (record.type === 'init' && body) events.init(body, record.codec)
  if (record.type === 'missing') events.missing(record.from, record.through)
  if (record.type === 'ended') {
    state.end()
    events.ended(record.outcome === 'complete' ? 'complete' : 'failed', record.reason)
  }
  return undefined
}

type Part = Extract<JobRecord, { readonly type: 'segment' }>

/** The bus may lose a message: then the parts do not fit together and the run is done again from the segment that is missing. */
function takePart(
  { parts, events }: State,
  { segment, part, parts: count, workMs }: Part,
  body: Uint8Array | undefined,
): string | undefined {
  if (!body || part !== parts.length) return 'A part of a segment was lost'
  parts.push(body)
  if (parts.reduce((sum, one) => sum + one.byteLength, 0) > MAX_SEGMENT_BYTES) return 'A segment is too large'
  if (parts.length < count) return undefined
  const bytes = inOnePiece(parts)
  parts.length = 0
  events.segment(segment, bytes, workMs)
  return undefined
}

/** Inside one process the parts are views of one piece of memory, next to each other: then nothing is copied. */
function inOnePiece(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  const sizeBytes = parts.reduce((sum, part) => sum + part.byteLength, 0)
  let at = first?.byteOffset ?? 0
  const adjoining = parts.every((part) => {
    const adjoins = part.buffer === first?.buffer && part.byteOffset === at
    at += part.byteLength
    return adjoins
  })
  if (first && adjoining) return new Uint8Array(first.buffer, first.byteOffset, sizeBytes)
  const bytes = new Uint8Array(sizeBytes)
  parts.reduce((offset, part) => {
    bytes.set(part, offset)
    return offset + part.byteLength
  }, 0)
  return bytes
}

function watch(state: State): void {
  if (!state.over && state.clock.monotonic() - state.heardAt > AGENT_SILENT_MS) fail(state, 'The transcoder is silent')
}

function fail(state: State, reason: string): void {
  stop(state)
  state.events.ended('failed', reason)
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
