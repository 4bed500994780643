/** Runs the command line once: parses the arguments, connects to the commands, and runs one of them. */
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import type { Config } from '../config/config.ts'
import type { Loaded } from '../config/load.ts'
import type { Clock } from '../ports/clock.ts'
import type { ReadForeignHistory } from '../ports/foreign-history.ts'
import { holdDataFolder, ownDataFolder } from '../process/data-folder.ts'
import type { OpenLogCopy, OpenOffline, OpenStopped } from '../process/open-offline.ts'
import type { MoveLog } from '../process/move-log.ts'
import type { AskServers } from '../process/doctor/server-checks.ts'
import type { RestoreBackup } from '../process/restore.ts'
import { VERSION } from '../process/version.ts'
import type { ConnectOptions } from './connect.ts'
import { connect } from './connect.ts'
import type { ParsedCall } from './command-table.ts'
import { parseCall } from './command-table.ts'
import { COMMAND_NAME } from '../config/command-names.ts'
import { NOT_DONE, NOT_UNDERSTOOD } from './command.ts'
import { commandsHelp } from './help.ts'
import type { Terminal } from './terminal.ts'

export interface CliOptions {
  readonly args: readonly string[]
  readonly load: () => Loaded
  readonly openOffline: OpenOffline
  readonly openStopped: OpenStopped
  readonly openLogCopy: OpenLogCopy
  readonly restoreBackup: RestoreBackup
  readonly moveLog: MoveLog
  readonly askServers: AskServers
  readonly readForeignHistory: ReadForeignHistory
  readonly terminal: Terminal
  readonly clock: Clock
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Base of relative paths in the arguments. */
  readonly folder: string
}

/** Runs to the end and returns the exit code. */
export async function runCommandLine(options: CliOptions): Promise<number> {
  const { args, terminal } = options
  const [first, ...others] = args
  if (first === undefined || ['help', '--help', '-h'].includes(first)) {
    terminal.print(commandsHelp(others))
    return first === undefined ? NOT_UNDERSTOOD : 0
  }
  if (first === '--version') {
    terminal.print(VERSION)
    return 0
  }
  const call = parseCall(args)
  if (!('problem' in call)) return carryOut(call, options)
  terminal.complain(`${call.problem} \`${COMMAND_NAME} help\` lists what there is.`)
  return NOT_UNDERSTOOD
}

async function carryOut(call: ParsedCall, options: CliOptions): Promise<number> {
  const { terminal, signal, openOffline, openStopped } = options
  const { command } = call
  const given = { ...options, rest: call.rest, options: call.options, lists: call.lists, flags: call.flags }
  try {
    if (command.isAlone) return await command.run(given)
    const { bare } = command
    if (bare && call.options[bare.option] !== undefined) return await bare.run(given)
    return command.onlyReads
      ? await connected(given, { own: holdLog, open: openStopped }, (commands) => command.run({ ...given, commands }))
      : await connected(given, { own: ownDataFolder, open: openOffline, ...command }, (commands) => command.run({ ...given, commands }))
  } catch (cause) {
    if (signal.aborted) return complain(terminal, 'Stopped.')
    return complain(terminal, cause instanceof Error ? cause.message : String(cause))
  }
}

/** A log on a server is opened as for any other command. */
const holdLog = (config: Config) => (config.eventLog === 'sqlite:' ? holdDataFolder(config) : ownDataFolder(config))

type Opening<Offline> = Pick<ConnectOptions<Offline>, 'own' | 'open'> & { readonly needsServer?: true | undefined }

async function connected<Offline extends { close(): Promise<void> }>(
  { load, terminal }: CliOptions,
  { own, open, needsServer }: Opening<Offline>,
  run: (commands: OperatorCommands | Offline) => Promise<number>,
): Promise<number> {
  const loaded = load()
  if ('problems' in loaded) return complain(terminal, loaded.problems.join('\n'))
  const connection = await connect({ config: loaded.config, own, open, needsServer: needsServer ?? false })
  if ('problem' in connection) return complain(terminal, connection.problem)
  try {
    return await run(connection.commands)
  } finally {
    await connection.close()
  }
}

function complain(terminal: Terminal, line: string): number {
  terminal.complain(line)
  return NOT_DONE
}
