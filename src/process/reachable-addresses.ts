/** Lists the addresses under which a person can reach a server on this machine. */
import type { NetworkInterfaceInfo } from 'node:os'
import { isIPv6 } from 'node:net'

export interface Listening {
  /** The value of MARQUEE_HOST. */
  readonly host: string
  readonly port: number
  /** The result of `os.networkInterfaces()`. */
  readonly interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>
}

const EVERY = new Set(['0.0.0.0', '::'])
/** Networks between containers of this machine: no browser runs there. */
const CONTAINERS = /^(docker|br-|veth|virbr|cni|podman)/

/** This machine's own name first, then the addresses for other machines. */
export function reachableAddresses({ host, port, interfaces }: Listening): readonly string[] {
  if (!EVERY.has(host)) return [urlAt(host, port)]
  const outside = Object.entries(interfaces)
    .filter(([name]) => !CONTAINERS.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => urlAt(address, port))
  return [urlAt('localhost', port), ...outside]
}

/** Base URL of a server; IPv6 addresses stand in brackets. */
export const urlAt = (host: string, port: number): string => `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
