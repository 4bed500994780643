/** Maps events of webhooks to audit paths: never a secret, and of a URL only its origin, because the rest may be a token. */
import type { WebhookEvents } from '../../src/events/webhook-events.ts'
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'
import { members, type PathsOf } from './audit-paths.ts'

export const WEBHOOK_PATHS: { readonly [T in keyof WebhookEvents]: PathsOf<T> } = {
  WebhookAdded: (data) => ({ ...members('origin', 'events', 'template')(data), enabled: true, urlVersion: 1, secretVersion: 1 }),
  WebhookChanged: ({ origin, events, template, enabled, url, secret }, before) => ({
    ...omitUndefined({ origin, events, template, enabled }),
    ...(url === undefined ? {} : { urlVersion: Number(before.urlVersion ?? 0) + 1 }),
    ...(secret === undefined ? {} : { secretVersion: Number(before.secretVersion ?? 0) + 1 }),
  }),
  WebhookDisabled: ({ reason }) => ({ enabled: false, reason }),
  WebhookRetryRequested: ({ deliveryId }) => ({ [`deliveries.${deliveryId}`]: 'retry' }),
  WebhookRemoved: () => ({ removed: true }),
}
