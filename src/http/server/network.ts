/** Returns the network of a request, which is the unit of anonymous rate limits: an IPv6 household has a whole /64 of addresses. */
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

const IPV6_NETWORK_BITS = 64

/** An IPv4 address, or the /64 of an IPv6 address. */
export const networkOf = ({ ip }: FastifyRequest): string => normalizeIP(ip, IPV6_NETWORK_BITS)
