/** Placement: which transcode agents are asked to take a job, in the order of what it would get there. */

/** An agent, as it was last heard of. */
export interface Agent {
  readonly agentId: string
  readonly slots: number
  /** Slots that no job takes. */
  readonly free: number
  /** What its machine has to do, for each core: 1 is just enough. */
  readonly load: number
  /** Null until they were tried. */
  readonly encoders: readonly { readonly name: string; readonly framesPerSecond: number }[] | null
  readonly leaving: boolean
  /** It gave no answer a moment ago. */
  readonly isSilent: boolean
}

export interface JobNeeds {
  /** Slots that the job takes. */
  readonly weight: number
  /** Null for what is copied, and for sound. */
  readonly encoder: string | null
}

/** Of an agent that has not been tried: a small machine. */
const UNTRIED_FRAMES_PER_SECOND = 60
/** Weights are tenths, whose sums are not exact. */
const TOLERANCE = 1e-6

/** An agent with less than a job's slots still does one at a time. */
export function hasRoom({ slots, free }: Pick<Agent, 'slots' | 'free'>, weight: number): boolean {
  return weight <= free + TOLERANCE || free >= slots
}

/** Those that have no room, by what they said last, come after the others; then those that are silent. */
export function placesFor(agents: readonly Agent[], job: JobNeeds): readonly string[] {
  const able = agents.filter((agent) => !agent.leaving && canEncode(agent, job))
  const order = (one: Agent, other: Agent) =>
    rank(one, job) - rank(other, job) || speed(other, job) - speed(one, job) || (one.agentId < other.agentId ? -1 : 1)
  return able.toSorted(order).map(({ agentId }) => agentId)
}

export function canEncode({ encoders }: Pick<Agent, 'encoders'>, { encoder }: Pick<JobNeeds, 'encoder'>): boolean {
  return encoder === null || encoders === null || encoders.some(({ name }) => name === encoder)
}

function rank(agent: Agent, { weight }: JobNeeds): number {
  if (agent.isSilent) return 2
  return hasRoom(agent, weight) ? 0 : 1
}

/** Frames that a job would get there each second, about: jobs that it just took are not in its load yet. */
function speed({ slots, free, load, encoders }: Agent, { weight, encoder }: JobNeeds): number {
  const alone = encoders?.find(({ name }) => name === (encoder ?? 'x264'))?.framesPerSecond ?? UNTRIED_FRAMES_PER_SECOND
  const taken = (slots - free + weight) / Math.max(slots, weight)
  return alone / (1 + taken + load)
}
