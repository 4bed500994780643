/**
 * Provides the secret that image ids derive from. Public images are protected only by their ids: without the secret, anybody who knows a
 * library's id and its file names could compute them.
 */
import { createHmac } from 'node:crypto'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { Vault } from '../../ports/vault.ts'

export type ImageKey = () => Promise<Uint8Array>

/** Reads the secret once; retries after a failure. */
export function createImageKey(vault: Pick<Vault, 'secret'>): ImageKey {
  let key: Uint8Array | undefined
  return async () => (key ??= await vault.secret('images'))
}

/** Salt that makes the ids of a provider's images unguessable in this library; views include it in the ids. */
export const imageSaltOf = (key: Uint8Array, libraryId: LibraryId): string =>
  createHmac('sha256', key).update(`library\0${libraryId}`).digest('base64url')
