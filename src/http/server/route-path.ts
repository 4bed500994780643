/** Returns the path of a request as the router reads it: `/%76%31/movies` is `/v1/movies`, and the same rules must apply to it. */
import type { FastifyRequest } from 'fastify'

/** The pattern of the route; for an unknown path its decoded text, without the query. */
export function routePath({ routeOptions, url }: FastifyRequest): string {
  return routeOptions.url ?? decoded(withoutQuery(url))
}

const QUERY = /[?#].*$/s
export const withoutQuery = (url: string): string => url.replace(QUERY, '')

/** As it is, if it is not encoded well. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Whether the path is `/v1` or lies below it. */
export const isApiPath = (path: string): boolean => path === '/v1' || path.startsWith('/v1/')
