/**
 * Handles the session cookie of web clients. On https its name has the prefix `__Host-`: browsers accept such a cookie only from this host
 * over https, so that neither a sibling subdomain nor a page on http can replace it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

const SESSION_COOKIE = 'session_token'
const HOST_COOKIE = '__Host-session_token'
const MAX_AGE_SECONDS = 7 * 86_400
const PASSING_SECONDS = 900

/** Decides whether clients reach the server by https: then cookies are `Secure`. */
export interface CookieContext {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly publicUrl: string | undefined
}

/** Cookies of single sign-on, which last for minutes. */
export type PassingCookie = 'oidc_pending' | 'oidc_ticket'

export const passingCookieOf = ({ cookies }: FastifyRequest, name: PassingCookie): string | undefined =>
  cookies[`__Host-${name}`] ?? cookies[name]

export function setPassingCookie(name: PassingCookie, value: string, { request, reply, publicUrl }: CookieContext): void {
  const secure = isSecure(request, publicUrl)
  reply.setCookie(secure ? `__Host-${name}` : name, value, { ...attributes(secure), maxAge: PASSING_SECONDS })
}

export function clearPassingCookie(name: PassingCookie, { request, reply, publicUrl }: CookieContext): void {
  const secure = isSecure(request, publicUrl)
  clear(reply, secure ? `__Host-${name}` : name, secure)
}

/** The token of the cookie under either name; the name that only this host can set has priority. */
export const sessionCookieOf = ({ cookies }: FastifyRequest): string | undefined => cookies[HOST_COOKIE] ?? cookies[SESSION_COOKIE]

/** Sets the cookie. Without `rememberMe` it is a session cookie of the browser. */
export function setSessionCookie(token: string, { request, reply, publicUrl }: CookieContext, remember = true): void {
  const life = remember ? { maxAge: MAX_AGE_SECONDS } : {}
  const secure = isSecure(request, publicUrl)
  reply.setCookie(secure ? HOST_COOKIE : SESSION_COOKIE, token, { ...attributes(secure), ...life })
  // Otherwise an old login in the cookie without the prefix would take effect again after the new cookie has expired.
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
