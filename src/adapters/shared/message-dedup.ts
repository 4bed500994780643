/**
 * Detects duplicate requests. NATS delivers at most once, but a client that reconnects during a flush may duplicate a message, and so may a
 * leaf node. A command executed twice would be stored twice.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

/** Requests remembered: those of many seconds on a busy node. */
const KNOWN_MAX = 10_000

/** Whether this name is seen for the first time. */
export function createMessageDedup(): (name: string) => boolean {
  const known = createLruCache<true>(KNOWN_MAX)
  return (name) => {
    if (known.peek(name)) return false
    known.put(name, true)
    return true
  }
}
