/** Placement: which transcode agents are asked to take a job, in the order of what it would get there. */
import type { Encoder } from '../../vocabulary/encoder.ts'
import { TONE_MAPPERS, type ToneMapper } from '../../vocabulary/tone-mapper.ts'
import { HARDWARE_ENCODERS, SOFTWARE } from './encoders.ts'

/** An agent, as it was last heard of. */
export interface Agent {
  readonly agentId: string
  readonly slots: number
  /** Slots that no job takes. */
  readonly free: number
  /** What its machine has to do, for each core: 1 is just enough. */
  readonly load: number
  /** Null until they were tried. */
  readonly encoders: readonly { readonly name: Encoder; readonly framesPerSecond: number }[] | null
  /** What it brings HDR pictures down by; missing: what nearly all have. */
  readonly toneMaps?: readonly ToneMapper[]
  readonly leaving: boolean
  /** It gave no answer a moment ago. */
  readonly isSilent: boolean
}

export interface JobNeeds {
  /** Slots that the job takes. */
  readonly weight: number
  /** Null for what is copied, and for sound. */
  readonly encoder: Encoder | null
  /** What brings an HDR picture down; null or missing where none is. */
  readonly toneMap?: ToneMapper | null
}

/** Of an agent that has not been tried: a small machine. */
export const UNTRIED_FRAMES_PER_SECOND = 60
/** Slots of the largest picture by hardware. */
const LARGEST_WEIGHT = 1
/** Weights are tenths, whose sums are not exact. */
const TOLERANCE = 1e-6

/** An agent with less than a job's slots still does one at a time. */
export function hasRoom({ slots, free }: Pick<Agent, 'slots' | 'free'>, weight: number): boolean {
  return weight <= free + TOLERANCE || free >= slots
}

/** Those that have no room, by what they said last, come after the others; then those that are silent. */
export function placesFor(agents: readonly Agent[], job: JobNeeds): readonly string[] {
  const able = agents.filter((agent) => !agent.leaving && canEncode(agent, job) && canToneMap(agent, job))
  const order = (one: Agent, other: Agent) =>
    rank(one, job) - rank(other, job) || speed(other, job) - speed(one, job) || (one.agentId < other.agentId ? -1 : 1)
  return able.toSorted(order).map(({ agentId }) => agentId)
}

/** An agent that has not been tried is believed to have what every machine has. */
export function canEncode({ encoders }: Pick<Agent, 'encoders'>, { encoder }: Pick<JobNeeds, 'encoder'>): boolean {
  if (encoder === null) return true
  return encoders === null ? encoder === SOFTWARE : encoders.some(({ name }) => name === encoder)
}

export function canToneMap({ toneMaps = TONE_MAPPERS }: Pick<Agent, 'toneMaps'>, { toneMap = null }: Pick<JobNeeds, 'toneMap'>): boolean {
  return toneMap === null || toneMaps.includes(toneMap)
}

/** What a new session's pictures are encoded with: hardware that an agent was seen to have and has room on, else software. */
export function preferredEncoder(agents: readonly Agent[]): Encoder {
  const ready = agents.filter((agent) => !agent.leaving && !agent.isSilent && hasRoom(agent, LARGEST_WEIGHT))
  return HARDWARE_ENCODERS.find((encoder) => ready.some((agent) => canEncode(agent, { encoder }))) ?? SOFTWARE
}

function rank(agent: Agent, { weight }: JobNeeds): number {
  if (agent.isSilent) return 2
  return hasRoom(agent, weight) ? 0 : 1
}

/** Frames that a job would get there each second, about: jobs that it just took are not in its load yet. */
function speed({ slots, free, load, encoders }: Agent, { weight, encoder }: JobNeeds): number {
  const alone = encoders?.find(({ name }) => name === (encoder ?? SOFTWARE))?.framesPerSecond ?? UNTRIED_FRAMES_PER_SECOND
  const taken = (slots - free + weight) / Math.max(slots, weight)
  return alone / (1 + taken + load)
}
