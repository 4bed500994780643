/** The address of this server as browsers know it: what the operator has set, else what the request names. */
import type { FastifyRequest } from 'fastify'
import { badRequest } from './errors.ts'

/** @throws HttpError 400 if the request names no host */
export function siteOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): URL {
  const site = publicUrl ?? `${protocol}://${host}`
  if (!URL.canParse(site)) throw badRequest('The Host header is not a host')
  return new URL(site)
}
