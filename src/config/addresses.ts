/** Reads URLs of web pages, and the roles of a process. */
import type { Reader } from './reading.ts'

const ROLES = ['api', 'projector', 'agent'] as const
export type ProcessRole = (typeof ROLES)[number]

/** The roles in their canonical order, regardless of the order in the text. */
export const roles: Reader<readonly ProcessRole[]> = (text) => {
  const named = new Set(text.split(',').map((part) => part.trim()))
  const known = ROLES.filter((role) => named.delete(role))
  return named.size > 0 || known.length === 0 ? { wanted: `any of ${ROLES.join(', ')}, separated by commas` } : known
}

function parseHttp(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return plain && /^https?:$/.test(url.protocol) ? url : undefined
}

/** An http or https URL without a query; a trailing slash is removed. */
export const httpUrl: Reader<string> = (text) => {
  const url = parseHttp(text)
  return url ? `${url.origin}${url.pathname}`.replace(/\/+$/, '') : { wanted: 'an address such as https://films.example.org' }
}

/** The URL of an OpenID Connect provider, as it writes it itself: a trailing slash belongs to it. */
export const issuerUrl: Reader<string> = (text) =>
  parseHttp(text) ? text : { wanted: 'the address that the provider names as its issuer, such as https://login.example.org' }

export interface HostAndPort {
  readonly host: string
  readonly port: number
}

/** `127.0.0.1:9464`, `[::1]:9464` or `localhost:9464`. */
export const hostAndPort: Reader<HostAndPort> = (text) => {
  const [, bracketed, plain, digits = ''] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]{1,253})):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  return host !== undefined && port <= 65_535 ? { host, port } : { wanted: 'an address such as 127.0.0.1:9464' }
}

/** An origin as browsers send it: scheme, host and port. */
function originOf(text: string): string | undefined {
  const url = parseHttp(text)
  return url?.pathname === '/' ? url.origin : undefined
}

export const origin: Reader<string> = (text) =>
  originOf(text) ?? { wanted: 'origins such as https://films.example.org, separated by commas' }

/** The web client expects to be at the root of its origin. */
export const siteUrl: Reader<string> = (text) =>
  originOf(text) ?? { wanted: 'an address without a path, such as https://films.example.org' }
