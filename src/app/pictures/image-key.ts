/**
 * Image key: public images are protected by nothing but their ids, so ids are made with a secret of this installation. Without it
 * anybody who knows a library's id and the names of its files could work them out.
 */
import { createHmac } from 'node:crypto'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { Vault } from '../../ports/vault.ts'

export type ImageKey = () => Promise<Uint8Array>

/** Reads the secret once; after a failure again. */
export function createImageKey(vault: Pick<Vault, 'secret'>): ImageKey {
  let key: Uint8Array | undefined
  return async () => (key ??= await vault.secret('images'))
}

/** What makes the ids of a provider's pictures unguessable in this library; views put it into them. */
export const imageSaltOf = (key: Uint8Array, libraryId: LibraryId): string =>
  createHmac('sha256', key).update(`library\0${libraryId}`).digest('base64url')
