/**
 * Checks that the names of public hosts resolve to the internet. If a name server's answer points to this machine or its network, no
 * connection is made. The name is resolved again for the connection itself, so a name server that lies only then is not detected here; that
 * host would have to present a valid certificate for the name.
 */
import { lookup as lookUp } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Addresses of a host. */
export type Lookup = (host: string) => Promise<readonly string[]>

const PUBLIC_HOSTS: ReadonlySet<string> = new Set(['api.themoviedb.org', 'image.tmdb.org'])

/** Networks that contain no public server (IANA's registries of special addresses). */
const special = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::', 127],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  special.addSubnet(network, bits, 'ipv6')
}

export const isPublicAddress = (address: string): boolean =>
  isIP(address) > 0 && !special.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether a connection to it is allowed: always to a host that a person has configured. @throws the error of the look-up */
export async function mayConnect(host: string, lookup: Lookup = systemLookup): Promise<boolean> {
  if (!PUBLIC_HOSTS.has(host)) return true
  const addresses = await lookup(host)
  return addresses.length > 0 && addresses.every(isPublicAddress)
}

const systemLookup: Lookup = async (host) => (await lookUp(host, { all: true })).map(({ address }) => address)
