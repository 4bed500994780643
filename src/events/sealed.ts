/**
 * Sealed: a personal text encrypted with the key of its subject, `sealed:<subject>:<base64url of iv, text, tag>`
 * (AES-256-GCM). Destroying the key makes it unreadable everywhere, and the log still verifies.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export type Sealed = string & { readonly sealed: true }

const PREFIX = 'sealed'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Whether a text from an event's metadata is sealed. */
export const isSealed = (text: string | undefined): text is Sealed => text?.startsWith(`${PREFIX}:`) === true

export function seal(subject: string, key: Uint8Array, text: string): Sealed {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${PREFIX}:${subject}:${sealed.toString('base64url')}` as Sealed
}

/** The subject whose key opens it. */
export function subjectOf(sealed: Sealed): string {
  return sealed.split(':')[1] ?? ''
}

/** The text; undefined if the key does not open it. */
export function unseal(sealed: Sealed, key: Uint8Array): string | undefined {
  const bytes = Buffer.from(sealed.split(':')[2] ?? '', 'base64url')
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
