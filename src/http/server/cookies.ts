/** The session cookie of web clients. */
import type { FastifyReply, FastifyRequest } from 'fastify'

export const SESSION_COOKIE = 'session_token'
const MAX_AGE_SECONDS = 7 * 86_400

/** What tells whether clients reach the server by https: then cookies are `Secure`. */
export interface CookieContext {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly publicUrl: string | undefined
}

/** Sets the cookie. One that is not remembered ends with the browser. */
export function setSessionCookie(token: string, { request, reply, publicUrl }: CookieContext, remember = true): void {
  const life = remember ? { maxAge: MAX_AGE_SECONDS } : {}
  reply.setCookie(SESSION_COOKIE, token, { ...attributes(request, publicUrl), ...life })
}

export function clearSessionCookie({ request, reply, publicUrl }: CookieContext): void {
  reply.setCookie(SESSION_COOKIE, '', { ...attributes(request, publicUrl), maxAge: 0 })
}

const attributes = (request: FastifyRequest, publicUrl: string | undefined) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request, publicUrl) }) as const

const isSecure = (request: FastifyRequest, publicUrl: string | undefined) =>
  publicUrl?.startsWith('https:') === true || request.protocol === 'https'
