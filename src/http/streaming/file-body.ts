/**
 * Reads a part of a file for a response. A few buffers are used again and again: the system clears and maps fresh memory page by page, which
 * takes longer than to read a film that it has cached.
 */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { MediaHandle } from '../../drives/media-files.ts'
import type { ByteRange } from '../server/ranges.ts'

/** Read-ahead for a client that reads nothing: this much, and as much again on its way to the socket. */
const PIECE_BYTES = 256 * 1024
/** While the connection takes everything at once: each piece costs a trip to the thread that reads, and back. */
const LARGEST_PIECE_BYTES = 512 * 1024

/** Memory of a piece that has been read, and where the piece ends in the file. */
interface Piece {
  readonly memory: Buffer
  readonly endsAt: number
}

/**
 * A stream for this response and no other. It closes the file at its end, and when it is destroyed. If the file has become shorter, or its
 * drive no longer answers, the connection is cut: the client would wait for the rest without end.
 */
export function fileBody(handle: MediaHandle, { first, last }: ByteRange, response: ServerResponse): Readable {
  /** Oldest first. */
  const pieces: Piece[] = []
  let at = first
  let pieceBytes = PIECE_BYTES

  /** Of the oldest piece, if more has been read since than has not left the process yet, and it is large enough. */
  function freeMemory(length: number): Buffer | undefined {
    const [oldest] = pieces
    const unsentBytes = body.readableLength + response.writableLength
    if (!oldest || at - oldest.endsAt < unsentBytes) return undefined
    pieces.shift()
    return oldest.memory.length >= length ? oldest.memory : undefined
  }

  function nextLength(): number {
    const isTaken = at > first && response.writableLength === 0
    pieceBytes = isTaken ? Math.min(2 * pieceBytes, LARGEST_PIECE_BYTES) : PIECE_BYTES
    return Math.min(pieceBytes, last + 1 - at)
  }

  async function readPiece(length: number): Promise<void> {
    const memory = freeMemory(length) ?? Buffer.allocUnsafeSlow(length)
    const { bytesRead } = await handle.read(memory, 0, length, at)
    at += bytesRead
    pieces.push({ memory, endsAt: at })
    if (bytesRead > 0) body.push(memory.subarray(0, bytesRead))
    else response.destroy()
  }

  const body = new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      const length = nextLength()
      if (length === 0) body.push(null)
      else readPiece(length).catch((cause: Error) => body.destroy(cause))
    },
  })
  body.once('close', () => handle.close())
  return body
}
