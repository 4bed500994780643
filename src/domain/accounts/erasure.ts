/** Erasure of a user: complete once the key of the personal fields is destroyed. */
import { derivedId } from '../../events/derived-id.ts'
import type { ErasureId, UserId } from '../../vocabulary/id.ts'
import type { Decider, Decision } from '../decider.ts'

export interface ErasureState {
  readonly userId: UserId | null
  readonly keyId: string | null
  readonly erasedAt: string | null
}

export const erasure: Decider<ErasureState> = {
  initial: { userId: null, keyId: null, erasedAt: null },
  evolve: (state, { type, data }, at) => (type === 'KeyShredded' ? { userId: data.userId, keyId: data.keyId, erasedAt: at } : state),
}

/** A user has only one erasure, so its id derives from the user's. */
export const erasureOf = (userId: UserId): ErasureId => derivedId('erasure', userId)

/** The key is named after its subject. */
export const shredKey =
  (userId: UserId) =>
  ({ erasedAt }: ErasureState): Decision =>
    erasedAt === null ? [{ type: 'KeyShredded', data: { userId, keyId: userId } }] : []
