/** Builds responses to erasures. */
import { Type } from 'typebox'
import { erasureOf } from '../../domain/accounts/erasure.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { ErasureReceipt, presentReceipt, type ErasureReceiptBody } from '../audit/erasure-receipt.ts'
import type { HttpServices } from '../server/app.ts'
import { Id, named } from '../server/values-schemas.ts'

export const Erasure = named(
  'Erasure',
  Type.Object({
    id: Id,
    userId: Id,
    state: Type.Enum(['erased']),
    receipt: Type.Unsafe<ErasureReceiptBody | null>({
      anyOf: [Type.Ref(ErasureReceipt.$id), { type: 'null' }],
      description: 'Null if it cannot be made now; administrators get it at `/v1/erasures/:id` later.',
    }),
  }),
)

/**
 * Includes the receipt, since erased people can request nothing any more. If its parts are unavailable, the erasure is done all the same.
 */
export async function presentErasure({ erasureReceipts }: Pick<HttpServices, 'erasureReceipts'>, userId: UserId) {
  const id = erasureOf(userId)
  const receipt = await erasureReceipts.get(id).catch((cause: unknown) => {
    if (cause instanceof ServerUnavailable) return undefined
    throw cause
  })
  return { id, userId, state: 'erased' as const, receipt: receipt && !isRefusal(receipt) ? presentReceipt(receipt) : null }
}
