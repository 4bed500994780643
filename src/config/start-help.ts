/** Builds the text of `npm start -- --help`. */
import { COMMAND_NAME, START_COMMAND } from './command-names.ts'
import { SETTINGS } from './settings.ts'
import type { Setting } from './settings.ts'

const HEAD = `Marquee, a media server for a household.

  ${START_COMMAND} [--media <folder>]... [--name <library>]

  --media <folder>   add this folder of films as a library and scan it; may be repeated
  --name <library>   name of one library of all these folders; default: one library per folder, named after it
  --help             this text
  --version          the version, and nothing else

Everything else works through the API (see /docs on the running server) or by
\`${COMMAND_NAME} help\`.

Settings are environment variables, or lines NAME=value in a file .env in this folder; the environment takes precedence.
Lists are separated by commas. Sizes may be written as 256MB or 10 GB (1 KB is 1,024 bytes).
`

export function startHelp(): string {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS)
  return [HEAD, ...settings.map(settingHelp)].join('\n')
}

function settingHelp({ name, standard, meaning }: Setting<unknown>): string {
  return `  ${name}\n      ${meaning}${standard === undefined ? '' : ` Default: ${standard}`}`
}
