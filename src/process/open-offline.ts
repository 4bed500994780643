/** The operator's commands on the files of a data folder, for when no server runs on it. */
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import type { Config } from '../config/config.ts'
import type { OwnedFolder } from './data-folder.ts'

export interface OfflineCommands extends OperatorCommands {
  close(): Promise<void>
}

/** Opens the files of a data folder that this process owns. */
export type OpenOffline = (options: { readonly config: Config; readonly folder: OwnedFolder }) => Promise<OfflineCommands>
