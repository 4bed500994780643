/** Events of webhooks (`webhook-<id>`). Their URLs and secrets are sealed with a key of the webhook, which is destroyed with it. */
import type { DeliveryId, WebhookId } from '../vocabulary/id.ts'
import type { Sealed } from './sealed.ts'

/** The form of a request: the event as JSON, or a message in the form of a service. */
export type WebhookTemplate = 'json' | 'ntfy' | 'discord' | 'slack' | 'home-assistant'

export interface WebhookEvents {
  WebhookAdded: {
    readonly webhookId: WebhookId
    /** Scheme, host and port of the URL. The whole URL may contain a token, as those of Discord and Slack do. */
    readonly origin: string
    readonly url: Sealed
    readonly secret: Sealed
    /** Kinds of live events, such as `movie.added`, `movie.*` or `*`. */
    readonly events: readonly string[]
    readonly template: WebhookTemplate
  }
  /** Missing members stay as they are. */
  WebhookChanged: {
    readonly webhookId: WebhookId
    readonly origin?: string
    readonly url?: Sealed
    readonly secret?: Sealed
    readonly events?: readonly string[]
    readonly template?: WebhookTemplate
    readonly enabled?: boolean
  }
  /** The receiver answered 410: it wants no further events. */
  WebhookDisabled: { readonly webhookId: WebhookId; readonly reason: 'gone' }
  /** A parked delivery is to be tried again. */
  WebhookRetryRequested: { readonly webhookId: WebhookId; readonly deliveryId: DeliveryId }
  WebhookRemoved: { readonly webhookId: WebhookId }
}
