/** Webhook: a URL that gets live events of the server. A removed webhook stays removed. */
import type { DomainEvent, EventData } from '../../events/catalogue.ts'
import type { WebhookTemplate } from '../../events/webhook-events.ts'
import type { Sealed } from '../../events/sealed.ts'
import type { DeliveryId, WebhookId } from '../../vocabulary/id.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Decider, Decision } from '../decider.ts'
import { refuse } from '../refusal.ts'
import { faultOfPatterns } from './webhook-kinds.ts'

interface Webhook {
  readonly webhookId: WebhookId
  readonly events: readonly string[]
  readonly template: WebhookTemplate
  readonly enabled: boolean
}

export interface WebhookState {
  readonly webhook: Webhook | null
  readonly removed: boolean
}

export const NO_SUCH_WEBHOOK = refuse('not-found', 'There is no such webhook')

export const webhook: Decider<WebhookState> = {
  initial: { webhook: null, removed: false },
  evolve: (state, event) => {
    const { webhook } = state
    switch (event.type) {
      case 'WebhookAdded': {
        const { webhookId, events, template } = event.data
        return { webhook: { webhookId, events, template, enabled: true }, removed: false }
      }
      case 'WebhookChanged': {
        const { events, template, enabled } = event.data
        return { ...state, webhook: webhook && { ...webhook, ...omitUndefined({ events, template, enabled }) } }
      }
      case 'WebhookDisabled':
        return { ...state, webhook: webhook && { ...webhook, enabled: false } }
      case 'WebhookRemoved':
        return { webhook: null, removed: true }
      default:
        return state
    }
  },
}

/** Whether the webhook is enabled after this event; undefined if the event does not change that. */
export function enabledBy(webhookId: WebhookId, { type, data }: DomainEvent): boolean | undefined {
  if (type !== 'WebhookChanged' && type !== 'WebhookDisabled') return undefined
  if (data.webhookId !== webhookId) return undefined
  return type === 'WebhookChanged' ? data.enabled : false
}

export const addWebhook =
  (data: EventData['WebhookAdded']) =>
  ({ webhook, removed }: WebhookState): Decision =>
    webhook || removed ? [] : (faultOfPatterns(data.events) ?? [{ type: 'WebhookAdded', data }])

/** Absent members stay. The caller passes a sealed text only if the text differs. */
export interface WebhookChange {
  readonly address?: { readonly origin: string; readonly url: Sealed } | undefined
  readonly secret?: Sealed | undefined
  readonly events?: readonly string[] | undefined
  readonly template?: WebhookTemplate | undefined
  readonly enabled?: boolean | undefined
}

export const changeWebhook =
  ({ address, secret, ...wanted }: WebhookChange) =>
  ({ webhook }: WebhookState): Decision => {
    if (!webhook) return NO_SUCH_WEBHOOK
    const { webhookId, events, template, enabled } = webhook
    const change = omitUndefined({
      origin: address?.origin,
      url: address?.url,
      secret,
      events: wanted.events && !sameTexts(wanted.events, events) ? wanted.events : undefined,
      template: wanted.template === template ? undefined : wanted.template,
      enabled: wanted.enabled === enabled ? undefined : wanted.enabled,
    })
    if (Object.keys(change).length === 0) return []
    // Those of an earlier version stay as they are.
    const fault = change.events && faultOfPatterns(change.events)
    return fault ?? [{ type: 'WebhookChanged', data: { webhookId, ...change } }]
  }

/** The receiver wants no further events. */
export const disableGone = ({ webhook }: WebhookState): Decision =>
  webhook?.enabled ? [{ type: 'WebhookDisabled', data: { webhookId: webhook.webhookId, reason: 'gone' } }] : []

export const removeWebhook = ({ webhook }: WebhookState): Decision =>
  webhook ? [{ type: 'WebhookRemoved', data: { webhookId: webhook.webhookId } }] : NO_SUCH_WEBHOOK

export const requestRetry =
  (deliveryId: DeliveryId) =>
  ({ webhook }: WebhookState): Decision => {
    if (!webhook) return NO_SUCH_WEBHOOK
    if (!webhook.enabled) return refuse('conflict', 'This webhook is disabled: enable it first')
    return [{ type: 'WebhookRetryRequested', data: { webhookId: webhook.webhookId, deliveryId } }]
  }

const sameTexts = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((text, n) => text === b[n])
