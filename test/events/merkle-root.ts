/** Computes the root of a Merkle tree directly from its definition (RFC 6962, section 2.1): slow, and independent of the product's code. */
import { createHash } from 'node:crypto'

export function rootByDefinition(leafHashes: readonly Uint8Array[]): Buffer {
  const [only] = leafHashes
  if (only === undefined) return createHash('sha256').digest()
  if (leafHashes.length === 1) return Buffer.from(only)
  let left = 1
  while (left * 2 < leafHashes.length) left *= 2
  const halves = [rootByDefinition(leafHashes.slice(0, left)), rootByDefinition(leafHashes.slice(left))]
  return createHash('sha256')
    .update(Buffer.concat([Buffer.of(1), ...halves]))
    .digest()
}
