/** Serves signing up, if the operator allows it, and the information that a client shows before sign-in. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { App, RouteContext } from '../server/app.ts'
import { setSessionCookie } from '../server/cookies.ts'
import { unwrap } from '../server/errors.ts'
import { requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, operation } from '../server/operation.ts'
import { presentAuthUser } from './account-presenter.ts'
import { SignedUp, SignInOptions, SignUpBody } from './own-account-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const SERVER_NAME = 'Marquee'

const GET_OPTIONS = operation({
  id: 'getSignInOptions',
  tag: 'sign-in',
  summary: 'Get how to sign in or up',
  description: 'For clients that must choose between a sign-in page and a sign-up page.',
  by: 'anyone',
  answers: { 200: { description: 'Name of the server, and who can sign up.', schema: refTo(SignInOptions) } },
  errors: [429],
})

const SIGN_UP = {
  ...operation({
    id: 'signUp',
    tag: 'sign-in',
    summary: 'Sign up',
    description: 'Off by default (`MARQUEE_SIGN_UP`). `first`: the first person becomes the administrator; `open`: everybody can sign up.',
    by: 'anyone',
    answers: { 200: { description: 'Signed up and signed in: a Bearer token, and the session cookie.', schema: refTo(SignedUp) } },
    errors: [403, 409, 429, ...BODY_ERRORS],
  }),
  body: SignUpBody,
}

export function addSignUpRoutes(app: App, { services, publicUrl }: RouteContext<'signUps' | 'singleSignOn'>): void {
  const { signUps, singleSignOn } = services

  app.route({
    method: 'GET',
    url: '/api/auth/options',
    config: { limited: true },
    schema: GET_OPTIONS,
    handler: async (_request, reply) => {
      // The first sign-up changes it.
      reply.header('cache-control', 'no-store')
      const { mode, needsSetupToken } = signUps.options()
      return { name: SERVER_NAME, signUp: mode, singleSignOn: singleSignOn?.name ?? null, needsSetupToken }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    config: { limited: true },
    schema: SIGN_UP,
    // Whether signing up is open is checked before the body.
    onRequest: async () => unwrap(signUps.closed()),
    handler: async (request, reply) => {
      const { name, email, password, setupToken } = request.body
      const wanted = { name, email, password, ...omitUndefined({ setupToken }) }
      const { token, account } = unwrap(await signUps.signUp(wanted, requestOrigin(request)))
      request.userId = account.id
      setSessionCookie(token, { request, reply, publicUrl })
      reply.headers({ 'set-auth-token': token, 'cache-control': 'no-store' })
      return { token, user: presentAuthUser(account) }
    },
  })
}
