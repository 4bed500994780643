/** Serves accounts, for administrators. */
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { NewUser } from '../../app/accounts/users.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, LOCATION, operation } from '../server/operation.ts'
import { Erasure, presentErasure } from './erasure-answer.ts'
import { presentUser } from './user-presenter.ts'
import { GrantBody, NewUserBody, PasswordBody, User, UserListQuery, UserPage, UserPatchBody } from './user-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const [tag, by] = ['users', 'admins'] as const
const one = { 200: { description: 'The user.', schema: refTo(User) } }
const nothing = (description: string) => ({ 204: { description } })
const params = idParams('id')

const LIST_USERS = {
  ...operation({
    id: 'listUsers',
    tag,
    by,
    summary: 'List users',
    answers: { 200: { description: 'A page of users.', schema: refTo(UserPage) } },
    errors: [422],
  }),
  querystring: UserListQuery,
}

const CREATE_USER = {
  ...operation({
    id: 'createUser',
    tag,
    by,
    summary: 'Create a user',
    description: 'By default it has the role `user` and sees all libraries.',
    answers: { 201: { description: 'The user.', schema: refTo(User), headers: LOCATION } },
    errors: [404, 409, ...BODY_ERRORS],
  }),
  body: NewUserBody,
}

const GET_USER = { ...operation({ id: 'getUser', tag, by, summary: 'Get a user', answers: one, errors: [404] }), params }

const CHANGE_USER = {
  ...operation({
    id: 'changeUser',
    tag,
    by,
    summary: 'Change a user',
    description:
      'Members that are not sent stay. The last administrator cannot be demoted or disabled. Disabling a user ends all their logins.',
    answers: one,
    errors: [404, 409, ...BODY_ERRORS],
  }),
  params,
  body: UserPatchBody,
}

const REMOVE_USER = {
  ...operation({
    id: 'removeUser',
    tag,
    by,
    summary: 'Remove or erase a user',
    description:
      'Disables and hides the user, and frees the e-mail address. `erase=true` also makes their personal data permanently unreadable; repeating that is answered the same.',
    answers: {
      ...nothing('Removed.'),
      202: { description: 'The user is removed and erased.', schema: refTo(Erasure), headers: LOCATION },
    },
    errors: [404, 409, 422],
  }),
  params,
  querystring: Type.Object({ erase: Type.Optional(Type.Boolean({ default: false })) }),
}

const GRANT_LIBRARIES = {
  ...operation({
    id: 'grantLibraries',
    tag,
    by,
    summary: 'Grant libraries to a user',
    answers: one,
    errors: [404, ...BODY_ERRORS],
  }),
  params,
  body: GrantBody,
}

const SET_PASSWORD = {
  ...operation({
    id: 'setPassword',
    tag,
    by,
    summary: 'Reset the password of a user',
    description: 'Ends all logins of the user except the one of this request.',
    answers: nothing('The password is changed.'),
    errors: [404, ...BODY_ERRORS],
  }),
  params,
  body: PasswordBody,
}

export function addUserRoutes(app: App, context: RouteContext<'users' | 'erasureReceipts'>): void {
  addListOfUsers(app, context)
  addOneUser(app, context)
  addUserRights(app, context)
}

function addListOfUsers(app: App, { services: { users }, paging }: RouteContext<'users'>): void {
  app.route({
    method: 'GET',
    url: '/v1/users',
    schema: LIST_USERS,
    handler: async (request) => {
      const { query } = request
      const { q, role, enabled, sort = 'name', order = sort === 'name' ? 'asc' : 'desc' } = query
      const filters = omitUndefined({ text: q, role, enabled })
      const scope = { userId: callerOf(request).userId, route: 'users', query: { ...filters, sort, order } }
      return paging.page(await users.list({ ...paging.read(query, scope), ...filters, sort, order }), scope, presentUser)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/users',
    config: { idempotent: 'account' },
    schema: CREATE_USER,
    handler: async (request, reply) => {
      const user = unwrap(await users.create(callerOf(request), toNewUser(request.body), requestOrigin(request)))
      reply.code(201).header('location', `/v1/users/${user.id}`)
      return presentUser(user)
    },
  })
}

function addOneUser(app: App, { services }: RouteContext<'users' | 'erasureReceipts'>): void {
  const { users } = services

  app.route({
    method: 'GET',
    url: '/v1/users/:id',
    schema: GET_USER,
    handler: async ({ params: { id } }) => presentUser(unwrap(await users.get(id))),
  })

  app.route({
    method: 'PATCH',
    url: '/v1/users/:id',
    schema: CHANGE_USER,
    handler: async (request) => {
      const { name, email, role, enabled, libraryAccess, libraryIds, maxConcurrentStreams } = request.body
      const change = omitUndefined({ name, email, role, enabled, libraryAccess, libraryIds, maxConcurrentStreams })
      return presentUser(unwrap(await users.change(callerOf(request), request.params.id, change, requestOrigin(request))))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/users/:id',
    schema: REMOVE_USER,
    handler: async (request, reply) => {
      const { id } = request.params
      const [caller, origin] = [callerOf(request), requestOrigin(request)]
      if (request.query.erase !== true) {
        unwrap(await users.remove(caller, id, origin))
        return reply.code(204).send()
      }
      const erasure = await presentErasure(services, unwrap(await users.erase(caller, id, origin)))
      return reply.code(202).header('location', `/v1/erasures/${erasure.id}`).send(erasure)
    },
  })
}

function addUserRights(app: App, { services: { users } }: RouteContext<'users'>): void {
  app.route({
    method: 'PUT',
    url: '/v1/users/:id/libraries',
    schema: GRANT_LIBRARIES,
    handler: async (request) => {
      const { libraryAccess, libraryIds } = request.body
      const change = { libraryAccess, libraryIds }
      return presentUser(unwrap(await users.change(callerOf(request), request.params.id, change, requestOrigin(request))))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/users/:id/password',
    schema: SET_PASSWORD,
    handler: async (request, reply) => {
      unwrap(await users.setPassword(callerOf(request), request.params.id, request.body.password, requestOrigin(request)))
      return reply.code(204).send()
    },
  })
}

/** Copies only known members of the body. */
function toNewUser(body: Static<typeof NewUserBody>): NewUser {
  const { email, name, password, role = 'user', libraryAccess, libraryIds, maxConcurrentStreams } = body
  return { email, name, password, role, ...omitUndefined({ libraryAccess, libraryIds, maxConcurrentStreams }) }
}
