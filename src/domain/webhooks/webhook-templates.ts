/** Forms of a request: the event as JSON, or a message as ntfy, Discord, Slack and Home Assistant take it. */
import type { WebhookTemplate } from '../../events/webhook-events.ts'
import { messageOf, type WebhookEvent } from './webhook-message.ts'

export interface WebhookContent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const JSON_TYPE = { 'content-type': 'application/json' }
const TITLE = 'Marquee'

const asJson = (value: object): WebhookContent => ({ headers: JSON_TYPE, body: JSON.stringify(value) })

/** The payload that Standard Webhooks recommends. */
const plain = ({ kind: type, at: timestamp, data }: WebhookEvent) => ({ type, timestamp, data })

/** Slack reads these three characters as markup. */
const slackText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Discord reads these characters as markup. */
const discordText = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()]/g, (mark) => `\\${mark}`)

const TEMPLATES: Readonly<Record<WebhookTemplate, (event: WebhookEvent) => WebhookContent>> = {
  json: (event) => asJson(plain(event)),
  // The URL is that of a topic: ntfy takes the body as the message, and the rest from headers.
  ntfy: (event) => ({ headers: { 'content-type': 'text/plain; charset=utf-8', title: TITLE, tags: 'clapper' }, body: messageOf(event) }),
  // A title may contain `@everyone`: nobody is mentioned.
  discord: (event) => asJson({ username: TITLE, content: discordText(messageOf(event)), allowed_mentions: { parse: [] } }),
  slack: (event) => asJson({ text: slackText(messageOf(event)) }),
  'home-assistant': (event) => asJson({ ...plain(event), message: messageOf(event) }),
}

export const contentOf = (template: WebhookTemplate, event: WebhookEvent): WebhookContent => TEMPLATES[template](event)
