/** A receiver of webhooks on a real socket: it accepts, fails, hangs, lies and goes away, as its test decides. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface Received {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `processed` ones were taken in, whether or not the sender was answered. */
export type Behaviour = 'accept' | 'fail' | 'busy' | 'hang' | 'redirect' | 'garbage' | 'process-and-break' | 'gone'

const ANSWERS: Readonly<Record<Behaviour, (response: ServerResponse) => void>> = {
  accept: (response) => response.writeHead(204).end(),
  fail: (response) => response.writeHead(500).end('no'),
  busy: (response) => response.writeHead(429, { 'retry-after': '3' }).end(),
  hang: () => {},
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  garbage: (response) => response.socket?.end('HTTP/9 ok\r\n\r\n'),
  'process-and-break': (response) => response.socket?.destroy(),
  gone: (response) => response.writeHead(410).end(),
}
const PROCESSES: ReadonlySet<Behaviour> = new Set(['accept', 'process-and-break'])

export async function openReceiver(t: Test, behave: (received: Received) => Behaviour) {
  const processed: Received[] = []
  let requests = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests++
    const body = (await request.toArray()).map(String).join('')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const received = { id: headers['webhook-id'] ?? '', headers, body }
    const behaviour = behave(received)
    if (PROCESSES.has(behaviour)) processed.push(received)
    ANSWERS[behaviour](response)
  }

  let server: Server | undefined
  const listen = async (port: number): Promise<number> => {
    server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  async function goAway(): Promise<void> {
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
  }
  t.teardown(goAway)

  return {
    url: `http://127.0.0.1:${port}/hook`,
    /** Requests taken in, in order; the same id may come several times. */
    processed,
    requests: () => requests,
    goAway,
    comeBack: () => listen(port),
  }
}

export const dataOf = ({ body }: Received) => (JSON.parse(body) as { data: { seq: string; userId?: string } }).data
