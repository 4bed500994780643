/**
 * What can be made to go wrong, from the start (`--faults resume-loses-one,delay=50`) or at run time (`POST /faults` with the same
 * names and values as JSON). A count says to how many appends it still happens; without one, to all.
 */
export interface Faults {
  /** What 23.10 does: a subscription from a position whose event was scavenged leaves out the first event after it. */
  'resume-loses-one': boolean
  /** Stores the append, then resets the connection instead of answering. */
  'answer-lost': number
  /** Resets the connection instead of storing the append. */
  'append-lost': number
  /** Milliseconds between storing an append and answering it. */
  delay: number
  /** Every call is answered with UNAVAILABLE. */
  refuse: boolean
  /** Every call is refused: a wrong password, no rights. */
  unauthenticated: boolean
  denied: boolean
  /** Milliseconds until the server gives up an append that it dropped because the same one was on its way. */
  'commit-timeout': number
  /** How many subscriptions are ended as those of a consumer that is too slow, with their next event. */
  'too-slow': number
  /** Number of the node that leads, of a cluster. */
  leader: number
  /** No node leads. */
  electing: boolean
  /** Followers do not hear of what is appended from now on. */
  'followers-lag': boolean
  /** Number of a node that takes calls and says nothing; 0: none. */
  frozen: number
  /** Number of a node that has lost the others, and takes itself for the leader; 0: none. */
  isolated: number
  /** What a node took while it was cut off is on that node still, and seen there, though the others never had it. */
  untruncated: boolean
  /** No node says who leads. */
  'gossip-fails': boolean
}

const COMMIT_TIMEOUT_MS = 2_500
const TRUTHS = [
  'resume-loses-one',
  'refuse',
  'unauthenticated',
  'denied',
  'electing',
  'followers-lag',
  'untruncated',
  'gossip-fails',
] as const
const COUNTED = ['answer-lost', 'append-lost', 'too-slow'] as const
const NUMBERS = ['delay', 'commit-timeout', 'leader', 'frozen', 'isolated'] as const

export function createFaults(names: string): Faults {
  const off = Object.fromEntries([...TRUTHS.map((name) => [name, false]), ...[...COUNTED, ...NUMBERS].map((name) => [name, 0])])
  const faults = { ...off, 'commit-timeout': COMMIT_TIMEOUT_MS, leader: 1 } as unknown as Faults
  const wanted = names.split(',').filter((name) => name !== '')
  setFaults(faults, Object.fromEntries(wanted.map((name) => name.split('=')).map(([name, value]) => [name, value ?? true])))
  return faults
}

/** @throws there is no fault of that name, or it does not take that value */
export function setFaults(faults: Faults, wanted: object): void {
  for (const [name, value] of Object.entries(wanted)) {
    if (isOneOf(TRUTHS, name)) faults[name] = isTruth(value)
    else if (isOneOf(COUNTED, name)) faults[name] = value === true ? Infinity : countOf(value)
    else if (isOneOf(NUMBERS, name)) faults[name] = countOf(value)
    else throw new Error(`There is no fault ${name}`)
  }
}

/** Whether it happens to this append; counts it off. */
export function happens(faults: Faults, name: (typeof COUNTED)[number]): boolean {
  if (faults[name] <= 0) return false
  faults[name] -= 1
  return true
}

function countOf(value: unknown): number {
  const count = value === false ? 0 : Number(value)
  if (Number.isInteger(count) && count >= 0) return count
  throw new Error(`Not a count: ${String(value)}`)
}

function isTruth(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new Error(`Neither true nor false: ${String(value)}`)
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name => names.some((one) => one === name)
