/** Generates load: connections that each send the next request after the last response. Lean, so that servers are the bottleneck. */
import { connect } from 'node:net'

export interface Load {
  readonly port: number
  readonly token: string
  readonly connections: number
  readonly durationMs: number
  /** Method and path of the next request. */
  readonly next: (connection: number) => string
}

/** Requests answered per second. */
export async function loadFor({ port, token, connections, durationMs, next }: Load): Promise<number> {
  let answered = 0
  const startMs = performance.now()
  const isOver = () => performance.now() - startMs >= durationMs
  const head = ` HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\ncontent-length: 0\r\n\r\n`
  const one = (connection: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true)
      let text = ''
      const send = () => (isOver() ? socket.end() : socket.write(next(connection) + head))
      socket.on('data', (chunk: string) => {
        text += chunk
        if (!isWhole(text)) return
        if (!/^HTTP\/1.1 2/.test(text)) socket.destroy(new Error(text.slice(0, 500)))
        answered++
        text = ''
        send()
      })
      socket.once('error', reject).once('close', () => resolve())
      send()
    })
  await Promise.all(Array.from({ length: connections }, (_, connection) => one(connection)))
  return (answered * 1000) / (performance.now() - startMs)
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  return end >= 0 && text.length >= end + 4 + Number(/\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
}
