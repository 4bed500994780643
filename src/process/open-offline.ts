/** Types for running the operator's commands on the files of a data folder while no server runs on it. */
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import type { Config } from '../config/config.ts'
import type { OwnedFolder } from './data-folder.ts'

export interface OfflineCommands extends OperatorCommands {
  close(): Promise<void>
}

export interface LogCopy extends Pick<OperatorCommands, 'verify'> {
  close(): Promise<void>
}

/** Opens the event log of a data folder for verification, without changing the folder. @throws Error it cannot be read */
export type OpenStopped = (options: { readonly config: Config; readonly folder: OwnedFolder }) => Promise<LogCopy>

/** Opens a copy of the event log at any path. @throws Error it cannot be read */
export type OpenLogCopy = (file: string) => Promise<LogCopy>

/** Opens the files of a data folder that this process owns. */
export type OpenOffline = (options: {
  readonly config: Config
  readonly folder: OwnedFolder
  /** Hears how far the read models are. */
  readonly print?: (line: string) => void
}) => Promise<OfflineCommands>
