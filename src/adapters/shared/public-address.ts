/** Which IP addresses belong to the internet, by IANA's registries of special addresses. */
import { BlockList, isIP } from 'node:net'

/** Networks that contain no public server. IPv4 networks also cover addresses that are mapped into IPv6. */
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
  ['192.88.99.0', 24],
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
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  special.addSubnet(network, bits, 'ipv6')
}
// Gateways turn these into the IPv4 addresses in their last 32 bits: refused for the networks above.
for (const [network, bits] of [
  ['0', 8],
  ['a00', 8],
  ['6440', 10],
  ['7f00', 8],
  ['a9fe', 16],
  ['ac10', 12],
  ['c0a8', 16],
  ['e000', 3],
] as const) {
  for (const prefix of ['64:ff9b::', '::']) special.addSubnet(`${prefix}${network}:0`, 96 + bits, 'ipv6')
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

export const isPublicAddress = (address: string): boolean => isIP(address) > 0 && !special.check(address, familyOf(address))

/** Whether an address is in one of the networks, such as `10.0.0.0/8` or `fd00::1`. */
export function createNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) > 0 && list.check(address, familyOf(address))
}
