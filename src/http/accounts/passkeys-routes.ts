/** Serves passkeys: another way to pass the second factor when signing in. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { byUser } from '../../app/commands/command-handler.ts'
import type { PasskeySite } from '../../ports/passkeys.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { siteOf } from '../server/site.ts'
import { refTo } from '../server/values-schemas.ts'
import { AddBody, NewPasskey, Passkey, PasskeyRequest, PrepareBody, RequestBody, VerifyPasskeyBody } from './passkey-schemas.ts'
import { answerSignedIn } from './sign-in-routes.ts'
import { SignedIn } from './sign-in-schemas.ts'

const tag = 'sign-in'

const OPTIONS = {
  ...operation({
    id: 'getPasskeyRequest',
    tag,
    summary: 'Get a passkey challenge for a sign-in',
    by: 'anyone',
    answers: { 200: { description: 'The options of the browser.', schema: refTo(PasskeyRequest) } },
    errors: [401, 429, ...BODY_ERRORS],
  }),
  body: RequestBody,
}

const VERIFY = {
  ...operation({
    id: 'verifyPasskey',
    tag,
    summary: 'Complete a sign-in with a passkey',
    by: 'anyone',
    answers: { 200: { description: 'Signed in: a Bearer token, and the session cookie.', schema: refTo(SignedIn) } },
    errors: [401, 429, ...BODY_ERRORS],
  }),
  body: VerifyPasskeyBody,
}

const LIST = operation({
  id: 'listPasskeys',
  tag,
  summary: 'List your passkeys',
  answers: { 200: { description: 'At most ten.', schema: Type.Object({ items: Type.Array(refTo(Passkey)) }) } },
})

const PREPARE = {
  ...operation({
    id: 'preparePasskey',
    tag,
    summary: 'Prepare a passkey',
    description: 'A passkey works at the address at which it is made, and browsers make one at `https:` or `localhost` alone.',
    answers: { 200: { description: 'What the browser has to make.', schema: refTo(NewPasskey) } },
    errors: BODY_ERRORS,
  }),
  body: PrepareBody,
}

const ADD = {
  ...operation({
    id: 'addPasskey',
    tag,
    summary: 'Add a passkey',
    description: 'It can be used instead of a code. 409 without a second factor that is on.',
    answers: { 201: { description: 'Added.', schema: refTo(Passkey) } },
    errors: [409, ...BODY_ERRORS],
  }),
  body: AddBody,
}

const REMOVE = {
  ...operation({
    id: 'removePasskey',
    tag,
    summary: 'Remove a passkey',
    answers: { 204: { description: 'It signs nobody in any more.' } },
    errors: [404],
  }),
  // Not `id`: those of passkeys that were added earlier may begin with a hyphen or an underscore.
  params: idParams('passkeyId'),
}

type Context = RouteContext<'passkeys' | 'signIns'>

export function addPasskeyRoutes(app: App, context: Context): void {
  addSignInStep(app, context)
  addOwnRoutes(app, context)
}

/** Passkeys are bound to it. */
function passkeySiteOf(request: FastifyRequest, publicUrl: string | undefined): PasskeySite {
  const { origin, hostname } = siteOf(request, publicUrl)
  return { origin, host: hostname }
}

function addSignInStep(app: App, { services: { signIns }, publicUrl }: Context): void {
  app.route({
    method: 'POST',
    url: '/api/auth/two-factor/passkey-options',
    config: { limited: true },
    schema: OPTIONS,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { options: unwrap((await signIns.passkeyOptions(request.body, passkeySiteOf(request, publicUrl))) ?? null) }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/two-factor/verify-passkey',
    config: { limited: true },
    schema: VERIFY,
    handler: async (request, reply) => {
      const signedIn = unwrap(await signIns.signInWithPasskey(request.body, passkeySiteOf(request, publicUrl), requestOrigin(request)))
      return answerSignedIn({ request, reply, publicUrl }, signedIn)
    },
  })
}

function addOwnRoutes(app: App, { services: { passkeys, signIns }, publicUrl }: Context): void {
  app.route({
    method: 'GET',
    url: '/api/auth/passkeys',
    schema: LIST,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { items: [...(await passkeys.list(callerOf(request).userId))] }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/passkeys/options',
    schema: PREPARE,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const caller = callerOf(request)
      unwrap(await signIns.confirmPassword(caller, request.body.password, requestOrigin(request)))
      return unwrap(await passkeys.begin(caller.userId, passkeySiteOf(request, publicUrl)))
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/passkeys',
    schema: ADD,
    handler: async (request, reply) => {
      const { userId } = callerOf(request)
      const author = byUser(userId, 'addPasskey', requestOrigin(request))
      reply.code(201)
      return unwrap(await passkeys.add(userId, request.body, passkeySiteOf(request, publicUrl), author))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/api/auth/passkeys/:passkeyId',
    schema: REMOVE,
    handler: async (request, reply) => {
      const { userId } = callerOf(request)
      unwrap(await passkeys.remove(userId, request.params.passkeyId, byUser(userId, 'removePasskey', requestOrigin(request))))
      return reply.code(204).send()
    },
  })
}
