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
}

export function createFaults(names: string): Faults {
  const faults: Faults = { 'resume-loses-one': false, 'answer-lost': 0, 'append-lost': 0, delay: 0, refuse: false }
  const wanted = names.split(',').filter((name) => name !== '')
  setFaults(faults, Object.fromEntries(wanted.map((name) => name.split('=')).map(([name, value]) => [name, value ?? true])))
  return faults
}

/** @throws there is no fault of that name, or it does not take that value */
export function setFaults(faults: Faults, wanted: object): void {
  for (const [name, value] of Object.entries(wanted)) {
    if (name === 'resume-loses-one' || name === 'refuse') faults[name] = isTruth(value)
    else if (name === 'answer-lost' || name === 'append-lost') faults[name] = value === true ? Infinity : countOf(value)
    else if (name === 'delay') faults.delay = countOf(value)
    else throw new Error(`There is no fault ${name}`)
  }
}

/** Whether it happens to this append; counts it off. */
export function happens(faults: Faults, name: 'answer-lost' | 'append-lost'): boolean {
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
