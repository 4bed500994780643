/** Detects that a client has disconnected. */
import type { FastifyReply } from 'fastify'

/** Aborts if the client disconnects before the response is complete. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (raw.closed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort()
  })
  return gone.signal
}
