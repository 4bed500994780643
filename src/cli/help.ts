/** The text of `npm run marquee -- help`. */
import { COMMAND_NAME, START_COMMAND } from '../config/command-names.ts'
import type { Command } from './command.ts'
import { COMMANDS, usageOf } from './command-table.ts'

const FOOT = `Commands use the running server of the data folder (MARQUEE_DATA_DIR), or open the files if no server runs. \`${START_COMMAND} --help\` lists the settings.`

/** All commands, or those that start with the given words. */
export function commandsHelp(words: readonly string[]): string {
  const asked = words.join(' ')
  const chosen = COMMANDS.filter((command) => command.words.startsWith(asked))
  return [`${COMMAND_NAME} <command>`, '', ...(chosen.length > 0 ? chosen : COMMANDS).map(entry), '', FOOT].join('\n')
}

const entry = (command: Command) =>
  `  ${usageOf(command)}\n      ${command.summary}${command.needsServer ? ' (needs the running server)' : ''}`
