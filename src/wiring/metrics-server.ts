/** `/metrics` on an address of its own. It needs the token, if there is one. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { HostAndPort } from '../config/addresses.ts'
import type { Metrics } from '../ports/meters.ts'
import { StartRefused } from '../process/start-failure.ts'

export interface MetricsServerOptions {
  readonly address: HostAndPort
  readonly token: string | undefined
  readonly metrics: Pick<Metrics, 'text'>
}

export interface MetricsServer {
  readonly port: number
  close(this: void): Promise<void>
}

const TIMEOUT_MS = 10_000
const MOST_CONNECTIONS = 16

/** @throws StartRefused the address cannot be had */
export async function openMetricsServer({ address, token, metrics }: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    void answer(request, response, { token, metrics })
  })
  server.maxConnections = MOST_CONNECTIONS
  server.listen({ host: address.host, port: address.port })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartRefused(`MARQUEE_METRICS: ${reason}`, { cause })
  }
  const at = server.address()
  return {
    port: at && typeof at === 'object' ? at.port : address.port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { token, metrics }: Pick<MetricsServerOptions, 'token' | 'metrics'>,
): Promise<void> {
  const answer = (status: number, type: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(body)
  if (request.url?.split('?', 1)[0] !== '/metrics') return void answer(404, 'text/plain', 'Not found\n')
  if (request.method !== 'GET') return void answer(405, 'text/plain', 'GET only\n', { allow: 'GET' })
  if (token !== undefined && !isSame(tokenOf(request) ?? '', token))
    return void answer(401, 'text/plain', 'The token is missing or wrong\n', { 'www-authenticate': 'Bearer' })
  try {
    const { type, body } = await metrics.text()
    answer(200, type, body)
  } catch {
    answer(503, 'text/plain', 'The metrics cannot be read now\n')
  }
}

/** The name of the scheme is case-insensitive (RFC 9110, section 11.1). */
const tokenOf = ({ headers }: IncomingMessage): string | undefined => /^bearer (.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim()

/** In a time that does not reveal how much of it is right. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
