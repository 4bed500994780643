/**
 * Drops a key from the node's cache when the log reports that some node has destroyed it. An earlier event would not do: a read between
 * that event and the destruction would cache the key again.
 */
import { BEYOND, type Position } from '../../events/position.ts'
import type { Feedable } from '../access/in-memory-views.ts'
import type { Sealer } from './sealer.ts'

export function createDestroyedKeys(sealer: Pick<Sealer, 'forget'>): Feedable {
  // A node that starts has no keys in its cache.
  let reached: Position = BEYOND
  return {
    name: 'destroyed keys',
    load: async () => reached,
    apply({ type, data, position }) {
      if (type === 'KeyShredded') sealer.forget(data.keyId)
      reached = position
    },
  }
}
