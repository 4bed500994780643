/** Schemas of webhooks and their deliveries. */
import { Type, type Static } from 'typebox'
import { toSeq } from '../../events/position.ts'
import type { Delivery } from '../../app/webhooks/delivery-store.ts'
import type { OpenedWebhook } from '../../app/webhooks/webhooks.ts'
import { PAGE_QUERY, TOTAL_QUERY } from '../server/paging.ts'
import { Count, Id, named, nullable, nullableEnum, pageOf, Time } from '../server/values-schemas.ts'

const URL_MAX = 2_000
const SECRET_MAX = 200
const KINDS_MAX = 50

const url = Type.String({
  minLength: 1,
  maxLength: URL_MAX,
  description:
    'http or https, without a user name. Addresses that are not public are refused unless `MARQUEE_WEBHOOK_ALLOW` allows them; redirects are not followed.',
  examples: ['https://hooks.example.org/marquee'],
})
const events = Type.Array(Type.String({ maxLength: 60, pattern: String.raw`^(\*|[a-z]+\.(\*|[a-zA-Z]+))$`, examples: ['movie.*'] }), {
  minItems: 1,
  maxItems: KINDS_MAX,
  uniqueItems: true,
  description:
    'Kinds of live events, as in `GET /api/events`: `movie.added`, `movie.*`, or `*`. Personal ones, such as watched marks, are not sent.',
  examples: [['movie.added', 'scan.*']],
})
const template = Type.Enum(['json', 'ntfy', 'discord', 'slack', 'home-assistant'], {
  description: '`json`: `{type, timestamp, data}`, with the data of the live event. The others: a message as the service takes it.',
})
const secretText = Type.String({ minLength: 1, maxLength: SECRET_MAX, examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] })
const enabled = Type.Boolean({ description: 'Whether it gets events. It never gets those that happen while it is disabled.' })

const webhook = {
  id: Id,
  url: nullable(Type.String({ description: 'Null if its key is destroyed.' })),
  events,
  template,
  enabled,
  disabledBecause: nullableEnum(['gone', 'asked']),
  createdAt: Time,
  updatedAt: Time,
}

export const Webhook = named(
  'Webhook',
  Type.Object(webhook, { description: '`disabledBecause`: `gone`: its receiver answered 410; `asked`: an administrator did it.' }),
)
export const WebhookPage = pageOf(Webhook)
export const WebhooksQuery = Type.Object(TOTAL_QUERY)

export const NewWebhookAnswer = named(
  'NewWebhook',
  Type.Object({
    ...webhook,
    secret: { ...secretText, description: 'Verifies the signatures. It is shown only here.' },
  }),
)

export const NewWebhookBody = Type.Object(
  {
    url,
    events,
    template: Type.Optional({ ...template, default: 'json' }),
    secret: Type.Optional({ ...secretText, description: '`whsec_` and the base64 of 24 to 64 bytes. Default: a new one.' }),
  },
  { examples: [{ url: 'https://hooks.example.org/marquee', events: ['movie.added'] }] },
)

export const WebhookChangeBody = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    template: Type.Optional(template),
    secret: Type.Optional({ ...secretText, description: 'Replaces the secret.' }),
    enabled: Type.Optional(enabled),
  },
  { examples: [{ enabled: false }] },
)

export const WebhookTest = named(
  'WebhookTest',
  Type.Object({
    delivered: Type.Boolean({ description: 'The receiver answered with a status from 200 to 299.' }),
    status: nullable(Type.Integer({ description: 'Status of the answer; null: there was none.' })),
    reason: nullable(Type.String({ description: 'Why it was not delivered.', examples: ['gave no answer within 10 s'] })),
  }),
)

const State = Type.Enum(['pending', 'delivered', 'parked'], {
  description: '`pending`: it is tried until three days after the first try; `parked`: all tries failed.',
})

export const WebhookDelivery = named(
  'WebhookDelivery',
  Type.Object({
    id: { ...Id, description: '`webhook-id` of the request: the same in every try.' },
    kind: Type.String({ examples: ['movie.added'] }),
    seq: Type.String({ description: 'Position of the event in the log.', examples: ['18231'] }),
    at: { ...Time, description: 'When it happened. RFC 3339, UTC.' },
    state: State,
    tries: Count,
    lastTriedAt: nullable(Time),
    nextAt: nullable({ ...Time, description: 'Time of the next try, if those of the same subject before it are done. RFC 3339, UTC.' }),
    status: nullable(Type.Integer({ description: 'Status of the last answer; null: there was none.' })),
    reason: nullable(Type.String({ description: 'Why the last try failed.', examples: ['answered 500'] })),
  }),
)
export const WebhookDeliveryPage = pageOf(WebhookDelivery)

export const DeliveriesQuery = Type.Object({ ...PAGE_QUERY, state: Type.Optional(State) })

export function presentWebhook(opened: OpenedWebhook): Static<typeof Webhook> {
  const { id, url, events, template, enabled, disabledBecause, createdAt, updatedAt } = opened
  return { id, url, events: [...events], template, enabled, disabledBecause, createdAt, updatedAt }
}

export function presentDelivery({ id, event, position, state, tries, lastTriedAt, nextAt, status, reason }: Delivery) {
  return { id, kind: event.kind, seq: toSeq(position), at: event.at, state, tries, lastTriedAt, nextAt, status, reason }
}
