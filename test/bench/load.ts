/** Generates load: connections that each send the next request after the last response. Lean, so that servers are the bottleneck. */
import { connect } from 'node:net'
import { quantiles, type Quantiles } from './table.ts'

export interface Load {
  readonly port: number
  /** One for all, or of each connection's next request. */
  readonly token: string | ((connection: number) => string)
  readonly connections: number
  /** It ends after this time, */
  readonly durationMs: number
  /** or after so many requests; default: only after the time. */
  readonly requests?: number
  /** Method and path of the next request: asked before its token and its body. */
  readonly next: (connection: number) => string
  /** JSON of the next request; undefined, and by default: it has no body. */
  readonly body?: (connection: number) => string | undefined
}

export interface Measured extends Quantiles {
  /** Requests answered, and how many a second. */
  readonly count: number
  readonly rate: number
}

/** Requests answered per second. */
export const loadFor = async (load: Load): Promise<number> => (await measuredLoad(load)).rate

export async function measuredLoad({ port, token, connections, durationMs, requests = Infinity, next, body }: Load): Promise<Measured> {
  const latenciesMs: number[] = []
  const startMs = performance.now()
  const isOver = () => latenciesMs.length >= requests || performance.now() - startMs >= durationMs
  const head = (connection: number): string =>
    ` HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${typeof token === 'string' ? token : token(connection)}\r\n`
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
        return socket.write(next(connection) + head(connection) + ending(connection))
      }
      socket.on('data', (chunk: string) => {
        text += chunk
        if (!isWhole(text)) return
        if (!/^HTTP\/1.1 2/.test(text)) socket.destroy(new Error(text.slice(0, 500)))
        latenciesMs.push(performance.now() - sentMs)
        text = ''
        send()
      })
      socket.once('error', reject).once('close', () => resolve())
      send()
    })
  await Promise.all(Array.from({ length: connections }, (_, connection) => one(connection)))
  const elapsedMs = performance.now() - startMs
  const count = latenciesMs.length
  return { ...quantiles(latenciesMs), count, rate: (count * 1000) / elapsedMs }
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  return end >= 0 && text.length >= end + 4 + Number(/\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
}
