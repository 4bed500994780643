/**
 * First times: which requests have not come before. NATS delivers at most once, but a client that reconnects in the middle of a flush,
 * or a leaf node, may double a message, and a command that is carried out twice is stored twice.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

/** Requests remembered: those of many seconds on a busy node. */
const KNOWN_MAX = 10_000

/** Whether what is named is heard of for the first time. */
export function createMessageDedup(): (name: string) => boolean {
  const known = createLruCache<true>(KNOWN_MAX)
  return (name) => {
    if (known.peek(name)) return false
    known.put(name, true)
    return true
  }
}
