/**
 * Defines injectable faults, set at the start (`--faults resume-loses-one,delay=50`) or at run time (`POST /faults` with the same names
 * and values as JSON). A count limits a fault to that many appends; without one it affects all.
 */
export interface Faults {
  /** Like 23.10: a subscription from the position of a scavenged event omits the first event after it. */
  'resume-loses-one': boolean
  /** Stores the append, then resets the connection instead of replying. */
  'answer-lost': number
  /** Resets the connection instead of storing the append. */
  'append-lost': number
  /** Milliseconds between storing an append and replying. */
  delay: number
  /** Rejects every call with UNAVAILABLE. */
  refuse: boolean
  /** Rejects every call: wrong password, no permissions. */
  unauthenticated: boolean
  denied: boolean
  /** Milliseconds until an append times out that was dropped because the same append was in flight. */
  'commit-timeout': number
  /** This many subscriptions end, at their next event, as those of a consumer that is too slow. */
  'too-slow': number
  /** Number of the node that leads a cluster. */
  leader: number
  /** No node leads. */
  electing: boolean
  /** Followers do not receive appends from now on. */
  'followers-lag': boolean
  /** Number of a node that accepts calls and never answers; 0: none. */
  frozen: number
  /** Number of a node that is cut off and takes itself for the leader; 0: none. */
  isolated: number
  /** Events that a node took while it was cut off stay on that node, and are visible there, although the others never had them. */
  untruncated: boolean
  /** No node reports the leader. */
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

/** @throws there is no fault of that name, or the value is invalid */
export function setFaults(faults: Faults, wanted: object): void {
  for (const [name, value] of Object.entries(wanted)) {
    if (isOneOf(TRUTHS, name)) faults[name] = isTruth(value)
    else if (isOneOf(COUNTED, name)) faults[name] = value === true ? Infinity : countOf(value)
    else if (isOneOf(NUMBERS, name)) faults[name] = countOf(value)
    else throw new Error(`There is no fault ${name}`)
  }
}

/** Whether the fault affects this append; decrements its count. */
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
