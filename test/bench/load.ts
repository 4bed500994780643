/** Generates load: connections that each send the next request after the last response. Lean, so that servers are the bottleneck. */
import { connect } from 'node:net'

export interface Load {
  readonly port: number
  readonly token: string
  readonly connections: number
  /** It ends after this time, */
  readonly durationMs: number
  /** or after so many requests; default: only after the time. */
  readonly requests?: number
  /** Method and path of the next request. */
  readonly next: (connection: number) => string
  /** JSON of the next request; default: it has no body. */
  readonly body?: (connection: number) => string
  /** Receives how long each request took. */
  readonly took?: (ms: number) => void
}

export interface Measured {
  /** Requests answered per second. */
  readonly rate: number
  readonly p99Ms: number
}

/** Requests answered per second. */
export const loadFor = async (load: Load): Promise<number> => (await measuredLoad(load)).rate

export async function measuredLoad({
  port,
  token,
  connections,
  durationMs,
  requests = Infinity,
  next,
  body,
  took,
}: Load): Promise<Measured> {
  const latenciesMs: number[] = []
  const startMs = performance.now()
  const isOver = () => latenciesMs.length >= requests || performance.now() - startMs >= durationMs
  const head = ` HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n`
  const ending = (connection: number): string => {
    const json = body?.(connection)
    if (json === undefined) return 'content-length: 0\r\n\r\n'
    return `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
  }
  const one = (connection: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true)
      let text = ''
      let sentMs = 0
      const send = () => {
        if (isOver()) return socket.end()
        sentMs = performance.now()
        return socket.write(next(connection) + head + ending(connection))
      }
      socket.on('data', (chunk: string) => {
        text += chunk
        if (!isWhole(text)) return
        if (!/^HTTP\/1.1 2/.test(text)) socket.destroy(new Error(text.slice(0, 500)))
        const ms = performance.now() - sentMs
        latenciesMs.push(ms)
        took?.(ms)
        text = ''
        send()
      })
      socket.once('error', reject).once('close', () => resolve())
      send()
    })
  await Promise.all(Array.from({ length: connections }, (_, connection) => one(connection)))
  const elapsedMs = performance.now() - startMs
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  return { rate: (sorted.length * 1000) / elapsedMs, p99Ms: sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0 }
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  return end >= 0 && text.length >= end + 4 + Number(/\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
}
