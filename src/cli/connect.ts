/** How the command line gets at the operator's commands: through the running server, or on the files where none runs. */
import { realpathSync } from 'node:fs'
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import { NobodyListens } from '../command-socket/call.ts'
import { reachServer } from '../command-socket/remote-commands.ts'
import { socketPlace } from '../command-socket/socket-place.ts'
import type { Config } from '../config/config.ts'
import type { OpenOffline } from '../process/open-offline.ts'
import { ownDataFolder } from '../process/data-folder.ts'
import type { OwnedFolder } from '../process/data-folder.ts'

export interface ConnectOptions {
  readonly config: Config
  readonly openOffline: OpenOffline
  readonly needsServer: boolean
}

export interface Connection {
  readonly commands: OperatorCommands
  close(): Promise<void>
}

/** The commands, or in one line why there are none. */
export async function connect({ config, openOffline, needsServer }: ConnectOptions): Promise<Connection | { readonly problem: string }> {
  const path = existing(config.dataDir)
  if (path === undefined) {
    return {
      problem: `There is no data folder ${config.dataDir} yet. Start the server once with npm start, or name the folder with MARQUEE_DATA_DIR.`,
    }
  }
  const running = await reach(path)
  if (running) return { commands: running, close: async () => {} }
  if (needsServer) return { problem: `No server runs on the data folder ${path}, and this needs one: start it with npm start.` }
  const folder = ownDataFolder(config)
  // A server that is just starting owns the folder before it listens.
  if ('problem' in folder) return { problem: `${folder.problem} If that is a server, it is starting or stopping: try again in a moment.` }
  return open(folder, { config, openOffline })
}

async function open(folder: OwnedFolder, { config, openOffline }: Pick<ConnectOptions, 'config' | 'openOffline'>): Promise<Connection> {
  try {
    const commands = await openOffline({ config, folder })
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

async function reach(path: string): Promise<OperatorCommands | undefined> {
  try {
    return await reachServer(socketPlace(path))
  } catch (cause) {
    if (cause instanceof NobodyListens) return undefined
    throw cause
  }
}
