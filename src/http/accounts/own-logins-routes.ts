/** Serves people's own logins and password, in the format of better-auth. */
import { Type } from 'typebox'
import { byUser } from '../../app/commands/command-handler.ts'
import type { App, RouteContext } from '../server/app.ts'
import { credentialOf } from '../server/credentials.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, noteActivity, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, operation } from '../server/operation.ts'
import { presentAuthUser } from './account-presenter.ts'
import { presentLogin } from './user-presenter.ts'
import { ChangePasswordBody, Done, MaybeCurrentLogin, PasswordChanged, RevokeLoginBody } from './own-account-schemas.ts'
import { Login } from './user-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'sign-in'
/** Nobody has more logins than this in the list. */
const LOGINS_MAX = 1000
const done = { 200: { description: 'Done.', schema: refTo(Done) } }

const GET_SESSION = operation({
  id: 'getSession',
  tag,
  summary: 'Get the current session',
  description: 'Null if nobody is signed in.',
  by: 'anyone',
  answers: { 200: { description: 'Login and user, or null.', schema: MaybeCurrentLogin } },
  errors: [429],
})

const LIST_SESSIONS = operation({
  id: 'listSessions',
  tag,
  summary: 'List your logins',
  answers: { 200: { description: 'At most 1,000 logins.', schema: Type.Array(refTo(Login)) } },
})

const REVOKE_SESSION = {
  ...operation({ id: 'revokeSession', tag, summary: 'End one of your logins', answers: done, errors: [403, 404, ...BODY_ERRORS] }),
  body: RevokeLoginBody,
}

const REVOKE_OTHERS = operation({
  id: 'revokeOtherSessions',
  tag,
  summary: 'End all your other logins',
  answers: done,
  errors: [403],
})

const CHANGE_PASSWORD = {
  ...operation({
    id: 'changePassword',
    tag,
    summary: 'Change your password',
    answers: { 200: { description: 'The password is changed.', schema: refTo(PasswordChanged) } },
    errors: [403, ...BODY_ERRORS],
  }),
  body: ChangePasswordBody,
}

export function addOwnLoginRoutes(app: App, context: RouteContext<'logins' | 'signIns' | 'users'>): void {
  addCurrentLogin(app, context)
  addRevocations(app, context)
  addPasswordChange(app, context)
}

function addCurrentLogin(app: App, context: RouteContext<'logins' | 'signIns' | 'users'>): void {
  const { logins, users } = context.services

  app.route({
    method: 'GET',
    url: '/api/auth/get-session',
    config: { limited: true },
    schema: GET_SESSION,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { caller } = request
      // A public route, so the guard has not extended the login.
      if (caller) await noteActivity({ request, reply, credential: credentialOf(request, { query: false }) }, context, caller)
      const login = caller && (await logins.get(caller.loginId))
      if (!login) return reply.type('application/json; charset=utf-8').send('null')
      return { session: presentLogin(login), user: presentAuthUser(unwrap(await users.get(login.userId))) }
    },
  })
}

function addRevocations(app: App, { services: { logins } }: RouteContext<'logins'>): void {
  app.route({
    method: 'GET',
    url: '/api/auth/list-sessions',
    config: { budget: 'logins' },
    schema: LIST_SESSIONS,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { items } = await logins.list(callerOf(request).userId, { limit: LOGINS_MAX }, 'sign-in')
      return items.map(presentLogin)
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/revoke-session',
    config: { budget: 'logins' },
    schema: REVOKE_SESSION,
    handler: async (request) => {
      const { userId } = callerOf(request)
      unwrap(await logins.revoke(userId, request.body.id, byUser(userId, 'revokeSession', requestOrigin(request))))
      return { status: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/api/auth/revoke-other-sessions',
    config: { anyBody: true, budget: 'logins' },
    schema: REVOKE_OTHERS,
    handler: async (request) => {
      const { userId, loginId } = callerOf(request)
      await logins.revokeOthers(userId, loginId, byUser(userId, 'revokeOtherSessions', requestOrigin(request)))
      return { status: true }
    },
  })
}

function addPasswordChange(app: App, { services: { signIns } }: RouteContext<'signIns'>): void {
  app.route({
    method: 'POST',
    url: '/api/auth/change-password',
    config: { budget: 'logins' },
    schema: CHANGE_PASSWORD,
    handler: async (request) => {
      const { currentPassword, newPassword, revokeOtherSessions = false } = request.body
      const change = { currentPassword, newPassword, endOthers: revokeOtherSessions }
      const account = unwrap(await signIns.changePassword(callerOf(request), change, requestOrigin(request)))
      return { token: null, user: presentAuthUser(account) }
    },
  })
}
