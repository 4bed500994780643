/** Moving a household's log to another engine, for the command line. */

/** A log and what belongs to it. */
export interface LogHome {
  /** A data folder, or the connection string of EventStoreDB. */
  readonly log: { readonly folder: string } | { readonly server: string }
  /** The data folder whose vault it is, or the connection string of MongoDB. */
  readonly vault: { readonly folder: string } | { readonly server: string }
  /** Absolute path of the folder of blobs, which holds the uploads. */
  readonly blobs: string
}

export interface MoveLogAsk {
  readonly from: LogHome
  readonly to: LogHome
  /** Nothing writes to the log any more: verify it, and move what belongs to it. */
  readonly isLastStep: boolean
  readonly print: (line: string) => void
  readonly signal: AbortSignal
}

export interface MovedLog {
  /** At both ends. */
  readonly events: number
  /** Number of events that this run has added. */
  readonly added: number
  /** Only of the last step. */
  readonly moved?: {
    /** Of the Merkle tree, hex: the same at both ends. */
    readonly root: string
    /** Signed note of the moved log. */
    readonly checkpoint: string
    readonly uploads: number
    /** File of the secret that signs tokens, which the settings need to name if the log is on a server now. */
    readonly secretFile?: string
  }
}

/** Why the log is not moved, in a sentence. */
export interface MoveProblem {
  readonly problem: string
}

/** @throws Error an end cannot be read or written; repeat it, and it continues */
export type MoveLog = (ask: MoveLogAsk) => Promise<MovedLog | MoveProblem>
