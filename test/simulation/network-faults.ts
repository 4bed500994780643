/** The current faults of the shared servers. Each of them can occur on the real ones. */
export interface NetworkFaults {
  storeAway: boolean
  /** Whether commits may fail halfway, as on a store without transactions. */
  brokenCommits: boolean
  leasesAway: boolean
  /** Percentage of appends without a reply; some of them are stored, some later. */
  unansweredAppends: number
  logAway: boolean
  /** Percentage of lost messages. */
  lostMessages: number
  /** Maximum delay of messages. */
  lateMessagesMs: number
  /** Percentage of duplicated messages. */
  doubledMessages: number
  /** Number of current troubles, and the time of the last one. */
  troubles: number
  badAtMs: number
  /** The same of all faults. */
  faults: number
  faultAtMs: number
}

export const noFaults = (): NetworkFaults => ({
  storeAway: false,
  brokenCommits: false,
  leasesAway: false,
  unansweredAppends: 0,
  logAway: false,
  lostMessages: 0,
  lateMessagesMs: 0,
  doubledMessages: 0,
  troubles: 0,
  badAtMs: -Infinity,
  faults: 0,
  faultAtMs: -Infinity,
})
