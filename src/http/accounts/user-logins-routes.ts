/** Serves the logins of an account, for administrators. */
import { Type } from 'typebox'
import { byUser } from '../../app/commands/command-handler.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { knownUser } from './known-user.ts'
import { presentUserLogin } from './user-presenter.ts'
import { LoginPage } from './user-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const [tag, by] = ['users', 'admins'] as const

const LIST_LOGINS = {
  ...operation({
    id: 'listLogins',
    tag,
    by,
    summary: 'List logins of a user',
    answers: { 200: { description: 'A page of logins.', schema: refTo(LoginPage) } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: Type.Object(PAGE_QUERY),
}

const END_LOGIN = {
  ...operation({
    id: 'endLogin',
    tag,
    by,
    summary: 'End a login of a user',
    answers: { 204: { description: 'The login is ended.' } },
    errors: [404],
  }),
  params: idParams('id', 'loginId'),
}

export function addUserLoginRoutes(app: App, { services, paging }: RouteContext<'logins' | 'users'>): void {
  const { logins } = services

  app.route({
    method: 'GET',
    url: '/v1/users/:id/logins',
    config: { budget: 'logins' },
    schema: LIST_LOGINS,
    handler: async (request) => {
      const userId = await knownUser(services, request.params.id)
      const scope = { userId: callerOf(request).userId, route: `users/${userId}/logins`, query: null }
      return paging.page(await logins.list(userId, paging.read(request.query, scope)), scope, presentUserLogin)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/users/:id/logins/:loginId',
    config: { budget: 'logins' },
    schema: END_LOGIN,
    handler: async (request, reply) => {
      const userId = await knownUser(services, request.params.id)
      const author = byUser(callerOf(request).userId, 'endLogin', requestOrigin(request))
      unwrap(await logins.revoke(userId, request.params.loginId, author))
      return reply.code(204).send()
    },
  })
}
