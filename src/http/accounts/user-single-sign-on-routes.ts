/** Serves the link of an account with the identity provider, for administrators: ending it, and the consent to it. */
import { byUser } from '../../app/commands/command-handler.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { knownUser } from './known-user.ts'
import { NO_PROVIDER } from './single-sign-on-routes.ts'
import { presentUser } from './user-presenter.ts'
import { User } from './user-schemas.ts'

const [tag, by] = ['users', 'admins'] as const
const params = idParams('id')

const UNLINK_USER = {
  ...operation({
    id: 'unlinkUserSingleSignOn',
    tag,
    by,
    summary: 'Unlink a user from the identity provider',
    answers: { 204: { description: 'The user signs in with the password.' } },
    errors: [404],
  }),
  params,
}

const GIVE_CONSENT = {
  ...operation({
    id: 'giveLinkConsent',
    tag,
    by,
    summary: 'Allow that a user is linked by the e-mail address',
    description:
      'For seven days, the next sign-in at the identity provider with the e-mail address of the user, verified there, links the account ' +
      'without its password. The link uses the consent up, and a change of the address ends it. Not for administrators (409).',
    answers: { 200: { description: 'The user.', schema: refTo(User) } },
    errors: [404, 409],
  }),
  params,
}

const WITHDRAW_CONSENT = {
  ...operation({
    id: 'withdrawLinkConsent',
    tag,
    by,
    summary: 'Withdraw the consent to link a user',
    description: 'An account that is linked already stays linked.',
    answers: { 204: { description: 'Linking the account needs its password.' } },
    errors: [404],
  }),
  params,
}

const CONSENT = '/v1/users/:id/single-sign-on/consent'

export function addUserSingleSignOnRoutes(app: App, { services }: RouteContext<'singleSignOn' | 'users'>): void {
  const { singleSignOn, users } = services

  app.route({
    method: 'DELETE',
    url: '/v1/users/:id/single-sign-on',
    schema: UNLINK_USER,
    handler: async (request, reply) => {
      const userId = await knownUser(services, request.params.id)
      const author = byUser(callerOf(request).userId, 'unlinkUserSingleSignOn', requestOrigin(request))
      unwrap(await unwrap(singleSignOn ?? NO_PROVIDER).unlink(userId, author))
      return reply.code(204).send()
    },
  })

  app.route({
    method: 'PUT',
    url: CONSENT,
    schema: GIVE_CONSENT,
    handler: async (request) => {
      const userId = await knownUser(services, request.params.id)
      const author = byUser(callerOf(request).userId, 'giveLinkConsent', requestOrigin(request))
      unwrap(await unwrap(singleSignOn ?? NO_PROVIDER).giveConsent(userId, author))
      return presentUser(unwrap(await users.get(userId)))
    },
  })

  app.route({
    method: 'DELETE',
    url: CONSENT,
    schema: WITHDRAW_CONSENT,
    handler: async (request, reply) => {
      const userId = await knownUser(services, request.params.id)
      const author = byUser(callerOf(request).userId, 'withdrawLinkConsent', requestOrigin(request))
      unwrap(await unwrap(singleSignOn ?? NO_PROVIDER).withdrawConsent(userId, author))
      return reply.code(204).send()
    },
  })
}
