/** Serves the caller's own account. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { JsonObject } from '../../events/envelope.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, LOCATION, operation } from '../server/operation.ts'
import { EraseMeBody } from './own-account-schemas.ts'
import { Erasure, presentErasure } from './erasure-answer.ts'
import { presentUser } from './user-presenter.ts'
import { MePatchBody, User } from './user-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'users'
const NDJSON = 'application/x-ndjson'
const answers = { 200: { description: 'The user.', schema: refTo(User) } }

const GET_ME = operation({ id: 'getMe', tag, summary: 'Get your account', answers })

const CHANGE_ME = {
  ...operation({
    id: 'changeMe',
    tag,
    summary: 'Change your name or e-mail address',
    answers,
    errors: [409, ...BODY_ERRORS],
  }),
  body: MePatchBody,
}

const EXPORT_ME = operation({
  id: 'exportMe',
  tag,
  summary: 'Export your data',
  description:
    'One JSON object per line, each with a `type`: `account`, `preferences`, `login`, `accessToken`, `movie` (marks, plays, watchlist, resume point), `session`, then `checkpoint` and `audit`: every event about you or by you as it was hashed (`event`), with its path to the checkpoint (`hashes`). Times in RFC 3339, positions in seconds.',
  answers: { 200: { description: 'Lines of JSON.', schema: Type.String(), type: NDJSON } },
})

const ERASE_ME = {
  ...operation({
    id: 'eraseMe',
    tag,
    summary: 'Erase your account',
    description: `Ends your logins and playback sessions, and makes your personal data permanently unreadable. This cannot be undone. The last
administrator cannot be erased. Keep the receipt: only administrators can read it again, at \`/v1/erasures/:id\`.`,
    answers: { 202: { description: 'You are erased.', schema: refTo(Erasure), headers: LOCATION } },
    errors: [409, ...BODY_ERRORS],
  }),
  body: EraseMeBody,
}

export function addMeRoutes(app: App, { services }: RouteContext<'users' | 'signIns' | 'exportData' | 'erasureReceipts'>): void {
  const { users, signIns, exportData } = services

  app.route({
    method: 'GET',
    url: '/v1/users/me',
    schema: GET_ME,
    handler: async (request) => presentUser(unwrap(await users.get(callerOf(request).userId))),
  })

  app.route({
    method: 'PATCH',
    url: '/v1/users/me',
    schema: CHANGE_ME,
    handler: async (request) => {
      const caller = callerOf(request)
      const { name, email } = request.body
      return presentUser(unwrap(await users.change(caller, caller.userId, omitUndefined({ name, email }), requestOrigin(request))))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/users/me/export',
    schema: EXPORT_ME,
    handler: (request, reply) => {
      reply.headers({ 'content-type': NDJSON, 'content-disposition': 'attachment; filename="marquee-export.ndjson"' })
      return reply.send(Readable.from(linesOf(exportData(callerOf(request).userId))))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/users/me/erase',
    schema: ERASE_ME,
    handler: async (request, reply) => {
      const [caller, origin] = [callerOf(request), requestOrigin(request)]
      unwrap(await signIns.confirmPassword(caller, request.body.password, origin))
      const erasure = await presentErasure(services, unwrap(await users.erase(caller, caller.userId, origin)))
      return reply.code(202).header('location', `/v1/erasures/${erasure.id}`).send(erasure)
    },
  })
}

async function* linesOf(objects: AsyncIterable<JsonObject>): AsyncGenerator<string> {
  for await (const object of objects) yield `${JSON.stringify(object)}\n`
}
