/** Signs requests by Standard Webhooks: HMAC-SHA256 over the id, the time and the body, with a secret that begins with `whsec_`. */
import { createHmac } from 'node:crypto'
import type { Ids } from '../../ports/ids.ts'

const PREFIX = 'whsec_'
const BYTES = { least: 24, most: 64 }

/** A new secret of 32 bytes. */
export const newWebhookSecret = (ids: Pick<Ids, 'token'>): string => `${PREFIX}${Buffer.from(ids.token(), 'base64url').toString('base64')}`

/** Whether it is `whsec_` and the base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const key = keyOf(text)
  return text === `${PREFIX}${key.toString('base64')}` && key.length >= BYTES.least && key.length <= BYTES.most
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

export interface SignedParts {
  readonly id: string
  readonly nowMs: number
  readonly body: string
}

/** The three headers. The time is that of this try. */
export function signatureHeaders(secret: string, { id, nowMs, body }: SignedParts): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
