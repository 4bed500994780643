/**
 * Measures times to the first byte, with a client that reads into one buffer. A client that allocates megabytes pauses for garbage
 * collection, and would attribute that time to the server.
 */
import { connect } from 'node:net'

export interface FirstByteOptions {
  readonly token: string
  readonly count: number
}

const BUFFER_BYTES = 256 * 1024
const HEAD_END = '\r\n\r\n'
const TIMEOUT_MS = 30_000

/** Sequential requests over one connection. @throws if one is not answered with 200 and its length */
export async function firstByteTimes(url: string, { token, count }: FirstByteOptions): Promise<readonly number[]> {
  const { hostname, port, pathname } = new URL(url)
  const request = `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`
  const times: number[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let [askedAt, leftBytes] = [0, 0]

  function ask(): void {
    askedAt = performance.now()
    socket.write(request)
  }

  function read(size: number, bytes: Uint8Array): boolean {
    if (leftBytes === 0) {
      times.push(performance.now() - askedAt)
      leftBytes = sizeOf(Buffer.from(bytes.buffer, bytes.byteOffset, size))
    }
    leftBytes -= size
    if (Number.isNaN(leftBytes)) reject(new Error(`${url}: no 200 with a length`))
    else if (leftBytes === 0 && times.length === count) resolve()
    else if (leftBytes === 0) ask()
    return true
  }

  const onread = { buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES), callback: read }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, timeout: TIMEOUT_MS, onread }, ask)
  socket.once('error', reject).once('timeout', () => reject(new Error(`${url}: no answer`)))
  return promise.then(() => times).finally(() => socket.destroy())
}

/** Size of the response including its headers, which arrive in one piece. */
function sizeOf(bytes: Buffer): number {
  const end = bytes.indexOf(HEAD_END)
  const head = bytes.toString('latin1', 0, Math.max(0, end))
  const length = /^HTTP\/1\.1 200 [^]*\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  return length === undefined ? Number.NaN : end + HEAD_END.length + Number(length)
}
