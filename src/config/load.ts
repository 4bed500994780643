/** The settings of this process: its environment over the `.env` file of its folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { configWarnings, isConfig, readConfig } from './config.ts'
import type { Config, Environment } from './config.ts'

/** All of it is right, or one line for each thing that is not. */
export type Loaded = { readonly config: Config; readonly warnings: readonly string[] } | { readonly problems: readonly string[] }

export function loadConfig({ env, folder }: { readonly env: Environment; readonly folder: string }): Loaded {
  const dotEnv = readDotEnv(join(folder, '.env'))
  if (typeof dotEnv === 'string') return { problems: [dotEnv] }
  const config = readConfig({ env, dotEnv, folder })
  return isConfig(config) ? { config, warnings: configWarnings({ env, dotEnv }) } : { problems: config.map(({ message }) => message) }
}

/** Empty where there is no such file; a line for a person where it cannot be read. */
function readDotEnv(path: string): Environment | string {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable'
    return code === 'ENOENT' ? {} : `${path} cannot be read (${code}): make it a readable file, or take it away.`
  }
}
