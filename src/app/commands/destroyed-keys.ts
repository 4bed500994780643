/**
 * Destroyed keys: each node drops a key from its memory when the log says that some node has destroyed it. Earlier events do not do:
 * between them and the destruction, a read would put the key into memory again.
 */
import { BEYOND, type Position } from '../../events/position.ts'
import type { Feedable } from '../access/in-memory-views.ts'
import type { Sealer } from './sealer.ts'

export function createDestroyedKeys(sealer: Pick<Sealer, 'forget'>): Feedable {
  // A node that starts has no key in memory.
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
