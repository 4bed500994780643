/** Serves the link of an account with the identity provider, for administrators: ending it, and the consent to it. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { byUser } from '../../app/commands/command-handler.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { nullable } from '../server/values-schemas.ts'
import { knownUser } from './known-user.ts'
import { NO_PROVIDER } from './single-sign-on-routes.ts'

const [tag, by] = ['users', 'admins'] as const
const params = idParams('id')

const UserLink = Type.Object({
  linked: Type.Boolean({ description: 'Whether the account is linked with one at the identity provider.' }),
  consentUntil: nullable(
    Type.String({
      format: 'date-time',
      description: 'Until when an administrator allows that a verified e-mail address links the account; may be in the past.',
    }),
  ),
})

const GET_LINK = {
  ...operation({
    id: 'getUserSingleSignOn',
    tag,
    by,
    summary: 'Get whether a user is linked with the identity provider, or may be',
    answers: { 200: { description: 'The link.', schema: UserLink } },
    errors: [404],
  }),
  params,
}

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
    answers: { 200: { description: 'The link.', schema: UserLink } },
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

/** Commands of the log, by what they do. */
const COMMANDS = { unlink: 'unlinkUserSingleSignOn', giveConsent: 'giveLinkConsent', withdrawConsent: 'withdrawLinkConsent' } as const

interface UserRequest extends FastifyRequest {
  readonly params: { readonly id: string }
}

export function addUserSingleSignOnRoutes(app: App, { services }: RouteContext<'singleSignOn' | 'users'>): void {
  async function make(change: keyof typeof COMMANDS, request: UserRequest): Promise<void> {
    const userId = await knownUser(services, request.params.id)
    const author = byUser(callerOf(request).userId, COMMANDS[change], requestOrigin(request))
    unwrap(await unwrap(services.singleSignOn ?? NO_PROVIDER)[change](userId, author))
  }

  async function linkOf({ params }: UserRequest) {
    const { linked, linkConsentUntil } = unwrap(await services.users.get(params.id))
    return { linked, consentUntil: linkConsentUntil }
  }

  app.route({ method: 'GET', url: '/v1/users/:id/single-sign-on', schema: GET_LINK, handler: (request) => linkOf(request) })

  app.route({
    method: 'DELETE',
    url: '/v1/users/:id/single-sign-on',
    schema: UNLINK_USER,
    handler: async (request, reply) => {
      await make('unlink', request)
      return reply.code(204).send()
    },
  })

  app.route({
    method: 'PUT',
    url: CONSENT,
    schema: GIVE_CONSENT,
    handler: async (request) => {
      await make('giveConsent', request)
      return linkOf(request)
    },
  })

  app.route({
    method: 'DELETE',
    url: CONSENT,
    schema: WITHDRAW_CONSENT,
    handler: async (request, reply) => {
      await make('withdrawConsent', request)
      return reply.code(204).send()
    },
  })
}
