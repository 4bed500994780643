/** Serves the deliveries of webhooks, for administrators: what was delivered, what waits, what is parked and why. */
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { DeliveriesQuery, presentDelivery, WebhookDeliveryPage } from './webhook-schemas.ts'

const common = { tag: 'webhooks', by: 'admins' } as const

const LIST_DELIVERIES = {
  ...operation({
    ...common,
    id: 'listWebhookDeliveries',
    summary: 'List deliveries of a webhook',
    description:
      'All that wait, and the last 100 that were delivered and 1,000 that were parked. At most about 1,000 wait here: while more do, the rest of the log is not read for this webhook.',
    answers: { 200: { description: 'A page of deliveries, the newest event first.', schema: refTo(WebhookDeliveryPage) } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: DeliveriesQuery,
}

const RETRY_DELIVERY = {
  ...operation({
    ...common,
    id: 'retryWebhookDelivery',
    summary: 'Try a parked delivery again',
    description: 'It gets three more days.',
    answers: { 202: { description: 'It will be tried soon.' } },
    errors: [404, 409],
  }),
  params: idParams('id', 'deliveryId'),
}

export function addWebhookDeliveryRoutes(app: App, { services: { webhooks }, paging }: RouteContext<'webhooks'>): void {
  app.route({
    method: 'GET',
    url: '/v1/admin/webhooks/:id/deliveries',
    schema: LIST_DELIVERIES,
    handler: async (request) => {
      const { id } = request.params
      const { state } = request.query
      const scope = { userId: callerOf(request).userId, route: 'webhook-deliveries', query: { id, state: state ?? null } }
      const page = unwrap(await webhooks.deliveries(id, state, paging.read(request.query, scope)))
      return paging.page(page, scope, presentDelivery)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/webhooks/:id/deliveries/:deliveryId/retry',
    schema: RETRY_DELIVERY,
    handler: async (request, reply) => {
      unwrap(await webhooks.retry(callerOf(request), request.params, requestOrigin(request)))
      return reply.code(202).send()
    },
  })
}
