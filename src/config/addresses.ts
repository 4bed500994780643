/**
 * Readers of addresses: the engines that this process works with, and URLs.
 */
import type { Reader } from './reading.ts'

export interface EngineSchemes<Here extends string> {
  /** The engine inside this process: the scheme alone, for example `sqlite:`. */
  readonly here: Here
  /** Where the others are reached, for example `esdb://host:2113`, and what they are called. */
  readonly later: { readonly example: string; readonly name: string }
}

/** An engine: the built-in one by its scheme; the distributed ones are known by theirs, but not built yet. */
export function engine<Here extends string>({ here, later }: EngineSchemes<Here>): Reader<Here> {
  const scheme = later.example.slice(0, later.example.indexOf('://') + 3)
  return (text) => {
    if (text === here) return here
    return text.startsWith(scheme) ? { notYet: later.name, instead: here } : { wanted: here }
  }
}

const ROLES = ['api', 'projector', 'agent'] as const
export type ProcessRole = (typeof ROLES)[number]

/** All three in one process; fewer than that needs engines that several processes can share. */
export const roles: Reader<readonly ProcessRole[]> = (text) => {
  const named = new Set(text.split(',').map((part) => part.trim()))
  const known = ROLES.filter((role) => named.delete(role))
  if (named.size > 0 || known.length === 0) return { wanted: ROLES.join(',') }
  return known.length === ROLES.length ? known : { notYet: `A process with only ${known.join(' and ')}`, instead: ROLES.join(',') }
}

function parseHttp(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return plain && /^https?:$/.test(url.protocol) ? url : undefined
}

/** An http or https URL without query, and without a slash at its end. */
export const httpUrl: Reader<string> = (text) => {
  const url = parseHttp(text)
  return url ? `${url.origin}${url.pathname}`.replace(/\/+$/, '') : { wanted: 'an address such as https://films.example.org' }
}

/** An origin as browsers send it: scheme, host and port. */
export const origin: Reader<string> = (text) => {
  const url = parseHttp(text)
  return url?.pathname === '/' ? url.origin : { wanted: 'origins such as https://films.example.org, separated by commas' }
}
