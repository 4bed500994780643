/** Runs the server's process: settings, data folder, start, start-up text, and a stop within ten seconds. */
import { networkInterfaces } from 'node:os'
import type { CommandListener } from '../command-socket/listen.ts'
import { listenForCommands } from '../command-socket/listen.ts'
import { socketPlace } from '../command-socket/socket-place.ts'
import type { Config } from '../config/config.ts'
import { isShared } from '../config/engine-addresses.ts'
import type { StartArguments } from '../config/start-arguments.ts'
import { collectWhenIdle } from './idle-collection.ts'
import { ownDataFolder } from './data-folder.ts'
import { endProcess } from './ending.ts'
import type { OwnedFolder } from './data-folder.ts'
import type { Clock } from '../ports/clock.ts'
import type { CreateMarquee, Marquee, Started } from './marquee.ts'
import { reachableAddresses } from './reachable-addresses.ts'
import { startFailure } from './start-failure.ts'
import { startText } from './start-text.ts'
import { listenForStop } from './stop-signals.ts'
import { complain, stopWithin } from './stopping.ts'

export interface ServerOptions {
  readonly config: Config
  readonly args: StartArguments
  readonly createMarquee: CreateMarquee
  readonly clock: Clock
}

const INTERRUPTED = 130

/** Runs until a signal ends it; returns the exit code. */
export async function runServer(options: ServerOptions): Promise<number> {
  const { config, clock } = options
  const { asked } = listenForStop({ clock, insist: () => endProcess(INTERRUPTED) })
  const folder = ownDataFolder(config)
  if ('problem' in folder) return complain(folder.problem)
  const running: Running = { folder, marquee: undefined, listener: undefined }
  try {
    await Promise.race([start(running, options), asked])
  } catch (cause) {
    complain(startFailure(cause, config))
    await stop(running, clock)
    return 1
  }
  await asked
  console.log('Stopping.')
  return stop(running, clock)
}

/** Resources opened so far, which must be closed. */
interface Running {
  readonly folder: OwnedFolder
  marquee: Marquee | undefined
  listener: CommandListener | undefined
}

async function start(running: Running, options: ServerOptions): Promise<void> {
  const { config, args, createMarquee, clock } = options
  const { folder } = running
  const marquee = await createMarquee({ config, folder, media: args.media })
  running.marquee = marquee
  const started = await marquee.start()
  const place = socketPlace(folder.path)
  // Loaded here to come from Node's compile cache, which is not on yet when the modules of this file are loaded.
  const { answersOf } = await import('../command-socket/answers.ts')
  running.listener = await listenForCommands({ place, handle: answersOf(marquee.commands), clock })
  if (args.media.length > 0) await marquee.addMediaFolders(args.media, args.name)
  console.log(startText(await factsOf(started, marquee, running, config)))
  marquee.reportScans(console.log)
  collectWhenIdle({ clock })
}

async function factsOf(started: Started, marquee: Marquee, { folder }: Running, config: Config) {
  return {
    addresses: reachableAddresses({ host: config.host, port: started.port, interfaces: networkInterfaces() }),
    publicUrl: config.publicUrl,
    firstAdmin: started.firstAdmin,
    unusedAccount: started.unusedAccount,
    awaitsFirst: config.signUp === 'first' && (await marquee.commands.listUsers()).length === 0,
    dataFolder: folder.path,
    onServers: onServers(config),
    programs: started.programs,
    checkpointKey: started.checkpointKey,
    libraries: await marquee.commands.listLibraries(),
    onlineHost: config.tmdbKey === undefined ? undefined : new URL(config.tmdbUrl ?? 'https://api.themoviedb.org').host,
  }
}

const onServers = ({ eventLog, vault }: Pick<Config, 'eventLog' | 'vault'>) => [
  ...(isShared(eventLog) ? (['MARQUEE_EVENT_LOG'] as const) : []),
  ...(isShared(vault) ? (['MARQUEE_VAULT'] as const) : []),
]

/** Closes in reverse order of opening. */
const stop = ({ listener, marquee, folder }: Running, clock: Clock) =>
  stopWithin(clock, async () => {
    await listener?.close()
    await marquee?.stop()
    folder.release()
  })
