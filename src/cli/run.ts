/** One run of the command line: understand the arguments, get at the commands, carry one out. */
import type { Loaded } from '../config/load.ts'
import type { Clock } from '../ports/clock.ts'
import type { ReadForeignHistory } from '../ports/foreign-history.ts'
import type { OpenLogCopy, OpenOffline } from '../process/open-offline.ts'
import type { Connection } from './connect.ts'
import { connect } from './connect.ts'
import type { ParsedCall } from './command-table.ts'
import { parseCall } from './command-table.ts'
import { NOT_DONE, NOT_UNDERSTOOD } from './command.ts'
import { commandsHelp } from './help.ts'
import type { Terminal } from './terminal.ts'

export interface CliOptions {
  readonly args: readonly string[]
  readonly load: () => Loaded
  readonly openOffline: OpenOffline
  readonly openLogCopy: OpenLogCopy
  readonly readForeignHistory: ReadForeignHistory
  readonly terminal: Terminal
  readonly clock: Clock
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** What relative paths in the arguments count from. */
  readonly folder: string
}

/** Runs to the end and gives the exit code. */
export async function runCommandLine(options: CliOptions): Promise<number> {
  const { args, terminal } = options
  const [first, ...others] = args
  if (first === undefined || ['help', '--help', '-h'].includes(first)) {
    terminal.say(commandsHelp(others))
    return first === undefined ? NOT_UNDERSTOOD : 0
  }
  const call = parseCall(args)
  if (!('problem' in call)) return carryOut(call, options)
  terminal.complain(`${call.problem} \`npm run marquee -- help\` lists what there is.`)
  return NOT_UNDERSTOOD
}

async function carryOut(call: ParsedCall, options: CliOptions): Promise<number> {
  const { terminal, signal } = options
  try {
    const { bare } = call.command
    if (bare && call.options[bare.option] !== undefined) return await bare.run({ ...options, ...valuesOf(call) })
    const connection = await connectTo(call, options)
    if ('problem' in connection) return complain(terminal, connection.problem)
    try {
      return await call.command.run({
        ...options,
        ...valuesOf(call),
        commands: connection.commands,
      })
    } finally {
      await connection.close()
    }
  } catch (cause) {
    if (signal.aborted) return complain(terminal, 'Stopped.')
    return complain(terminal, cause instanceof Error ? cause.message : String(cause))
  }
}

const valuesOf = ({ rest, options, lists, flags }: ParsedCall) => ({ rest, options, lists, flags })

async function connectTo({ command }: ParsedCall, { load, openOffline }: CliOptions): Promise<Connection | { readonly problem: string }> {
  const loaded = load()
  if ('problems' in loaded) return { problem: loaded.problems.join('\n') }
  return connect({ config: loaded.config, openOffline, needsServer: command.needsServer ?? false })
}

function complain(terminal: Terminal, line: string): number {
  terminal.complain(line)
  return NOT_DONE
}
