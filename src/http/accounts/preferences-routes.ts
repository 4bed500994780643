/** Serves the caller's preferences. */
import { Type } from 'typebox'
import type { JsonObject } from '../../events/envelope.ts'
import { PREFERENCES_MAX_BYTES } from '../../domain/accounts/preferences.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, operation } from '../server/operation.ts'
import { named, refTo } from '../server/values-schemas.ts'

const tag = 'users'
const URL = '/v1/users/me/preferences'

export const Preferences = named(
  'Preferences',
  Type.Unsafe<JsonObject>(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: `Whatever your clients keep, such as languages: at most ${PREFERENCES_MAX_BYTES} bytes of JSON. Nobody else can read it.`,
        examples: [{ audioLanguages: ['de', 'en'], subtitles: true }],
      },
    ),
  ),
)

const answers = { 200: { description: 'The preferences, with their `ETag`.', schema: refTo(Preferences) } }

const GET_PREFERENCES = operation({
  id: 'getPreferences',
  tag,
  summary: 'Get your preferences',
  description: 'An empty object until a client has stored some.',
  answers,
})

const SET_PREFERENCES = {
  ...operation({
    id: 'setPreferences',
    tag,
    summary: 'Replace your preferences',
    description:
      'With `If-Match` set to the `ETag` that you have read, a change that another client has made since is not overwritten. ' +
      'All your clients get a `preferences.changed` event.',
    answers,
    errors: BODY_ERRORS,
  }),
  body: Preferences,
}

export function addPreferencesRoutes(app: App, { services }: RouteContext<'preferences'>): void {
  const { preferences } = services

  app.route({
    method: 'GET',
    url: URL,
    schema: GET_PREFERENCES,
    handler: async (request) => preferences.get(callerOf(request).userId),
  })

  app.route({
    method: 'PUT',
    url: URL,
    schema: SET_PREFERENCES,
    handler: async (request, reply) => {
      // The response equals that of a read, so its tag is valid for the next write.
      reply.header('content-location', URL)
      return unwrap(await preferences.put(callerOf(request), request.body, requestOrigin(request)))
    },
  })
}
