/** Serves webhooks, for administrators: listing, adding, changing, removing, testing. */
import type { App, RouteContext } from '../server/app.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { disconnectSignal } from '../server/disconnect-signal.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, LOCATION, operation } from '../server/operation.ts'
import { wholePage } from '../server/paging.ts'
import { refTo } from '../server/values-schemas.ts'
import {
  NewWebhookAnswer,
  NewWebhookBody,
  presentWebhook,
  Webhook,
  WebhookChangeBody,
  WebhookPage,
  WebhooksQuery,
  WebhookTest,
} from './webhook-schemas.ts'

const common = { tag: 'webhooks', by: 'admins' } as const

const LIST_WEBHOOKS = {
  ...operation({
    ...common,
    id: 'listWebhooks',
    summary: 'List webhooks',
    answers: { 200: { description: 'All webhooks, the oldest first.', schema: refTo(WebhookPage) } },
    errors: [422],
  }),
  querystring: WebhooksQuery,
}

const ADD_WEBHOOK = {
  ...operation({
    ...common,
    id: 'addWebhook',
    summary: 'Add a webhook',
    description: `The server posts events to its URL from now on, signed by Standard Webhooks (\`webhook-id\`, \`webhook-timestamp\`,
\`webhook-signature\`). Each is sent at least once, with the same \`webhook-id\` in every try; events about the same thing are sent in
order. A status from 200 to 299 within ten seconds counts as delivered. Other events are tried again for three days, after growing
pauses or that of \`Retry-After\`; then they are parked. 410 disables the webhook.`,
    answers: { 201: { description: 'The webhook, with its secret.', schema: refTo(NewWebhookAnswer), headers: LOCATION } },
    errors: [409, ...BODY_ERRORS],
  }),
  body: NewWebhookBody,
}

const GET_WEBHOOK = {
  ...operation({
    ...common,
    id: 'getWebhook',
    summary: 'Get a webhook',
    answers: { 200: { description: 'The webhook, without its secret.', schema: refTo(Webhook) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const CHANGE_WEBHOOK = {
  ...operation({
    ...common,
    id: 'changeWebhook',
    summary: 'Change a webhook',
    description: 'Members that are not sent stay. With another URL, waiting events are sent at once.',
    answers: { 200: { description: 'The webhook, without its secret.', schema: refTo(Webhook) } },
    errors: [404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: WebhookChangeBody,
}

const REMOVE_WEBHOOK = {
  ...operation({
    ...common,
    id: 'removeWebhook',
    summary: 'Remove a webhook',
    description: 'Waiting and parked events are removed with it.',
    answers: { 204: { description: 'The webhook is removed.' } },
    errors: [404],
  }),
  params: idParams('id'),
}

const TEST_WEBHOOK = {
  ...operation({
    ...common,
    id: 'testWebhook',
    summary: 'Send a test event',
    description: 'Sends `webhook.test` once, and returns the result. It is not in the list of deliveries.',
    answers: { 200: { description: 'Result of the test delivery.', schema: refTo(WebhookTest) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const URL = '/v1/admin/webhooks'

export function addWebhookRoutes(app: App, context: RouteContext<'webhooks'>): void {
  addReads(app, context)
  addWrites(app, context)
}

function addReads(app: App, { services: { webhooks } }: RouteContext<'webhooks'>): void {
  app.route({
    method: 'GET',
    url: URL,
    schema: LIST_WEBHOOKS,
    handler: async (request) => wholePage((await webhooks.list()).map(presentWebhook), request.query),
  })

  app.route({
    method: 'GET',
    url: `${URL}/:id`,
    schema: GET_WEBHOOK,
    handler: async (request) => presentWebhook(unwrap(await webhooks.get(request.params.id))),
  })
}

function addWrites(app: App, { services: { webhooks } }: RouteContext<'webhooks'>): void {
  app.route({
    method: 'POST',
    url: URL,
    config: { idempotent: 'own' },
    schema: ADD_WEBHOOK,
    handler: async (request, reply) => {
      const { url, events, template = 'json', secret } = request.body
      const added = unwrap(await webhooks.add(callerOf(request), { url, events, template, secret }, requestOrigin(request)))
      reply.code(201).header('location', `${URL}/${added.id}`)
      return { ...presentWebhook(added), secret: added.secret }
    },
  })

  app.route({
    method: 'PATCH',
    url: `${URL}/:id`,
    schema: CHANGE_WEBHOOK,
    handler: async (request) => {
      const { url, events, template, secret, enabled } = request.body
      const edit = omitUndefined({ url, events, template, secret, enabled })
      return presentWebhook(unwrap(await webhooks.change(callerOf(request), request.params.id, edit, requestOrigin(request))))
    },
  })

  app.route({
    method: 'DELETE',
    url: `${URL}/:id`,
    schema: REMOVE_WEBHOOK,
    handler: async (request, reply) => {
      unwrap(await webhooks.remove(callerOf(request), request.params.id, requestOrigin(request)))
      return reply.code(204).send()
    },
  })

  app.route({
    method: 'POST',
    url: `${URL}/:id/test`,
    schema: TEST_WEBHOOK,
    handler: async (request, reply) => unwrap(await webhooks.test(request.params.id, disconnectSignal(reply))),
  })
}
