/** Loads the settings of this process: its environment, which overrides the `.env` file in its folder. */
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { configWarnings, isConfig, readConfig } from './config.ts'
import type { Config, Environment } from './config.ts'

/** The valid configuration, or one line for each error. */
export type Loaded = { readonly config: Config; readonly warnings: readonly string[] } | { readonly problems: readonly string[] }

export function loadConfig({ env, folder }: { readonly env: Environment; readonly folder: string }): Loaded {
  const dotEnv = readDotEnv(join(folder, '.env'))
  if (typeof dotEnv === 'string') return { problems: [dotEnv] }
  const config = readConfig({ env, dotEnv, folder })
  return isConfig(config) ? { config, warnings: configWarnings({ env, dotEnv }) } : { problems: config.map(({ message }) => message) }
}

/** Empty if there is no such file; an error line for a person if it cannot be read. */
function readDotEnv(path: string): Environment | string {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (cause) {
    const code = codeOf(cause)
    return code === 'ENOENT' || (code === 'EACCES' && !isThere(path))
      ? {}
      : `${path} cannot be read (${code}): make it a readable file, or take it away.`
  }
}

/** False in a folder that cannot be searched, such as the private one of another person, in which a command may be started. */
function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable')
