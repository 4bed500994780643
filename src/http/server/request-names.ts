/** Names of requests for meters and traces: nothing that a caller chooses is part of them. */
import type { FastifyRequest } from 'fastify'

const UNKNOWN = 'unknown'
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export const methodOf = ({ method }: FastifyRequest): string => (METHODS.has(method) ? method : UNKNOWN)

/** Its pattern, such as `/v1/movies/:movieId`. */
export const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? UNKNOWN
