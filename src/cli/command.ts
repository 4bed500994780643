/** Defines the commands of the command line. */
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Loaded } from '../config/load.ts'
import type { Clock } from '../ports/clock.ts'
import type { ReadForeignHistory } from '../ports/foreign-history.ts'
import type { OpenLogCopy, OpenOffline } from '../process/open-offline.ts'
import type { MoveLog } from '../process/move-log.ts'
import type { AskServers } from '../process/doctor/server-checks.ts'
import type { RestoreBackup } from '../process/restore.ts'
import type { Terminal } from './terminal.ts'

export interface Call {
  readonly commands: OperatorCommands
  readonly terminal: Terminal
  readonly clock: Clock
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Arguments after the command's own words. */
  readonly rest: readonly string[]
  readonly options: Readonly<Record<string, string | undefined>>
  /** Values of repeatable options, in order. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** Names of the given options that take no value. */
  readonly flags: ReadonlySet<string>
  /** Base of relative paths. */
  readonly folder: string
  readonly readForeignHistory: ReadForeignHistory
}

/** A call without a data folder. */
export interface BareCall extends Omit<Call, 'commands'> {
  readonly openLogCopy: OpenLogCopy
  readonly openOffline: OpenOffline
  readonly restoreBackup: RestoreBackup
  readonly load: () => Loaded
}

/** A call that needs neither a server nor the files of the settings' data folder. */
export interface AloneCall extends Omit<Call, 'commands'> {
  readonly load: () => Loaded
  readonly moveLog: MoveLog
  readonly askServers: AskServers
}

/** Exit codes: done, not done (refused or failed), not understood. */
export const DONE = 0
export const NOT_DONE = 1
export const NOT_UNDERSTOOD = 2

/** A call that needs only a log to verify. */
export interface LogCall extends Omit<Call, 'commands'> {
  readonly commands: Pick<OperatorCommands, 'verify'>
}

export type Command = AnyCommand | LogCommand | AloneCommand

interface AnyCommand extends CommandWords {
  readonly isAlone?: undefined
  readonly onlyReads?: undefined
  run(call: Call): Promise<number>
}

/** On the files of a stopped server it changes nothing. */
interface LogCommand extends CommandWords {
  readonly isAlone?: undefined
  readonly onlyReads: true
  run(call: LogCall): Promise<number>
}

interface AloneCommand extends CommandWords {
  readonly isAlone: true
  readonly onlyReads?: undefined
  run(call: AloneCall): Promise<number>
}

interface CommandWords {
  /** The command's words, for example `user add`. */
  readonly words: string
  /** Arguments and options, for the help. */
  readonly usage: string
  readonly summary: string
  /** Fewest and most arguments after the words. */
  readonly takes: readonly [fewest: number, most: number]
  /** Names of its options that take one text. */
  readonly options?: readonly string[]
  /** Names of its repeatable options; each takes a text. */
  readonly lists?: readonly string[]
  /** Names of its options that take no value. */
  readonly flags?: readonly string[]
  /** Whether it prints a script, and therefore takes no `--json`. */
  readonly printsScript?: true
  /** What the first argument and options can be, for completion; anything else may be the name of a file. */
  readonly choices?: { readonly first?: readonly string[]; readonly options?: Readonly<Record<string, readonly string[]>> }
  /** Names of the required options. */
  readonly required?: readonly string[]
  /** Whether it needs a running server. */
  readonly needsServer?: true
  /** The option that names files to work on instead of a data folder. */
  readonly bare?: { readonly option: string; readonly run: (call: BareCall) => Promise<number> }
}

/** Whether the call wants its data as JSON: then it prints one line of it, and nothing about its progress. */
export const wantsJson = ({ flags }: Pick<Call, 'flags'>): boolean => flags.has('json')

/** Prints data, as JSON if that is wanted. */
export function printData(call: Pick<Call, 'flags' | 'terminal'>, data: unknown, lines: () => readonly string[]): void {
  if (wantsJson(call)) call.terminal.print(JSON.stringify(data))
  else for (const line of lines()) call.terminal.print(line)
}

/** Prints the end of a command that only changes something; as JSON the changed resource. */
export function report(
  { flags, terminal }: Pick<Call, 'flags' | 'terminal'>,
  refusal: Refusal | null,
  done: string,
  changed: object = {},
): number {
  if (refusal) {
    terminal.complain(refusal.message)
    return NOT_DONE
  }
  printData({ flags, terminal }, changed, () => [done])
  return DONE
}

/** Prints progress, which is no data. */
export const printProgress = (call: Pick<Call, 'flags' | 'terminal'>, line: string): void => {
  if (!wantsJson(call)) call.terminal.print(line)
}
