/** Placement: chooses the transcode agents for a job, ordered by the speed that it would have there. */
import type { Encoder } from '../../vocabulary/encoder.ts'
import { TONE_MAPPERS, type ToneMapper } from '../../vocabulary/tone-mapper.ts'
import { HARDWARE_ENCODERS, SOFTWARE } from './encoders.ts'

/** An agent's last announcement. */
export interface Agent {
  readonly agentId: string
  readonly slots: number
  /** Free slots. */
  readonly free: number
  /** Load of its machine per core: 1 is fully used. */
  readonly load: number
  /** Null until they were tested. */
  readonly encoders: readonly { readonly name: Encoder; readonly framesPerSecond: number }[] | null
  /** Its tone-mappers; missing: the one that nearly all agents have. */
  readonly toneMaps?: readonly ToneMapper[]
  readonly leaving: boolean
  /** It did not answer recently. */
  readonly isSilent: boolean
}

export interface JobNeeds {
  /** Slots that the job takes. */
  readonly weight: number
  /** Null for copies and for audio. */
  readonly encoder: Encoder | null
  /** Tone-mapper for HDR video; null or missing if not needed. */
  readonly toneMap?: ToneMapper | null
}

/** Assumed for an untested agent: a small machine. */
export const UNTRIED_FRAMES_PER_SECOND = 60
/** Slots of the largest video that hardware encodes. */
const LARGEST_WEIGHT = 1
/** Weights are tenths, whose floating-point sums are inexact. */
const TOLERANCE = 1e-6

/** An agent with fewer slots than a job needs still does one at a time. */
export function hasRoom({ slots, free }: Pick<Agent, 'slots' | 'free'>, weight: number): boolean {
  return weight <= free + TOLERANCE || free >= slots
}

/** Agents without free slots, by their last announcement, come after the others; silent ones come last. */
export function placesFor(agents: readonly Agent[], job: JobNeeds): readonly string[] {
  const able = agents.filter((agent) => !agent.leaving && canEncode(agent, job) && canToneMap(agent, job))
  const order = (one: Agent, other: Agent) =>
    rank(one, job) - rank(other, job) || speed(other, job) - speed(one, job) || (one.agentId < other.agentId ? -1 : 1)
  return able.toSorted(order).map(({ agentId }) => agentId)
}

/** An untested agent is assumed to have the encoder that every machine has. */
export function canEncode({ encoders }: Pick<Agent, 'encoders'>, { encoder }: Pick<JobNeeds, 'encoder'>): boolean {
  if (encoder === null) return true
  return encoders === null ? encoder === SOFTWARE : encoders.some(({ name }) => name === encoder)
}

export function canToneMap({ toneMaps = TONE_MAPPERS }: Pick<Agent, 'toneMaps'>, { toneMap = null }: Pick<JobNeeds, 'toneMap'>): boolean {
  return toneMap === null || toneMaps.includes(toneMap)
}

/** Encoder for a new session's video: hardware that was tested on an agent with free slots, else software. */
export function preferredEncoder(agents: readonly Agent[]): Encoder {
  const ready = agents.filter((agent) => !agent.leaving && !agent.isSilent && hasRoom(agent, LARGEST_WEIGHT))
  return HARDWARE_ENCODERS.find((encoder) => ready.some((agent) => canEncode(agent, { encoder }))) ?? SOFTWARE
}

function rank(agent: Agent, { weight }: JobNeeds): number {
  if (agent.isSilent) return 2
  return hasRoom(agent, weight) ? 0 : 1
}

/** Approximate frames per second of the job on this agent: jobs that it has just taken are not in its load yet. */
function speed({ slots, free, load, encoders }: Agent, { weight, encoder }: JobNeeds): number {
  const alone = encoders?.find(({ name }) => name === (encoder ?? SOFTWARE))?.framesPerSecond ?? UNTRIED_FRAMES_PER_SECOND
  const taken = (slots - free + weight) / Math.max(slots, weight)
  return alone / (1 + taken + load)
}
