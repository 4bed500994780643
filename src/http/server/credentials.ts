/**
 * Finds the credential of a request: the Authorization header, otherwise (if allowed) the `token` parameter, otherwise the session cookie.
 * The first one present decides: if it is invalid, no other is tried.
 */
import type { FastifyRequest } from 'fastify'
import { ACCESS_TOKEN_PREFIX } from '../../app/accounts/access-tokens.ts'
import { sessionCookieOf } from './cookies.ts'

export interface Credential {
  /** Empty: a credential is present, but cannot be one of this server. */
  readonly token: string
  readonly from: 'header' | 'query' | 'cookie'
}

const BEARER = /^bearer +([\x21-\x7e]+)$/i

export function credentialOf(request: FastifyRequest, { query }: { readonly query: boolean }): Credential | undefined {
  return fromHeader(request) ?? (query ? fromQuery(request) : undefined) ?? fromCookie(request)
}

function fromHeader({ headers }: FastifyRequest): Credential | undefined {
  const { authorization } = headers
  return authorization ? { token: BEARER.exec(authorization.trim())?.[1] ?? '', from: 'header' } : undefined
}

/** A repeated parameter counts as none. */
function fromQuery({ query }: FastifyRequest): Credential | undefined {
  const token: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, 'token') : undefined
  return token === undefined ? undefined : { token: typeof token === 'string' ? token : '', from: 'query' }
}

function fromCookie(request: FastifyRequest): Credential | undefined {
  const token = sessionCookieOf(request)
  if (!token) return undefined
  // Access tokens are for programs: a browser that holds one as its cookie would be signed in for as long as the token lasts.
  return { token: token.startsWith(ACCESS_TOKEN_PREFIX) ? '' : token, from: 'cookie' }
}
