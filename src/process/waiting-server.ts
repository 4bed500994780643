/**
 * Waiting server: answers on the port until the real one can. A liveness check finds the process alive, and `readyz` says what it waits
 * for, instead of a closed port that says nothing and has the process started again and again.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WaitingServer {
  /** The port that it has taken. */
  readonly port: number
  /** What is waited for. */
  waitFor(this: void, reason: string | undefined): void
  /** Gives the port back. */
  close(): Promise<void>
}

const RETRY_SECONDS = 2
const STARTING = 'The server is starting'
const CONNECTIONS_MAX = 100
const REQUEST_MS = 5_000

/** @throws what the system says, for example `EADDRINUSE` */
export async function openWaitingServer({ host, port }: { readonly host: string; readonly port: number }): Promise<WaitingServer> {
  let reason = STARTING
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    const isAlive = /^\/healthz(?:\?|$)/.test(request.url ?? '')
    const body = isAlive ? { status: 'ok' } : { error: reason }
    const headers = isAlive ? {} : { 'retry-after': String(RETRY_SECONDS), 'x-error-code': 'unavailable' }
    response.writeHead(isAlive ? 200 : 503, { 'content-type': 'application/json; charset=utf-8', connection: 'close', ...headers })
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body))
  })
  server.maxConnections = CONNECTIONS_MAX
  server.listen({ host, port })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    waitFor: (next) => void (reason = next ?? STARTING),
    close: () => closed(server),
  }
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
