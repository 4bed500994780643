/** A client of a reverse proxy: HTTP/2 over TLS, from an address that is not the proxy's. */
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { Test } from 'tap'
import type { RunningProxy } from './reverse-proxy-programs.ts'

const PATIENCE_MS = 60_000
/** Not the address of the proxy, so that the server can tell them apart. */
export const CLIENT = '127.0.0.2'

/** Waits until the proxy listens. The connection ends with the test. */
export async function reach(t: Test, { place: { port }, isRunning, output }: RunningProxy): Promise<ClientHttp2Session> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const tcp = connectTcp({ host: '127.0.0.1', port, localAddress: CLIENT })
    const socket = connectTls({ socket: tcp, servername: 'localhost', rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    const isOpen = await new Promise<boolean>((settle) => {
      tcp.once('error', () => settle(false))
      socket.once('secureConnect', () => settle(true)).once('error', () => settle(false))
    })
    if (isOpen) {
      const client = connect(`https://localhost:${port}`, { createConnection: () => socket })
      t.teardown(() => client.destroy())
      return client
    }
    if (!isRunning() || Date.now() > deadline) throw new Error(`The proxy did not start:\n${output()}`)
    await sleep(50)
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Question {
  /** Default: GET without a body, POST with one. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes, or an object that is sent as JSON. */
  readonly body?: object
}

export function open(client: ClientHttp2Session, path: string, { headers = {}, body, method }: Question = {}): ClientHttp2Stream {
  const stream = client.request({
    ':method': method ?? (body ? 'POST' : 'GET'),
    ':path': path,
    ...headers,
    ...(body ? { 'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json' } : {}),
  })
  stream.end(Buffer.isBuffer(body) ? body : body && JSON.stringify(body))
  return stream
}

/** @throws Error the stream was reset before its end */
export async function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  const answered = new Promise<IncomingHttpHeaders & { ':status'?: number }>((settle, fail) =>
    stream.once('response', settle).once('error', fail),
  )
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const headers = await answered
  return { status: headers[':status'] ?? 0, headers, body: Buffer.concat(chunks) }
}

export const ask = (client: ClientHttp2Session, path: string, question: Question = {}): Promise<Answer> =>
  answerOf(open(client, path, question))

export const jsonOf = ({ body }: Answer) => JSON.parse(body.toString('utf8')) as Record<string, unknown>
