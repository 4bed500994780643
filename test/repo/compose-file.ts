/** Reads the compose file for its tests: resolves anchors and merges, and substitutes variables like Compose. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface Service {
  readonly image?: string
  readonly build?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly networks: readonly string[]
  readonly ports?: readonly string[]
  readonly volumes?: readonly (string | { readonly target: string; readonly read_only?: boolean })[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly pids_limit?: number
  readonly mem_limit?: string
  readonly security_opt?: readonly string[]
}

interface Network {
  readonly internal?: boolean
  readonly ipam?: { readonly config: readonly { readonly subnet: string }[] }
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, Network>>
  readonly configs: Readonly<Record<string, { readonly content: string }>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const root = join(import.meta.dirname, '../..')
export const textOf = (name: string) => readFileSync(join(root, name), 'utf8')

/** `${NAME:?line}`, `${NAME:-default}`. */
const VARIABLE = /\$\{(\w+)(?::([?-])([^}]*))?\}/g

/** Names of the variables that Compose requires, and of the optional ones. */
export function variablesOf(text: string): { readonly required: ReadonlySet<string>; readonly optional: ReadonlySet<string> } {
  const found = [...text.matchAll(VARIABLE)]
  const named = (wanted: (operator: string | undefined) => boolean) =>
    new Set(found.filter(([, , operator]) => wanted(operator)).map(([, name = '']) => name))
  return { required: named((operator) => operator === '?'), optional: named((operator) => operator !== '?') }
}

export function composeFile(variables: Readonly<Record<string, string>>): ComposeFile {
  const text = textOf('compose.yaml').replaceAll(VARIABLE, (_, name: string, operator: string, rest = '') => {
    return variables[name] ?? (operator === '-' ? rest : '')
  })
  // `$$` is a literal `$`.
  return parse(
    text.replaceAll('$$', () => '$'),
    { merge: true },
  )
}
