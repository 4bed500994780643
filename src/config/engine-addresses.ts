/**
 * Reads engine addresses: a bare scheme means the engine inside this process, a connection string names a server.
 * Only the form is checked; drivers validate their own options.
 */
import type { Reader } from './reading.ts'

export type EngineName = 'eventLog' | 'readStore' | 'vault' | 'bus'

/** Servers that each engine may be on, for a person to read. */
export const SERVERS: Readonly<Record<EngineName, string>> = {
  eventLog: 'EventStoreDB',
  readStore: 'MongoDB',
  vault: 'MongoDB',
  bus: 'NATS',
}

/** Engines inside this process: no other process shares their data. */
const HERE = ['sqlite:', 'local:'] as const
export const isShared = (engine: string): boolean => !HERE.some((here) => here === engine)

/** For a person to read. */
export const withoutPassword = (address: string): string => address.replace(/\/\/([^/:@]+):[^/@]*@/, '//$1:<password>@')

interface ServerAddress {
  readonly scheme: string
  /** `name:password@`, or empty. */
  readonly user: string
  readonly hosts: readonly string[]
  /** Without the leading slash. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

const SEVERAL_HOSTS =
  "esdb://a:2113,b:2113,c:2113 for several hosts: with esdb+discover EventStoreDB's client would use the first one alone"

/** Any EventStoreDB connection string; its client must use every host in it, and it has no path. */
export const eventLogEngine: Reader<string> = (text, folder) => {
  const address = parseServers(text)
  if (address?.scheme === 'esdb+discover' && address.hosts.length > 1) return { wanted: SEVERAL_HOSTS }
  return eventLogAddress(text, folder)
}

const eventLogAddress: Reader<string> = engine('sqlite:', 'esdb://host:2113?tls=false', (text) => {
  const address = parseServers(text)
  if (!address || !/^esdb(\+discover)?$/.test(address.scheme) || address.path !== '') return undefined
  return `${address.scheme}://${address.user}${address.hosts.join(',')}${address.query}`
})

/** A MongoDB connection string that names its database: without one the driver would use a database called `test`. */
export function documentEngine(example: string): Reader<string> {
  return engine('sqlite:', example, (text) => {
    const address = parseServers(text)
    const one = address?.hosts.length === 1 && !/:\d+$/.test(address.hosts.join())
    const right = address?.scheme === 'mongodb' || (address?.scheme === 'mongodb+srv' && one)
    return right && /^[\w-]{1,63}$/.test(address.path) ? text : undefined
  })
}

/** NATS servers of one cluster: `nats://name:password@host:4222/prefix,nats://other:4222`, with the scheme once or before each. */
export const busEngine: Reader<string> = engine('local:', 'nats://host:4222', (text) => {
  const scheme = /^(nats|tls):\/\//.exec(text)?.[0]
  if (!scheme) return undefined
  const parts = text.split(',').map((part) => (part.includes('://') ? part.trim() : `${scheme}${part.trim()}`))
  return parts.every((part) => part.startsWith(scheme) && isNatsServer(part)) ? parts.join(',') : undefined
})

/** An optional path is the prefix of this installation's subjects. */
function isNatsServer(text: string): boolean {
  const address = parseServers(text)
  return address !== undefined && address.query === '' && /^[\w-]*$/.test(address.path)
}

function engine(here: (typeof HERE)[number], example: string, read: (text: string) => string | undefined): Reader<string> {
  return (text) => {
    if (text === here) return here
    const hint = text.includes('@') ? ' (a password has its : / ? # @ and % written as %3A %2F %3F %23 %40 and %25)' : ''
    return read(text) ?? { wanted: `${here} or an address such as ${example}${hint}` }
  }
}

/** `scheme://name:password@host:port,host:port/path?query`. `URL` cannot parse it, because it allows only one host. */
function parseServers(text: string): ServerAddress | undefined {
  const parts = /^([a-z+]+):\/\/(?:([^\s/?#@:]+(?::[^\s/?#@:]*)?)@)?([^\s/?#@]+)(?:\/([^\s/?#]*))?(\?[^\s#]*)?$/.exec(text)
  const [, scheme = '', user, servers = '', path = '', query = ''] = parts ?? []
  const hosts = servers.split(',')
  if (!parts || !hosts.every(isHost) || /%(?![0-9a-f]{2})/i.test(user ?? '')) return undefined
  return { scheme, user: user === undefined ? '' : `${user}@`, hosts, path, query }
}

/** A name, an IPv4 address, or an IPv6 address in brackets, each with an optional port. */
function isHost(text: string): boolean {
  const parts = /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text)
  const port = Number(parts?.[1] ?? 1)
  return parts !== null && port >= 1 && port <= 65_535
}
