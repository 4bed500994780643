/** Where what was made of a film's content is kept: `<folder>/<2 first hex>/<fingerprint>` and an ending. Nothing else becomes a name. */
import { join } from 'node:path'

const FINGERPRINT = /^[0-9a-f]{64}$/

export const isFingerprint = (text: string): boolean => FINGERPRINT.test(text)

/** @throws Error what is no fingerprint is no name either */
export function contentPath(folder: string, fingerprint: string, ending = ''): string {
  if (!isFingerprint(fingerprint)) throw new Error('Not a fingerprint')
  return join(folder, fingerprint.slice(0, 2), `${fingerprint}${ending}`)
}
