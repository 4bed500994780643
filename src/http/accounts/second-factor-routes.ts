/** Serves second factors: codes of an authenticator app, and recovery codes. Near the format of better-auth's plugin `two-factor`. */
import { byUser } from '../../app/commands/command-handler.ts'
import { NO_SUCH_USER } from '../../domain/accounts/refusals.ts'
import { parseId } from '../../vocabulary/id.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { Done } from './own-account-schemas.ts'
import {
  BackupCodes,
  CodeOnly,
  NewSecondFactor,
  PasswordAndCode,
  PasswordOnly,
  SecondFactorStatus,
  VerifyBody,
} from './second-factor-schemas.ts'
import { answerSignedIn } from './sign-in-routes.ts'
import { SignedIn } from './sign-in-schemas.ts'

const tag = 'sign-in'
const done = { 200: { description: 'Done.', schema: refTo(Done) } }
/** Shown by authenticator apps. */
const ISSUER = 'Marquee'

const VERIFY = {
  ...operation({
    id: 'verifySecondFactor',
    tag,
    summary: 'Complete a sign-in with a code',
    by: 'anyone',
    answers: { 200: { description: 'Signed in: a Bearer token, and the session cookie.', schema: refTo(SignedIn) } },
    errors: [401, 429, ...BODY_ERRORS],
  }),
  body: VerifyBody,
}

const STATUS = operation({
  id: 'getSecondFactor',
  tag,
  summary: 'Get whether you have a second factor',
  answers: { 200: { description: 'Its state.', schema: refTo(SecondFactorStatus) } },
})

const PREPARE = {
  ...operation({
    id: 'prepareSecondFactor',
    tag,
    summary: 'Prepare a second factor',
    description: 'Returns a secret for an authenticator app, and recovery codes. Nothing changes until `activate` gets a code of the app.',
    answers: { 200: { description: 'The secret and the codes.', schema: refTo(NewSecondFactor) } },
    errors: [409, ...BODY_ERRORS],
  }),
  body: PasswordOnly,
}

const ACTIVATE = {
  ...operation({
    id: 'activateSecondFactor',
    tag,
    summary: 'Turn on the prepared second factor',
    answers: done,
    errors: [409, ...BODY_ERRORS],
  }),
  body: CodeOnly,
}

const DISABLE = {
  ...operation({ id: 'disableSecondFactor', tag, summary: 'Turn off your second factor', answers: done, errors: BODY_ERRORS }),
  body: PasswordAndCode,
}

const NEW_CODES = {
  ...operation({
    id: 'replaceBackupCodes',
    tag,
    summary: 'Replace your recovery codes',
    answers: { 200: { description: 'New codes; the earlier ones are void.', schema: refTo(BackupCodes) } },
    errors: [409, ...BODY_ERRORS],
  }),
  body: PasswordAndCode,
}

const RESET = {
  ...operation({
    id: 'resetSecondFactor',
    tag: 'users',
    by: 'admins',
    summary: 'Turn off the second factor of a user',
    description: 'For somebody who has lost the device and the recovery codes.',
    answers: { 204: { description: 'The user signs in with the password alone.' } },
    errors: [404],
  }),
  params: idParams('id'),
}

type Context = RouteContext<'secondFactors' | 'signIns' | 'users'>

export function addSecondFactorRoutes(app: App, context: Context): void {
  addSignInStep(app, context)
  addOwnRoutes(app, context)
  const { secondFactors, users } = context.services

  app.route({
    method: 'DELETE',
    url: '/v1/users/:id/second-factor',
    schema: RESET,
    handler: async (request, reply) => {
      const { id } = unwrap(await users.get(request.params.id))
      const userId = unwrap(parseId<'user'>(id) ?? NO_SUCH_USER)
      unwrap(await secondFactors.reset(userId, byUser(callerOf(request).userId, 'resetSecondFactor', requestOrigin(request))))
      return reply.code(204).send()
    },
  })
}

function addSignInStep(app: App, { services: { signIns }, publicUrl }: Context): void {
  app.route({
    method: 'POST',
    url: '/api/auth/two-factor/verify',
    config: { limited: true },
    schema: VERIFY,
    handler: async (request, reply) =>
      answerSignedIn({ request, reply, publicUrl }, unwrap(await signIns.signInWithCode(request.body, requestOrigin(request)))),
  })
}

function addOwnRoutes(app: App, { services: { secondFactors, signIns } }: Context): void {
  app.route({
    method: 'GET',
    url: '/api/auth/two-factor',
    schema: STATUS,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { enabled, recoveryCodesLeft } = await secondFactors.status(callerOf(request).userId)
      return { enabled, backupCodesLeft: recoveryCodesLeft }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/two-factor/enable',
    schema: PREPARE,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const [caller, origin] = [callerOf(request), requestOrigin(request)]
      unwrap(await signIns.confirmPassword(caller, request.body.password, origin))
      const author = byUser(caller.userId, 'prepareSecondFactor', origin)
      const { uri, secret, qrCode, recoveryCodes } = unwrap(await secondFactors.prepare(caller.userId, { issuer: ISSUER }, author))
      return { totpURI: uri, secret, qrCode, backupCodes: [...recoveryCodes] }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/two-factor/activate',
    schema: ACTIVATE,
    handler: async (request) => {
      const { userId } = callerOf(request)
      unwrap(await secondFactors.enable(userId, request.body.code, byUser(userId, 'enableSecondFactor', requestOrigin(request))))
      return { status: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/two-factor/disable',
    schema: DISABLE,
    handler: async (request) => {
      const [caller, origin] = [callerOf(request), requestOrigin(request)]
      unwrap(await signIns.confirmPassword(caller, request.body.password, origin))
      unwrap(await secondFactors.disable(caller.userId, request.body.code, byUser(caller.userId, 'disableSecondFactor', origin)))
      return { status: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/two-factor/generate-backup-codes',
    schema: NEW_CODES,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const [caller, origin] = [callerOf(request), requestOrigin(request)]
      unwrap(await signIns.confirmPassword(caller, request.body.password, origin))
      const author = byUser(caller.userId, 'replaceRecoveryCodes', origin)
      return { backupCodes: [...unwrap(await secondFactors.replaceRecoveryCodes(caller.userId, request.body.code, author))] }
    },
  })
}
