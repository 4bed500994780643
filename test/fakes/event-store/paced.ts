/** Sends with back-pressure: no faster than the receiver reads, without buffering here. */
import type { ServerDuplexStream, ServerWritableStream } from '@grpc/grpc-js'

export type Call<Request, Response> = ServerWritableStream<Request, Response> | ServerDuplexStream<Request, Response>

/** Settles when there is room for more. @returns false if the call is over */
export async function send<Request, Response>(call: Call<Request, Response>, message: Response): Promise<boolean> {
  if (isOver(call)) return false
  return call.write(message) || drained(call)
}

export const isOver = <Request, Response>(call: Call<Request, Response>): boolean => call.cancelled || call.destroyed || call.writableEnded

/** Settles at the first of these events; a keep-alive or a deadline ends a call whose other side is silent. */
function drained<Request, Response>(call: Call<Request, Response>): Promise<boolean> {
  return new Promise((settle) => {
    const done = () => {
      for (const event of ['drain', 'cancelled', 'close', 'error']) call.off(event, done)
      settle(!isOver(call))
    }
    for (const event of ['drain', 'cancelled', 'close', 'error']) call.on(event, done)
  })
}
