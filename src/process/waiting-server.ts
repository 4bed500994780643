/**
 * Answers on the port until the real server can. A liveness check finds the process alive, and `readyz` names the dependency it waits for.
 * A closed port would give no reason, and a supervisor would restart the process again and again.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WaitingServer {
  /** The port that it has taken. */
  readonly port: number
  /** Sets the reason for waiting. */
  waitFor(this: void, reason: string | undefined): void
  /** Releases the port. */
  close(): Promise<void>
}

const RETRY_SECONDS = 2
const STARTING = 'The server is starting'
const CONNECTIONS_MAX = 100
const REQUEST_MS = 5_000

/** @throws the system's error, for example `EADDRINUSE` */
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
