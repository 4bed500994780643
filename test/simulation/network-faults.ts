/** Weather: what is wrong with the servers that all share, at the moment. Every trouble is one that the real ones can make. */
export interface NetworkFaults {
  storeAway: boolean
  /** Whether commits may break off in the middle, as on a store without transactions. */
  brokenCommits: boolean
  leasesAway: boolean
  /** Of 100 appends so many get no answer; some of them are stored, some are stored later. */
  unansweredAppends: number
  logAway: boolean
  /** Of 100 messages so many are lost. */
  lostMessages: number
  /** Messages take up to so long. */
  lateMessagesMs: number
  /** Of 100 messages so many come once more. */
  doubledMessages: number
  /** How many troubles there are now, and when there was one last. */
  troubles: number
  badAtMs: number
  /** The same of everything that may go wrong. */
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
