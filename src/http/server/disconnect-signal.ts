/** Whether anybody still waits for an answer. */
import type { FastifyReply } from 'fastify'

/** Aborts when the client has gone before it was answered. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (raw.closed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort()
  })
  return gone.signal
}
