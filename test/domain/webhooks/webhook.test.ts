import t from 'tap'
import {
  addWebhook,
  changeWebhook,
  disableGone,
  NO_SUCH_WEBHOOK,
  removeWebhook,
  requestRetry,
  webhook,
} from '../../../src/domain/webhooks/webhook.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import type { DeliveryId, WebhookId } from '../../../src/vocabulary/id.ts'
import { given, type Happened } from '../../fixtures/given.ts'

const webhookId = 'webhook00000000000000' as WebhookId
const deliveryId = 'delivery0000000000000' as DeliveryId
const sealed = (text: string) => `sealed:${webhookId}:${text}` as Sealed

const ADDED = {
  type: 'WebhookAdded',
  data: {
    webhookId,
    origin: 'https://example.org',
    url: sealed('url'),
    secret: sealed('secret'),
    events: ['movie.*'],
    template: 'json',
  },
} as const satisfies Happened
const REMOVED = { type: 'WebhookRemoved', data: { webhookId } } as const
const GONE = { type: 'WebhookDisabled', data: { webhookId, reason: 'gone' } } as const

t.test('a webhook is added once, and not again after its removal', async (t) => {
  t.strictSame(given(webhook).when(addWebhook(ADDED.data)), [ADDED])
  t.strictSame(given(webhook, ADDED).when(addWebhook(ADDED.data)), [])
  t.strictSame(given(webhook, ADDED, REMOVED).when(addWebhook(ADDED.data)), [])
})

t.test('only what differs is changed', async (t) => {
  const { when } = given(webhook, ADDED)
  t.strictSame(when(changeWebhook({})), [])
  t.strictSame(when(changeWebhook({ events: ['movie.*'], template: 'json', enabled: true })), [])
  t.strictSame(when(changeWebhook({ events: ['scan.*'], enabled: false })), [
    { type: 'WebhookChanged', data: { webhookId, events: ['scan.*'], enabled: false } },
  ])
  const address = { origin: 'https://example.net', url: sealed('other') }
  t.strictSame(when(changeWebhook({ address, secret: sealed('new'), template: 'slack' })), [
    { type: 'WebhookChanged', data: { webhookId, ...address, secret: sealed('new'), template: 'slack' } },
  ])
})

t.test('a webhook names only events that it may get', async (t) => {
  const refused = { refusal: 'invalid', path: 'events.1' }
  for (const unknown of ['film.added', 'movie.watched', 'watchlist.*', 'movie.ad']) {
    const events = ['movie.*', unknown]
    t.match(given(webhook).when(addWebhook({ ...ADDED.data, events })), refused, unknown)
    t.match(given(webhook, ADDED).when(changeWebhook({ events })), refused, unknown)
  }
  for (const events of [['*'], ['movie.removed', 'trickplay.*', 'library.massMissing']]) {
    t.match(given(webhook).when(addWebhook({ ...ADDED.data, events })), [{ type: 'WebhookAdded', data: { events } }])
  }
  const earlier = { ...ADDED, data: { ...ADDED.data, events: ['film.added'] } }
  t.match(given(webhook, earlier).when(changeWebhook({ events: ['film.added'], enabled: false })), [{ type: 'WebhookChanged' }])
})

t.test('a webhook whose receiver is gone is disabled once, and can be enabled', async (t) => {
  t.strictSame(given(webhook, ADDED).when(disableGone), [GONE])
  t.strictSame(given(webhook, ADDED, GONE).when(disableGone), [])
  t.strictSame(given(webhook, ADDED, GONE).when(changeWebhook({ enabled: true })), [
    { type: 'WebhookChanged', data: { webhookId, enabled: true } },
  ])
})

t.test('a retry needs a webhook that is enabled', async (t) => {
  t.strictSame(given(webhook, ADDED).when(requestRetry(deliveryId)), [{ type: 'WebhookRetryRequested', data: { webhookId, deliveryId } }])
  t.match(given(webhook, ADDED, GONE).when(requestRetry(deliveryId)), { refusal: 'conflict' })
})

t.test('nothing can be done with a webhook that was removed or never added', async (t) => {
  t.strictSame(given(webhook, ADDED).when(removeWebhook), [REMOVED])
  for (const past of [[], [ADDED, REMOVED]]) {
    const { when } = given(webhook, ...past)
    for (const decide of [changeWebhook({ enabled: false }), removeWebhook, requestRetry(deliveryId)])
      t.equal(when(decide), NO_SUCH_WEBHOOK)
    t.strictSame(when(disableGone), [])
  }
})
