/** Signed texts: `text:hmac`, the hmac HMAC-SHA256 in lower-case hex. What the text says is read by those who sign it. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** A text counts in UTF-8. */
export type SigningKey = string | Uint8Array

export function signText(key: SigningKey, text: string): string {
  return `${text}:${mac(key, text).toString('hex')}`
}

/** The text that one of the keys has signed; undefined for anything else. */
export function readSignedText(keys: readonly SigningKey[], signed: string): string | undefined {
  const [, text, hmac = ''] = /^(.+):([0-9a-f]{64})$/s.exec(signed) ?? []
  if (text === undefined) return undefined
  const given = Buffer.from(hmac, 'hex')
  // Every key is compared, so that the time tells nothing of which one fits.
  const fits = keys.map((key) => timingSafeEqual(mac(key, text), given))
  return fits.includes(true) ? text : undefined
}

const mac = (key: SigningKey, text: string) => createHmac('sha256', key).update(text).digest()
