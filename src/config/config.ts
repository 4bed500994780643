/**
 * Reads the configuration: the settings of `config/settings.ts` from the environment and the `.env` file. A wrong value yields one line for
 * a person, and nothing starts.
 */
import { START_COMMAND } from './command-names.ts'
import { brokenRules } from './engine-rules.ts'
import { SETTINGS } from './settings.ts'
import { isWrong } from './reading.ts'
import { nearestName } from './nearest-name.ts'
import type { Wrong } from './reading.ts'
import type { Setting } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Every setting under its short name: `config.port`, `config.dataDir` (absolute), ... */
export type Config = { readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer Value> ? Value : never }

/** The errors that prevent the start, one line each. */
export interface ConfigError {
  readonly name: string
  readonly message: string
}

export interface ConfigSources {
  readonly env: Environment
  /** Values of the `.env` file; the environment overrides them. */
  readonly dotEnv?: Environment
  /** Base of relative paths. */
  readonly folder?: string
}

/** The configuration, or all its errors. An empty value counts as unset. */
export function readConfig({ env, dotEnv = {}, folder = process.cwd() }: ConfigSources): Config | readonly ConfigError[] {
  const problems: ConfigError[] = []
  const values = Object.entries<Setting<unknown>>(SETTINGS).map(([key, setting]) => {
    const text = written(setting, { ...dotEnv, ...env }) ?? setting.standard
    const value = text === undefined ? undefined : setting.read(text, folder)
    if (isWrong(value)) problems.push({ name: setting.name, message: complaint(setting, text ?? '', value) })
    return [key, value] as const
  })
  if (problems.length > 0) return problems
  // The one place that casts the table to a type: each value came from the reader under the same key.
  const config = Object.fromEntries(values) as Config
  const broken = brokenRules(config)
  return broken.length > 0 ? broken : config
}

export const isConfig = (read: Config | readonly ConfigError[]): read is Config => !Array.isArray(read)

/** Warnings that do not prevent the start: unknown names. */
export function configWarnings({ env, dotEnv = {} }: ConfigSources): readonly string[] {
  const known: readonly string[] = Object.values(SETTINGS).map(({ name }) => name)
  const unknown = Object.keys({ ...dotEnv, ...env }).filter((name) => /^MARQUEE_/i.test(name) && !known.includes(name))
  return unknown.map((name) => strange(name, known))
}

function written(setting: Setting<unknown>, given: Environment): string | undefined {
  const text = given[setting.name]
  const value = setting.verbatim ? text : text?.trim()
  return value === '' ? undefined : value
}

function complaint(setting: Setting<unknown>, text: string, { wanted }: Wrong): string {
  const value = shown(setting, text)
  return `${value === undefined ? `${setting.name} is` : `${setting.name}=${value} is`} invalid: give ${wanted}.`
}

/** One short line without secrets: of a value that should be a connection string only its scheme, however malformed it is. */
export function shown({ secret, engine }: Setting<unknown>, text: string): string | undefined {
  if (secret) return undefined
  if (engine) return /^[a-z0-9+.-]+:?$/i.test(text) ? text : /^[a-z0-9+.-]+:\/\//i.exec(text)?.[0].concat('...')
  const line = withoutKeys(text).replaceAll(/\p{Cc}/gu, ' ')
  return line.length > 80 ? `${line.slice(0, 80)}...` : line
}

/** Removes user info and query from an address: both may contain keys. */
function withoutKeys(text: string): string {
  const at = text.lastIndexOf('@')
  const user = text.slice(0, Math.max(0, at))
  const scheme = user.includes('//') ? `${user.slice(0, user.indexOf('//'))}//` : ''
  const place = user.includes(':') || user.includes('//') ? `${scheme}...${text.slice(at)}` : text
  const query = place.includes('//') || place.includes('=') ? place.search(/[?#]/) : -1
  return query < 0 ? place : `${place.slice(0, query + 1)}...`
}

function strange(name: string, known: readonly string[]): string {
  const near = nearestName(name.toUpperCase(), known)
  return `${name} is not a setting${near ? `; did you mean ${near}?` : `: \`${START_COMMAND} --help\` lists them all.`}`
}
