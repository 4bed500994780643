/** Serves the caller's access tokens. */
import { byUser } from '../../app/commands/command-handler.ts'
import type { OpenedLogin } from '../../app/accounts/logins.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { AccessTokenList, NewAccessToken, NewAccessTokenBody, type AccessTokenBody } from './access-token-schemas.ts'

const tag = 'sign-in'
const URL = '/v1/users/me/access-tokens'
const DEFAULT_DAYS = 90
/** Nobody has more logins than this in the list. */
const LOGINS_MAX = 1000

const LIST = operation({
  id: 'listAccessTokens',
  tag,
  summary: 'List your access tokens',
  answers: { 200: { description: 'All of them.', schema: refTo(AccessTokenList) } },
})

const CREATE = {
  ...operation({
    id: 'createAccessToken',
    tag,
    summary: 'Create an access token',
    description: 'For a program that acts in your name. It ends with its time, when you revoke it, or with all your logins.',
    answers: { 201: { description: 'The token.', schema: refTo(NewAccessToken) } },
    errors: [409, ...BODY_ERRORS],
  }),
  body: NewAccessTokenBody,
}

const REVOKE = {
  ...operation({
    id: 'revokeAccessToken',
    tag,
    summary: 'Revoke an access token',
    answers: { 204: { description: 'It is revoked, and its playback sessions have ended.' } },
    errors: [404],
  }),
  params: idParams('id'),
}

export function addAccessTokenRoutes(app: App, { services }: RouteContext<'accessTokens' | 'logins' | 'signIns'>): void {
  const { accessTokens, logins, signIns } = services

  app.route({
    method: 'GET',
    url: URL,
    config: { budget: 'logins' },
    schema: LIST,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { items } = await logins.list(callerOf(request).userId, { limit: LOGINS_MAX }, 'access-token')
      return { items: items.flatMap(present) }
    },
  })

  app.route({
    method: 'POST',
    url: URL,
    schema: CREATE,
    handler: async (request, reply) => {
      const [{ userId }, origin] = [callerOf(request), requestOrigin(request)]
      const { name, scopes, expiresInDays = DEFAULT_DAYS, password } = request.body
      unwrap(await signIns.confirmPassword(callerOf(request), password, origin))
      const { token, loginId } = unwrap(
        await accessTokens.issue(userId, { name, scopes, expiresInDays }, byUser(userId, 'createAccessToken', origin)),
      )
      const [accessToken] = present(await logins.get(loginId))
      if (!accessToken) throw new Error('A new access token is missing')
      return reply.code(201).header('cache-control', 'no-store').send({ token, accessToken })
    },
  })

  app.route({
    method: 'DELETE',
    url: `${URL}/:id`,
    config: { budget: 'logins' },
    schema: REVOKE,
    handler: async (request, reply) => {
      const { userId } = callerOf(request)
      unwrap(await logins.revoke(userId, request.params.id, byUser(userId, 'revokeAccessToken', requestOrigin(request)), 'access-token'))
      return reply.code(204).send()
    },
  })
}

function present(login: OpenedLogin | undefined): readonly AccessTokenBody[] {
  if (!login?.accessToken) return []
  const { id, createdAt, expiresAt, accessToken } = login
  return [{ id, name: accessToken.name, scopes: [...accessToken.scopes], createdAt, expiresAt, lastUsedAt: accessToken.usedAt }]
}
