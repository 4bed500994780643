/** The text of `npm start -- --help`. */
import { SETTINGS } from './settings.ts'
import type { Setting } from './settings.ts'

const HEAD = `Marquee, a media server for a household.

  npm start -- [--media <folder>]... [--name <library>]

  --media <folder>   take this folder of films in as a library and scan it; may be given more than once
  --name <library>   what that library is called, of all those folders; without it each folder is a library by its own name
  --help             this text

Everything else is done in the browser, through the API (/docs on the running server), or by
\`npm run marquee -- help\`.

Settings are environment variables, or lines NAME=value in a file .env in this folder; the environment goes first.
Lists are separated by commas. Sizes may be written as 256MB or 10 GB (1 KB is 1,024 bytes).
`

export function startHelp(): string {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS)
  return [HEAD, ...settings.map(settingHelp)].join('\n')
}

function settingHelp({ name, standard, meaning }: Setting<unknown>): string {
  return `  ${name}\n      ${meaning}${standard === undefined ? '' : ` Default: ${standard}`}`
}
