/** Signs texts as `text:hmac`, where the hmac is HMAC-SHA256 in lower-case hex. Only the signers interpret the text. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** A text key is encoded in UTF-8. */
export type SigningKey = string | Uint8Array

export function signText(key: SigningKey, text: string): string {
  return `${text}:${mac(key, text).toString('hex')}`
}

/** The text, if one of the keys has signed it; else undefined. */
export function readSignedText(keys: readonly SigningKey[], signed: string): string | undefined {
  const [, text, hmac = ''] = /^(.+):([0-9a-f]{64})$/s.exec(signed) ?? []
  if (text === undefined) return undefined
  const given = Buffer.from(hmac, 'hex')
  // Compare every key, so that the time does not reveal which one matches.
  const fits = keys.map((key) => timingSafeEqual(mac(key, text), given))
  return fits.includes(true) ? text : undefined
}

const mac = (key: SigningKey, text: string) => createHmac('sha256', key).update(text).digest()
