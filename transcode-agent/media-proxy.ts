/**
 * Runs the HTTP proxy inside the agent's process through which ffmpeg reads films that are not mounted. It listens on this machine only,
 * with each film at an unguessable path. It sends no more than ffmpeg takes, and prefetches the next blocks while ffmpeg reads
 * sequentially.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { abortable } from '../src/concurrency/timeout.ts'
import type { MediaBlocks } from './media-blocks.ts'
import type { MediaVersion, RemoteMedia } from './media-upstream.ts'

export interface ProxiedMedia extends RemoteMedia {
  /** The file name's extension with its dot: demuxers look at it. */
  readonly extension: string
  /** Settles once the server has reported its version. */
  readonly version: Promise<MediaVersion>
  /** Ends all work for the film. */
  readonly signal: AbortSignal
  /** Called with the cause that ends the reading, before ffmpeg notices. */
  lost(this: void, cause: unknown): void
}

export interface MediaProxy {
  /** The URL for ffmpeg, until the film's signal aborts. */
  offer(mediaFile: ProxiedMedia): Promise<string>
  close(): Promise<void>
}

/** Blocks prefetched ahead of ffmpeg. */
const AHEAD_BLOCKS = 2
/** After this many consecutive bytes ffmpeg is reading sequentially and not just probing: the kernel's buffers alone take some 5 MB. */
const READS_ON_BYTES = 8 * 1024 * 1024
const PIECE_BYTES = 256 * 1024
const NAME_BYTES = 32

export function createMediaProxy(blocks: MediaBlocks): MediaProxy {
  const mediaFiles = new Map<string, ProxiedMedia>()
  const server = createServer((request, response) => {
    const mediaFile = mediaFiles.get(request.url ?? '')
    if (mediaFile) void serve(blocks, mediaFile, { request, response })
    else response.writeHead(404).end()
  })
  let listening: Promise<unknown> | undefined

  return {
    async offer(mediaFile) {
      if (!listening) {
        listening = once(server, 'listening')
        server.listen(0, '127.0.0.1')
      }
      await listening
      const path = `/${randomBytes(NAME_BYTES).toString('hex')}/film${mediaFile.extension}`
      mediaFiles.set(path, mediaFile)
      mediaFile.signal.addEventListener('abort', () => mediaFiles.delete(path), { once: true })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    },
    async close() {
      if (!listening) return
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Never rejects. */
async function serve(blocks: MediaBlocks, mediaFile: ProxiedMedia, { request, response }: Exchange): Promise<void> {
  const gone = new AbortController()
  // A block that is arriving when a range ends is fetched completely: the connection stays open, and the next range is usually near.
  response.once('close', () => response.writableFinished || gone.abort(new Error('ffmpeg has hung up')))
  const signal = AbortSignal.any([gone.signal, mediaFile.signal])
  try {
    const version = await abortable(mediaFile.version, signal)
    const range = rangeOf(request, version.sizeBytes)
    if (!writeHead({ request, response }, version, range)) return
    await send(response, blocks, { ...mediaFile, ...version, ...range, signal })
    response.end()
  } catch (cause) {
    if (!signal.aborted) mediaFile.lost(cause)
    response.destroy()
  }
}

/** False if no body follows. */
function writeHead({ request, response }: Exchange, { sizeBytes }: MediaVersion, { first, last }: ByteRange): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end()
  else if (first >= sizeBytes) response.writeHead(416, { 'content-range': `bytes */${sizeBytes}` }).end()
  else {
    const isPart = request.headers.range !== undefined
    const part = isPart ? { 'content-range': `bytes ${first}-${last}/${sizeBytes}` } : {}
    response.writeHead(isPart ? 206 : 200, { 'accept-ranges': 'bytes', 'content-length': last - first + 1, ...part })
    if (request.method === 'GET') return true
    response.end()
  }
  return false
}

/** ffmpeg asks for a single range from a byte on, with or without an end. */
function rangeOf({ headers }: IncomingMessage, sizeBytes: number): ByteRange {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  return { first: Number(first ?? 0), last: last ? Math.min(Number(last), sizeBytes - 1) : sizeBytes - 1 }
}

interface ByteRange {
  readonly first: number
  /** Inclusive. */
  readonly last: number
}

interface Part extends RemoteMedia, MediaVersion, ByteRange {
  readonly signal: AbortSignal
}

/** Sends the available part of a block while the rest is arriving, no faster than the reader takes it. */
async function send(response: ServerResponse, blocks: MediaBlocks, part: Part): Promise<void> {
  const { blockBytes } = blocks
  const ahead = createReadAhead(blocks, part)
  for (let at = part.first; at <= part.last;) {
    const block = Math.floor(at / blockBytes)
    const start = block * blockBytes
    const end = Math.min(part.last + 1, start + blockBytes)
    const held = blocks.hold(part, block, part.signal)
    while (at < end) {
      const there = await held.from(at - start)
      // Only after the block itself has arrived: prefetches would slow it down.
      if (at - part.first >= READS_ON_BYTES && at + there.byteLength >= end) ahead(block)
      const piece = there.subarray(0, Math.min(PIECE_BYTES, end - at))
      part.signal.throwIfAborted()
      if (!response.write(piece)) await once(response, 'drain', { signal: part.signal })
      at += piece.byteLength
    }
  }
}

/** Starts to fetch the blocks after one, each once. Errors reach only the readers of those blocks. */
function createReadAhead(blocks: MediaBlocks, part: Part): (block: number) => void {
  const lastBlock = Math.floor(part.last / blocks.blockBytes)
  let begun = -1
  return (block) => {
    const until = Math.min(block + AHEAD_BLOCKS, lastBlock)
    for (begun = Math.max(begun, block); begun < until;) blocks.read(part, ++begun, part.signal).catch(() => undefined)
  }
}
