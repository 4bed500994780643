/**
 * The session cookie of web clients. On https its name has the prefix `__Host-`: browsers take such a cookie only from this very host, over
 * https, so that neither a neighbouring subdomain nor a page without https can put another one in its place.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

const SESSION_COOKIE = 'session_token'
const HOST_COOKIE = '__Host-session_token'
const MAX_AGE_SECONDS = 7 * 86_400

/** What tells whether clients reach the server by https: then cookies are `Secure`. */
export interface CookieContext {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly publicUrl: string | undefined
}

/** The token in the cookie, whichever name it has; the one that only this host can have set comes first. */
export const sessionCookieOf = ({ cookies }: FastifyRequest): string | undefined => cookies[HOST_COOKIE] ?? cookies[SESSION_COOKIE]

/** Sets the cookie. One that is not remembered ends with the browser. */
export function setSessionCookie(token: string, { request, reply, publicUrl }: CookieContext, remember = true): void {
  const life = remember ? { maxAge: MAX_AGE_SECONDS } : {}
  const secure = isSecure(request, publicUrl)
  reply.setCookie(secure ? HOST_COOKIE : SESSION_COOKIE, token, { ...attributes(secure), ...life })
  // Otherwise the login of somebody else in it would count again, once the new cookie has ended.
  if (secure && request.cookies[SESSION_COOKIE] !== undefined) clear(reply, SESSION_COOKIE, secure)
}

/** Both: the browser may have one of each name. */
export function clearSessionCookie({ request, reply, publicUrl }: CookieContext): void {
  clear(reply, SESSION_COOKIE, isSecure(request, publicUrl))
  clear(reply, HOST_COOKIE, true)
}

const clear = (reply: FastifyReply, name: string, secure: boolean) => reply.setCookie(name, '', { ...attributes(secure), maxAge: 0 })

const attributes = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const

const isSecure = (request: FastifyRequest, publicUrl: string | undefined) =>
  publicUrl?.startsWith('https:') === true || request.protocol === 'https'
