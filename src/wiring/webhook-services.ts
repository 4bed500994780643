/** The services of webhooks: their administration, and their deliveries on one node of a site. */
import { runWebhookDeliverer } from '../app/webhooks/deliverer.ts'
import { createLiveWebhooks } from '../app/webhooks/live-webhooks.ts'
import type { DeliveryOutcome } from '../app/webhooks/outbox.ts'
import { createWebhooks } from '../app/webhooks/webhooks.ts'
import { payloadOf } from '../http/feed/event-frames.ts'
import type { Foundation, ServiceOptions } from './service-foundation.ts'

export function createWebhookServices(foundation: Foundation, { ports, onError, webhookSettled = () => {} }: ServiceOptions) {
  const { access, commandHandler, readModels, readYourWrites, sealer } = foundation
  const { clock, ids, log, store, vault, webhookSender: sender } = ports
  const live = createLiveWebhooks()
  const common = { clock, commandHandler, live, readYourWrites, sealer, sender, store, vault }
  const delivering = {
    ...common,
    readModels,
    libraries: access.libraries,
    log,
    onError,
    present: (event: Parameters<typeof payloadOf>[0]) => payloadOf(event, { role: 'admin' }),
    settled: (outcome: DeliveryOutcome) => webhookSettled(outcome),
  }
  return {
    webhooks: createWebhooks({ ...common, ids }),
    liveWebhooks: live,
    deliverWebhooks: (held: AbortSignal, epoch: number) => runWebhookDeliverer(delivering, epoch, held),
  }
}
