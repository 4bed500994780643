/** Lists every command of `npm run marquee -- <command>`, and finds the one that the arguments name. */
import { parseArgs } from 'node:util'
import { apiCommand } from './api-command.ts'
import { backupCommands } from './backup-commands.ts'
import type { Command } from './command.ts'
import { completionCommand } from './completion-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { importCommands } from './import-command.ts'
import { keyCommand } from './key-command.ts'
import { libraryChangeCommands } from './library-change-commands.ts'
import { libraryCommands } from './library-commands.ts'
import { moveCommand } from './move-command.ts'
import { playCommand } from './play-command.ts'
import { rebuildCommand } from './rebuild-command.ts'
import { replayCommand } from './replay-command.ts'
import { sessionCommands } from './session-commands.ts'
import { tokenCommands } from './token-commands.ts'
import { userChangeCommands } from './user-change-commands.ts'
import { userCommands } from './user-commands.ts'
import { verifyCommand } from './verify-command.ts'
import { webhookCommands } from './webhook-commands.ts'

export const COMMANDS: readonly Command[] = [
  ...userCommands,
  ...userChangeCommands,
  ...tokenCommands,
  ...libraryCommands,
  ...libraryChangeCommands,
  ...sessionCommands,
  ...webhookCommands,
  ...importCommands,
  ...backupCommands,
  apiCommand,
  completionCommand(() => COMMANDS),
  doctorCommand,
  keyCommand,
  moveCommand,
  playCommand,
  rebuildCommand,
  replayCommand,
  verifyCommand,
]

export interface ParsedCall {
  readonly command: Command
  readonly rest: readonly string[]
  readonly options: Readonly<Record<string, string | undefined>>
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly flags: ReadonlySet<string>
}

/** The command with its arguments, or their error in one line. */
export function parseCall(args: readonly string[]): ParsedCall | { readonly problem: string } {
  const command = COMMANDS.find(({ words }) => words.split(' ').every((word, index) => args[index] === word))
  if (!command) return { problem: unknown(args) }
  const parsed = parseOptions(command, args)
  if ('problem' in parsed) return { problem: `${parsed.problem}. Usage: ${usageOf(command)}` }
  const rest = parsed.positionals.slice(command.words.split(' ').length)
  const values = Object.entries(parsed.values)
  const texts = Object.fromEntries(values.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  const missing = command.required?.find((name) => texts[name] === undefined)
  if (missing) return { problem: `--${missing} is missing. Usage: ${usageOf(command)}` }
  const [fewest, most] = command.takes
  if (rest.length < fewest) return { problem: `An argument is missing. Usage: ${usageOf(command)}` }
  if (rest.length > most) return { problem: `${rest[most]} is one argument too many. Usage: ${usageOf(command)}` }
  const lists = Object.fromEntries(values.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.map(String)]] : [])))
  return { command, rest, options: texts, lists, flags: new Set(values.flatMap(([name, value]) => (value === true ? [name] : []))) }
}

export const usageOf = ({ words, usage, printsScript }: Command): string =>
  [words, usage, ...(printsScript ? [] : ['[--json]'])].filter((part) => part !== '').join(' ')

function unknown(args: readonly string[]): string {
  const near = COMMANDS.filter(({ words }) => words.startsWith(`${args[0]} `)).map(({ words }) => words)
  return near.length > 0 ? `${args[0]} is one of: ${near.join(', ')}.` : `There is no command ${args[0]}.`
}

function parseOptions({ options = [], lists = [], flags = [], printsScript }: Command, args: readonly string[]) {
  try {
    const known = Object.fromEntries([
      ...options.map((name) => [name, { type: 'string' }] as const),
      ...lists.map((name) => [name, { type: 'string', multiple: true }] as const),
      ...[...flags, ...(printsScript ? [] : ['json'])].map((name) => [name, { type: 'boolean' }] as const),
    ])
    return parseArgs({ args: [...args], options: known, allowPositionals: true })
  } catch (cause) {
    return { problem: optionProblem(cause) }
  }
}

function optionProblem(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  const dashed = /^Option '.*(--[^ ]+)' argument is ambiguous/.exec(message)?.[1]
  if (dashed !== undefined) return `${dashed} has no value; one that begins with a dash is given as ${dashed}=-1`
  return message.split(/\.(?: |$)|\n/)[0] ?? ''
}
