/** Parses the server's command line: `npm start -- [--media <folder>]... [--name <library>] [--help] [--version]`. */
import { START_COMMAND } from './command-names.ts'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface StartArguments {
  /** Absolute paths of folders to add as a library and scan. */
  readonly media: readonly string[]
  /** Name of that library. */
  readonly name: string | undefined
  readonly help: boolean
  readonly version: boolean
}

const OPTIONS = {
  media: { type: 'string', multiple: true },
  name: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** The arguments, or their error in one line. */
export function readStartArguments(args: readonly string[], folder: string): StartArguments | { readonly problem: string } {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const media = values.media ?? []
    if (media.includes('')) return { problem: '--media is empty: give a folder with films.' }
    if (values.name?.trim() === '') return { problem: '--name is empty: give the library a name.' }
    if (values.name !== undefined && media.length === 0)
      return { problem: '--name names the library of --media: give a folder with --media, too.' }
    const { help = false, version = false } = values
    return { media: [...new Set(media.map((path) => resolve(folder, path)))], name: values.name?.trim(), help, version }
  } catch (cause) {
    return { problem: `${firstSentence(cause)}. \`${START_COMMAND} --help\` lists what there is.` }
  }
}

const firstSentence = (cause: unknown) =>
  (cause instanceof Error ? cause.message : String(cause)).split(/\. |\n/)[0]?.replace(/\.$/, '') ?? ''
