/**
 * Checks that the names of public hosts resolve to the internet. If a name server's answer points to this machine or its network, no
 * connection is made. The name is resolved again for the connection itself, so a name server that lies only then is not detected here; that
 * host would have to present a valid certificate for the name.
 */
import { lookup as lookUp } from 'node:dns/promises'
import { isPublicAddress } from '../shared/public-address.ts'

/** Addresses of a host. */
export type Lookup = (host: string) => Promise<readonly string[]>

const PUBLIC_HOSTS: ReadonlySet<string> = new Set(['api.themoviedb.org', 'image.tmdb.org'])

/** Whether a connection to it is allowed: always to a host that a person has configured. @throws the error of the look-up */
export async function mayConnect(host: string, lookup: Lookup = systemLookup): Promise<boolean> {
  if (!PUBLIC_HOSTS.has(host)) return true
  const addresses = await lookup(host)
  return addresses.length > 0 && addresses.every(isPublicAddress)
}

const systemLookup: Lookup = async (host) => (await lookUp(host, { all: true })).map(({ address }) => address)
