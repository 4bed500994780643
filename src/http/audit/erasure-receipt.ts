/** Schemas of erasure receipts. */
import { Type, type Static } from 'typebox'
import type { ErasureReceipt as Receipt } from '../../app/audit/erasure-receipts.ts'
import { Id, named, Time } from '../server/values-schemas.ts'
import { Base64Hash, Seq } from './audit-schemas.ts'

export const ErasureReceipt = named(
  'ErasureReceipt',
  Type.Object({
    id: Id,
    subject: Type.Unsafe<string>({ ...Id, description: 'Id of the user.' }),
    keyId: Type.Unsafe<string>({ ...Id, description: 'Name of the destroyed key.' }),
    erasedAt: Time,
    seq: Seq,
    checkpoint: Type.String({ description: 'Signed note of the tree that ends with this entry.' }),
    entry: Type.String({ description: 'The entry as it was hashed: canonical JSON (RFC 8785).' }),
    hashes: Type.Array(Base64Hash, { description: 'Path of the entry in that tree (RFC 6962).' }),
  }),
)
export type ErasureReceiptBody = Static<typeof ErasureReceipt>

export function presentReceipt({ hashes, ...receipt }: Receipt): ErasureReceiptBody {
  return { ...receipt, hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')) }
}
