/** One try of a delivery: opens the webhook's URL and secret, signs the content, sends it, and classifies the answer. */
import type { WebhookDocument } from '../../../projections/views/webhooks.ts'
import { nextTryMs } from '../../domain/webhooks/retries.ts'
import type { WebhookEvent } from '../../domain/webhooks/webhook-message.ts'
import { contentOf } from '../../domain/webhooks/webhook-templates.ts'
import type { Clock } from '../../ports/clock.ts'
import type { WebhookAnswer, WebhookSender } from '../../ports/webhook-sender.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { Delivery } from './delivery-store.ts'
import { signatureHeaders } from './webhook-signature.ts'

export interface SendingDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly sealer: Pick<Sealer, 'open'>
  readonly sender: Pick<WebhookSender, 'send'>
}

interface Message {
  readonly id: string
  readonly event: WebhookEvent
}

/** @throws the signal's reason only */
export async function sendTo(
  { clock, sealer, sender }: SendingDependencies,
  webhook: WebhookDocument,
  { id, event }: Message,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const [url, secret] = [await sealer.open(webhook.url), await sealer.open(webhook.secret)]
  if (url === undefined || secret === undefined) return { type: 'failed', reason: 'its key is destroyed' }
  const { headers, body } = contentOf(webhook.template, event)
  return sender.send({ url, headers: { ...headers, ...signatureHeaders(secret, { id, nowMs: clock.now(), body }) }, body }, signal)
}

const GONE = 410

export const isDelivered = (answer: WebhookAnswer): boolean => answer.type === 'answered' && answer.status >= 200 && answer.status < 300
export const isGone = (answer: WebhookAnswer): boolean => answer.type === 'answered' && answer.status === GONE

/** Why it was not delivered. */
export const reasonOf = (answer: WebhookAnswer): string => (answer.type === 'failed' ? answer.reason : `answered ${answer.status}`)

const iso = (ms: number) => new Date(ms).toISOString()

/** The delivery after a try. */
export function afterTry(delivery: Delivery, answer: WebhookAnswer, nowMs: number): Delivery {
  const at = iso(nowMs)
  const status = answer.type === 'answered' ? answer.status : null
  const firstTriedAt = delivery.firstTriedAt ?? at
  const tried = { ...delivery, tries: delivery.tries + 1, firstTriedAt, lastTriedAt: at, status }
  if (isDelivered(answer)) return { ...tried, state: 'delivered', nextAt: null, reason: null }
  const pauseMs = answer.type === 'answered' ? answer.pauseMs : undefined
  const nextMs = nextTryMs({ failures: tried.tries, firstMs: Date.parse(firstTriedAt), nowMs, pauseMs })
  const waits = nextMs === undefined ? ({ state: 'parked', nextAt: null } as const) : { nextAt: iso(nextMs) }
  return { ...tried, ...waits, reason: reasonOf(answer) }
}
