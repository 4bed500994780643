/** Serves signing in and out. */
import { Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn as Opened } from '../../app/accounts/login-maker.ts'
import type { App, RouteContext } from '../server/app.ts'
import { clearSessionCookie, setSessionCookie } from '../server/cookies.ts'
import { unwrap } from '../server/errors.ts'
import { requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, operation } from '../server/operation.ts'
import { presentSignedIn } from './account-presenter.ts'
import { SecondStep, SignedIn, SignedOut, SignInBody } from './sign-in-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'sign-in'

const SIGN_IN = {
  ...operation({
    id: 'signIn',
    tag,
    summary: 'Sign in with e-mail and password',
    by: 'anyone',
    answers: {
      200: {
        description: 'Signed in: a Bearer token, and the session cookie. Or the account has a second factor: then no login is made yet.',
        schema: Type.Union([refTo(SignedIn), refTo(SecondStep)]),
      },
    },
    errors: [401, 403, 429, ...BODY_ERRORS],
  }),
  body: SignInBody,
}

const SIGN_OUT = operation({
  id: 'signOut',
  tag,
  summary: 'Sign out',
  description: 'Ends the login of the Bearer token or the cookie. Without one the answer is the same.',
  by: 'anyone',
  answers: { 200: { description: 'Signed out.', schema: refTo(SignedOut) } },
  errors: [429],
})

export function addSignInRoutes(app: App, { services, publicUrl }: RouteContext<'signIns'>): void {
  const { signIns } = services

  app.route({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    config: { limited: true },
    schema: SIGN_IN,
    handler: async (request, reply) => {
      const { email, password, rememberMe = true } = request.body
      const opened = unwrap(await signIns.signIn({ email, password, rememberMe }, requestOrigin(request)))
      if ('token' in opened) return answerSignedIn({ request, reply, publicUrl }, opened)
      reply.header('cache-control', 'no-store')
      return { twoFactorRedirect: true as const, challenge: opened.challenge }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/sign-out',
    config: { limited: true, anyBody: true, budget: 'logins' },
    schema: SIGN_OUT,
    handler: async (request, reply) => {
      if (request.caller) await signIns.signOut(request.caller, requestOrigin(request))
      clearSessionCookie({ request, reply, publicUrl })
      // On https: also clears the browser's cache of this login's responses, including posters.
      reply.headers({ 'cache-control': 'no-store', 'clear-site-data': '"cache"' })
      return { success: true }
    },
  })
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly publicUrl: string | undefined
}

/** Sets the cookie, and presents the new login. */
export function answerSignedIn({ request, reply, publicUrl }: Exchange, { token, account, rememberMe }: Opened) {
  request.userId = account.id
  setSessionCookie(token, { request, reply, publicUrl }, rememberMe)
  reply.headers({ 'set-auth-token': token, 'cache-control': 'no-store' })
  return presentSignedIn(token, account)
}
