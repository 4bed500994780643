/**
 * Serves single sign-on by OpenID Connect. The browser goes to the provider and comes back, so the first two answers are redirects: what the
 * page has to know is in the fragment, which reaches neither servers nor logs.
 */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Completed, SingleSignOn } from '../../app/accounts/single-sign-on.ts'
import { byUser } from '../../app/commands/command-handler.ts'
import { refuse } from '../../domain/refusal.ts'
import type { App, RouteContext } from '../server/app.ts'
import { clearPassingCookie, passingCookieOf, setPassingCookie, type CookieContext } from '../server/cookies.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, operation } from '../server/operation.ts'
import { siteOf } from '../server/site.ts'
import { refTo } from '../server/values-schemas.ts'
import { Done } from './own-account-schemas.ts'
import { answerSignedIn } from './sign-in-routes.ts'
import { BeginQuery, CallbackQuery, LinkBody, SingleSignOnStatus } from './single-sign-on-schemas.ts'

const tag = 'sign-in'
const CALLBACK = '/api/auth/oidc/callback'
const redirect = (description: string) => ({ 302: { description, headers: { location: Type.String() } } })

const BEGIN = {
  ...operation({
    id: 'beginSingleSignOn',
    tag,
    summary: 'Sign in at the identity provider',
    description: 'For browsers. 404 without `MARQUEE_OIDC_ISSUER`.',
    by: 'anyone',
    answers: redirect('To the identity provider; if it does not answer, to the page with `#sign-in=away`.'),
    errors: [404, 422, 429],
  }),
  querystring: BeginQuery,
}

const COMPLETE = {
  ...operation({
    id: 'completeSingleSignOn',
    tag,
    summary: 'Complete a sign-in at the identity provider',
    description:
      'The redirect URI to register at the provider. The fragment of the page contains the next step: `challenge` of the second factor, or ' +
      '`sign-in`: `link`, or why nobody was signed in.',
    by: 'anyone',
    answers: redirect('To a page, with the session cookie if somebody is signed in.'),
    errors: [404, 422, 429],
  }),
  querystring: CallbackQuery,
}

const STATUS = operation({
  id: 'getSingleSignOn',
  tag,
  summary: 'Get whether your account is linked with the identity provider',
  answers: { 200: { description: 'The state.', schema: refTo(SingleSignOnStatus) } },
})

const LINK = {
  ...operation({
    id: 'linkSingleSignOn',
    tag,
    summary: 'Link your account with the identity provider',
    description: 'Needs the cookie of a sign-in at the provider within the last ten minutes (`sign-in=link`), and your password.',
    answers: { 200: { description: 'Linked.', schema: refTo(Done) } },
    errors: [404, 409, ...BODY_ERRORS],
  }),
  body: LinkBody,
}

const UNLINK = operation({
  id: 'unlinkSingleSignOn',
  tag,
  summary: 'Unlink your account from the identity provider',
  answers: { 204: { description: 'You sign in with your password.' } },
  errors: [404],
})

type Context = RouteContext<'singleSignOn'>

export const NO_PROVIDER = refuse('not-found', 'This server has no identity provider')

export function addSingleSignOnRoutes(app: App, context: Context): void {
  addSignIn(app, context)
  addOwnRoutes(app, context)
}

function addSignIn(app: App, { services: { singleSignOn }, publicUrl }: Context): void {
  app.route({
    method: 'GET',
    url: '/api/auth/oidc/start',
    config: { limited: true },
    schema: BEGIN,
    handler: async (request, reply) => {
      const { returnTo = '/', link: onlyLink = false } = request.query
      const begun = await unwrap(singleSignOn ?? NO_PROVIDER).begin(callbackUrl(request, publicUrl), { returnTo, onlyLink })
      reply.header('cache-control', 'no-store')
      if (begun === 'away') return reply.redirect(pageOf({ type: 'denied', reason: begun, returnTo }))
      setPassingCookie('oidc_pending', begun.pending, { request, reply, publicUrl })
      return reply.redirect(begun.url)
    },
  })

  app.route({
    method: 'GET',
    url: CALLBACK,
    config: { limited: true },
    schema: COMPLETE,
    handler: async (request, reply) => {
      const exchange = { request, reply, publicUrl }
      const completed = await complete(unwrap(singleSignOn ?? NO_PROVIDER), exchange)
      clearPassingCookie('oidc_pending', exchange)
      if (completed.type === 'signed-in') answerSignedIn(exchange, completed.signedIn)
      if (completed.type === 'link') setPassingCookie('oidc_ticket', completed.ticket, exchange)
      // The token is only for the cookie: redirects may be logged with their headers.
      reply.removeHeader('set-auth-token')
      return reply.header('cache-control', 'no-store').redirect(pageOf(completed))
    },
  })
}

const callbackUrl = (request: FastifyRequest, publicUrl: string | undefined): string => `${siteOf(request, publicUrl).origin}${CALLBACK}`

function complete(singleSignOn: SingleSignOn, { request, publicUrl }: CookieContext): Promise<Completed> {
  const callback = new URL(callbackUrl(request, publicUrl))
  callback.search = new URL(request.url, 'http://server').search
  return singleSignOn.complete(callback, passingCookieOf(request, 'oidc_pending') ?? '', requestOrigin(request))
}

function pageOf(completed: Completed): string {
  const { returnTo } = completed
  const [page] = returnTo.split('#', 1)
  if (completed.type === 'signed-in') return returnTo
  if (completed.type === 'second-step') return `${page}#challenge=${encodeURIComponent(completed.challenge)}`
  return `${page}#sign-in=${completed.type === 'link' ? 'link' : completed.reason}`
}

function addOwnRoutes(app: App, { services: { singleSignOn }, publicUrl }: Context): void {
  app.route({
    method: 'GET',
    url: '/api/auth/oidc',
    schema: STATUS,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const linked = (await singleSignOn?.isLinked(callerOf(request).userId)) ?? false
      return { name: singleSignOn?.name ?? null, linked }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/oidc/link',
    schema: LINK,
    handler: async (request, reply) => {
      const ticket = passingCookieOf(request, 'oidc_ticket') ?? ''
      const proof = { ticket, password: request.body.password }
      unwrap(await unwrap(singleSignOn ?? NO_PROVIDER).link(callerOf(request), proof, requestOrigin(request)))
      clearPassingCookie('oidc_ticket', { request, reply, publicUrl })
      return { status: true }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/api/auth/oidc/link',
    schema: UNLINK,
    handler: async (request, reply) => {
      const { userId } = callerOf(request)
      const author = byUser(userId, 'unlinkSingleSignOn', requestOrigin(request))
      unwrap(await unwrap(singleSignOn ?? NO_PROVIDER).unlink(userId, author))
      return reply.code(204).send()
    },
  })
}
