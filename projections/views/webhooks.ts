/** View `webhooks`: one document per webhook. Its URL and its secret stay sealed. */
import type { RecordedEvent } from '../../src/events/recorded.ts'
import type { Sealed } from '../../src/events/sealed.ts'
import type { Position } from '../../src/events/position.ts'
import type { WebhookTemplate } from '../../src/events/webhook-events.ts'
import type { WebhookId } from '../../src/vocabulary/id.ts'
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'
import { operations, type View } from './view.ts'

export interface WebhookDocument {
  readonly id: WebhookId
  readonly url: Sealed
  readonly secret: Sealed
  readonly events: readonly string[]
  readonly template: WebhookTemplate
  readonly enabled: boolean
  /** `gone`: its receiver answered 410. */
  readonly disabledBecause: 'gone' | 'asked' | null
  /** Position at which it was added: it gets events after it. */
  readonly since: Position
  /** Position at which it was enabled last; adding it enables it. */
  readonly enabledSince: Position
  /** Position of the last change of its URL or secret. */
  readonly addressSince: Position
  readonly createdAt: string
  readonly updatedAt: string
}

const { put, change } = operations<WebhookDocument>()

export const webhooks: View<WebhookDocument> = {
  name: 'webhooks',
  version: 2,
  fields: {},
  indexes: [],
  handles: {
    WebhookAdded: ({ data, at, position }) => {
      const { webhookId: id, url, secret, events, template } = data
      const begun = { enabled: true, disabledBecause: null, since: position, enabledSince: position, addressSince: position }
      return put(id, { id, url, secret, events, template, ...begun, createdAt: at, updatedAt: at })
    },
    WebhookChanged: (event) => change(event.data.webhookId, (webhook) => ({ ...webhook, ...changed(event), updatedAt: event.at })),
    WebhookDisabled: ({ data, at }) =>
      change(data.webhookId, (webhook) => ({ ...webhook, enabled: false, disabledBecause: data.reason, updatedAt: at })),
    WebhookRemoved: ({ data }) => change(data.webhookId, () => null),
  },
}

function changed({ data, position }: RecordedEvent<'WebhookChanged'>): Partial<WebhookDocument> {
  const { url, secret, events, template, enabled } = data
  return {
    ...omitUndefined({ url, secret, events, template }),
    ...(url === undefined && secret === undefined ? {} : { addressSince: position }),
    ...(enabled === true ? { enabled, disabledBecause: null, enabledSince: position } : {}),
    ...(enabled === false ? { enabled, disabledBecause: 'asked' } : {}),
  }
}
