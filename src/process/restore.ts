/** Restoring a backup into a data folder, for the command line. */
import type { Config } from '../config/config.ts'
import type { OpenOffline } from './open-offline.ts'

export interface RestoreAsk {
  /** Absolute: a folder or a file. */
  readonly path: string
  /** With the data folder, and all engines on files. */
  readonly config: Config
  /** Which backup; default: the newest. */
  readonly at: string | undefined
  readonly passphrase: string | undefined
  /** Verifier keys of its checkpoint; default: those in the backup. */
  readonly keys: readonly string[] | undefined
  /** Whether a log that is there is set aside. */
  readonly replace: boolean
  readonly print: (line: string) => void
  readonly signal: AbortSignal
  /** Builds the read models. */
  readonly openOffline: OpenOffline
}

export interface RestoredBackup {
  readonly id: string
  readonly events: number
  /** Folder of the files that were there before. */
  readonly aside?: string
}

/** Why nothing was restored, in a sentence. */
export interface RestoreProblem {
  readonly problem: string
  /** It is encrypted. */
  readonly needsPassphrase?: boolean
}

/** @throws Error it was stopped, or failed after it had begun to put files in place */
export type RestoreBackup = (ask: RestoreAsk) => Promise<RestoredBackup | RestoreProblem>
