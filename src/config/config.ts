/**
 * Configuration: the settings of `config/settings.ts` as the environment and the `.env` file give them. A wrong value is
 * answered by a line for a person, and nothing starts.
 */
import { brokenRules } from './engine-rules.ts'
import { SETTINGS } from './settings.ts'
import { isWrong } from './reading.ts'
import { nearestName } from './nearest-name.ts'
import type { Wrong } from './reading.ts'
import type { Setting } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Every setting under its short name: `config.port`, `config.dataDir` (absolute), ... */
export type Config = { readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer Value> ? Value : never }

/** What stops the start: one line for each. */
export interface ConfigProblem {
  readonly name: string
  readonly message: string
}

export interface ConfigSources {
  readonly env: Environment
  /** Values of the `.env` file; those of the environment go before them. */
  readonly dotEnv?: Environment
  /** What relative paths count from. */
  readonly folder?: string
}

/** The configuration, or all that is wrong with it. An empty value counts as not given. */
export function readConfig({ env, dotEnv = {}, folder = process.cwd() }: ConfigSources): Config | readonly ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const values = Object.entries<Setting<unknown>>(SETTINGS).map(([key, setting]) => {
    const text = written(setting, { ...dotEnv, ...env }) ?? setting.standard
    const value = text === undefined ? undefined : setting.read(text, folder)
    if (isWrong(value)) problems.push({ name: setting.name, message: complaint(setting, text ?? '', value) })
    return [key, value] as const
  })
  if (problems.length > 0) return problems
  // The one place where the table becomes a type: each value came from the reader under the same key.
  const config = Object.fromEntries(values) as Config
  const broken = brokenRules(config)
  return broken.length > 0 ? broken : config
}

export const isConfig = (read: Config | readonly ConfigProblem[]): read is Config => !Array.isArray(read)

/** What the start says, but goes on: names that nobody knows. */
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
  return `${value === undefined ? `${setting.name} is` : `${setting.name}=${value} is`} not right: give ${wanted}.`
}

/** One short line that lets nobody in: of what should be a connection string only its scheme, whatever its form. */
export function shown({ secret, engine }: Setting<unknown>, text: string): string | undefined {
  if (secret) return undefined
  if (engine) return /^[a-z0-9+.-]+:?$/i.test(text) ? text : /^[a-z0-9+.-]+:\/\//i.exec(text)?.[0].concat('...')
  const line = withoutKeys(text).replaceAll(/\p{Cc}/gu, ' ')
  return line.length > 80 ? `${line.slice(0, 80)}...` : line
}

/** Of an address neither who signs in nor what its query says: keys stand in both. */
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
  return `${name} is not a setting${near ? `; did you mean ${near}?` : ': `npm start -- --help` lists them all.'}`
}
