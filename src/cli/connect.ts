/** Connects the command line to the operator's commands: through the running server, or on the files if none runs. */
import { START_COMMAND } from '../config/command-names.ts'
import { accessSync, constants, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import { NobodyListens } from '../command-socket/call.ts'
import { reachServer } from '../command-socket/remote-commands.ts'
import { socketPlace } from '../command-socket/socket-place.ts'
import type { Config } from '../config/config.ts'
import { isDenied } from '../vocabulary/file-reason.ts'
import type { FolderProblem, OwnedFolder } from '../process/data-folder.ts'

export interface ConnectOptions<Offline> {
  readonly config: Config
  /** Takes the folder if no server runs on it. */
  readonly own: (config: Config) => OwnedFolder | FolderProblem
  readonly open: (options: { readonly config: Config; readonly folder: OwnedFolder }) => Promise<Offline>
  readonly needsServer: boolean
}

export interface Connection<Offline> {
  readonly commands: OperatorCommands | Offline
  close(): Promise<void>
}

type Closing = { close(): Promise<void> }

/** The commands, or one line that explains why there are none. */
export async function connect<Offline extends Closing>({
  config,
  own,
  open,
  needsServer,
}: ConnectOptions<Offline>): Promise<Connection<Offline> | FolderProblem> {
  const path = existing(config.dataDir)
  if (path === undefined) {
    if (isClosed(config.dataDir)) return { problem: othersFolder(config.dataDir) }
    return {
      problem: `There is no data folder ${config.dataDir} yet. Start the server once with \`${START_COMMAND}\`, or name the folder with MARQUEE_DATA_DIR.`,
    }
  }
  const running = await reach(path)
  if (running) return { commands: running, close: async () => {} }
  if ([path, join(path, 'events.sqlite'), join(path, 'vault.sqlite')].some(isClosed)) return { problem: othersFolder(path) }
  if (needsServer) return { problem: `No server runs on the data folder ${path}, and this needs one: start it with \`${START_COMMAND}\`.` }
  const folder = own(config)
  // A starting server owns the folder before it listens.
  if ('problem' in folder) return { problem: `${folder.problem} If that is a server, it is starting or stopping: try again in a moment.` }
  try {
    const commands = await open({ config, folder })
    return { commands, close: () => commands.close().finally(() => folder.release()) }
  } catch (cause) {
    folder.release()
    throw cause
  }
}

function existing(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Whether it is there, but not for this user. */
function isClosed(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return false
  } catch (cause) {
    return isDenied(cause)
  }
}

const othersFolder = (path: string) =>
  `This user may not read the data folder ${path}. Run this as the user that Marquee runs as, or name another folder with MARQUEE_DATA_DIR.`

async function reach(path: string): Promise<OperatorCommands | undefined> {
  try {
    return await reachServer(socketPlace(path))
  } catch (cause) {
    if (cause instanceof NobodyListens) return undefined
    throw cause
  }
}
