/** What an agent sees of the API: one film in byte ranges, for one token. It counts what is asked, and may fail as told. */
import { createReadStream, statSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

export interface FilmServer {
  readonly url: string
  readonly port: number
  /** `HEAD`, or the first and last byte asked for, in the order of the requests. */
  readonly asked: readonly string[]
  readonly connections: () => number
  /** Bytes that were written out. */
  readonly sentBytes: () => number
  close(): Promise<void>
}

export interface FilmServerOptions {
  /** The film's bytes, or its path. */
  readonly film: () => Uint8Array | string
  readonly etag?: () => string
  /** Answers in its own way; true where it did. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>
  readonly token?: () => string
  readonly port?: number
}

export const TOKEN = 'film:job:1:00'

export async function openFilmServer(options: FilmServerOptions): Promise<FilmServer> {
  const { film, etag = () => '"one"', instead = () => false, token = () => TOKEN, port = 0 } = options
  const asked: string[] = []
  let sentBytes = 0
  let connections = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked.push(request.method === 'HEAD' ? 'HEAD' : (/bytes=(.+)/.exec(request.headers.range ?? '')?.[1] ?? 'all'))
    if (await instead(request, response)) return
    if (request.headers.authorization !== `Bearer ${token()}`) return void response.writeHead(401).end()
    const content = film()
    const size = typeof content === 'string' ? statSync(content).size : content.byteLength
    const range = request.headers['if-range'] === etag() ? /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') : null
    const [first, last] = range ? [Number(range[1]), Math.min(Number(range[2]), size - 1)] : [0, size - 1]
    const part = range ? { 'content-range': `bytes ${first}-${last}/${size}` } : {}
    response.writeHead(range ? 206 : 200, { 'content-length': last - first + 1, etag: etag(), 'accept-ranges': 'bytes', ...part })
    if (request.method === 'HEAD') return void response.end()
    const bytes =
      typeof content === 'string'
        ? createReadStream(content, { start: first, end: last })
        : Readable.from([content.subarray(first, last + 1)])
    bytes.on('data', (piece: Uint8Array) => (sentBytes += piece.byteLength))
    bytes.on('error', () => response.destroy())
    bytes.pipe(response)
  }

  const server = createServer((request, response) => void answer(request, response))
  server.on('connection', () => connections++)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    asked,
    connections: () => connections,
    sentBytes: () => sentBytes,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
