/** Path of a file derived from a film's content: `<folder>/<2 first hex>/<fingerprint>` and a suffix. Nothing else becomes a name. */
import { join } from 'node:path'

const FINGERPRINT = /^[0-9a-f]{64}$/

export const isFingerprint = (text: string): boolean => FINGERPRINT.test(text)

/** @throws Error if the text is not a fingerprint */
export function contentPath(folder: string, fingerprint: string, ending = ''): string {
  if (!isFingerprint(fingerprint)) throw new Error('Not a fingerprint')
  return join(folder, fingerprint.slice(0, 2), `${fingerprint}${ending}`)
}
